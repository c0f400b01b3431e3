"""What makes data: a generator with its options, and the stream of examples that it gives.

A generator is a data class whose options are fields made with `option`; where it is listed by name, see
`generators.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from recombine.errors import SizeError
from recombine.records.dataset import Dataset
from recombine.records.seen_keys import SeenKeys

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.languages.language import Language
    from recombine.records.dataset import Pattern
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference


class DataFiles(Protocol):
    """Writes data with files of its own beside it."""

    def write(self, dataset: Dataset, path: Path | str, form: str) -> None:
        """Write all files, or none."""
        ...


class Generated(Iterator["Example"]):
    """Examples one by one, as they are made, each content once; and what is known of them together.

    >>> from recombine.records.example import Example
    >>> made = Generated("mine", [Example.of("a", "b"), Example.of("c", "d"), Example.of("a", "b")])
    >>> [example.source for example in made], made.same_pair_dropped
    (['a', 'c'], 1)
    """

    def __init__(
        self,
        name: str,
        examples: Iterable[Example],
        *,
        total: int | None = None,
        rules: int | None = None,
        patterns: Mapping[str, Pattern] | None = None,
        structures: str = "",
        language: Language | None = None,
        world: World | WorldReference | None = None,
        identity: tuple[str, ...] = (),
        files: DataFiles | None = None,
        counted: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.total = total
        """How many are made, those dropped included; none where that is not known before."""
        self.rules = rules
        """How many rules they are made by; none where there are no rules."""
        self.patterns, self.structures, self.language = patterns or {}, structures, language
        self.world, self.identity = world, identity
        self.files = files
        """What writes the data where more than one file is to be written; none where it is a file as any other."""
        self.counted = counted or {}
        """What else was counted, for programs."""
        self.same_pair_dropped = 0
        """How many were left out so far since earlier ones have the same id: the pair, and what else tells apart."""
        self._distinct = self._iter_distinct(examples)

    def __next__(self) -> Example:
        return next(self._distinct)

    def _iter_distinct(self, examples: Iterable[Example]) -> Iterator[Example]:
        seen = SeenKeys()
        with within_reach():
            for example in examples:
                if not seen.add(example.id.encode(errors="surrogatepass")):
                    self.same_pair_dropped += 1
                    continue
                yield example

    def dataset(self, examples: Iterable[Example] | None = None) -> Dataset:
        """What is left of the stream as a data set; or these examples of the stream, where it is read elsewhere."""
        return Dataset.of(
            self.name,
            self if examples is None else examples,
            distinct=True,
            patterns=self.patterns,
            structures=self.structures,
            language=self.language,
            world=self.world,
            identity=self.identity,
        )


@dataclass(frozen=True, kw_only=True)
class Generator(ABC):
    """Makes data; its options are its fields."""

    name: ClassVar[str]
    description: ClassVar[str] = ""
    """What it makes, in a line."""
    release: ClassVar[str] = "cfq"
    """The form of release that what it makes can be written in."""
    on_clusters: ClassVar[bool] = True
    """Whether parts of what it makes can be made on several machines."""

    has_files: ClassVar[bool] = False
    """Whether what it makes has files of its own beside it, such as pictures."""

    @classmethod
    def check_out(cls, path: Path | str, form: str) -> None:
        """Refuse a place where what stands beside the data cannot be written; called before long work."""
        del path, form

    def in_folder(self, folder: Path) -> Self:
        """The same generator, with paths among its options read from a folder, as a study file says them."""
        del folder
        return self

    @property
    def level_options(self) -> Mapping[str, Any] | None:
        """How what it makes is to be split by levels, the options of that; none where it is not."""
        return None

    @abstractmethod
    def generate(self, n: int | None, *, seed: int) -> Generated:
        """So many examples, all where no number is given; the same seed gives the same ones."""


@contextmanager
def within_reach() -> Iterator[None]:
    """Say in a line that derivations are too deep: rules call each other, and Python ends that at some depth."""
    try:
        yield
    except RecursionError:
        raise SizeError(
            "derivations are too deep: their rules stand in too many others",
            "give a lower --max-depth, or shorten the grammar's chains of rules",
        ) from None
