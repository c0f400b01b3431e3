"""A generator whose data is made lot by lot, kept in parts while it is made, and written with little in memory."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.datasets.generator import Generated, Generator
from recombine.datasets.load_cached import load_cached
from recombine.datasets.parts.kept_parts import KeptParts
from recombine.datasets.parts.make_parts import check_number, make_parts
from recombine.datasets.parts.write_parts import check_parts_writable, to_example
from recombine.errors import OptionError
from recombine.records.dataset import Dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from recombine.datasets.parts.make_parts import MakesLots
    from recombine.datasets.parts.part_file import Progress
    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.records.world import World, WorldReference


@dataclass(frozen=True, kw_only=True)
class PartsRun:
    """What is to be made, before anything is."""

    name: str
    n: int
    maker: MakesLots
    key: str
    """The key of everything that decides the examples."""
    rules: int
    structures: str
    language: Language
    about: Mapping[str, Any]
    """How the data is made, for its sidecar."""
    counted: Callable[[Progress], dict[str, Any]]
    """What was counted, for programs."""
    lines: Callable[[Progress], list[str]]
    """What was counted, for a person."""
    world: World | WorldReference | None = None
    subsample: int | None = None
    """How many of the examples are taken in the end, those in which rules are combined in most ways."""
    notes: tuple[str, ...] = field(default=())

    def dataset(self, examples: Iterable[Example]) -> Dataset:
        """A data set of some of the examples."""
        return Dataset.of(
            self.name,
            examples,
            distinct=True,
            structures=self.structures,
            language=self.language,
            world=self.world,
        )


@dataclass(frozen=True, kw_only=True)
class PartsGenerator(Generator):
    """Makes data lot by lot."""

    on_clusters = False

    @classmethod
    def check_out(cls, path: Path | str, form: str) -> None:
        """Refuse a place where the data cannot be written while it is made."""
        check_parts_writable(path, form)

    @abstractmethod
    def run(self, n: int, *, seed: int) -> PartsRun:
        """What is to be made for so many examples."""

    def kept_dataset(self, n: int | None, *, seed: int) -> Dataset:
        """So many examples, kept in the user's cache of data: the next time they are read there, and not made."""
        run = _whole(self.run(check_number(n), seed=seed))
        return load_cached(lambda: run.dataset(_examples(run)), run.name, (), {}, asked=(run.key,))

    def generate(self, n: int | None, *, seed: int) -> Generated:
        """So many examples; where they are many, they are in files of the system's until they are read."""
        run = _whole(self.run(check_number(n), seed=seed))
        return Generated(
            run.name,
            _examples(run),
            total=n,
            rules=run.rules,
            structures=run.structures,
            language=run.language,
            world=run.world,
        )


def _whole(run: PartsRun) -> PartsRun:
    """The run, when it takes all that is made."""
    if run.subsample is not None:
        raise OptionError(
            "a sub-sample is taken when a file is written", "generate a file with --subsample, and name that"
        )
    return run


def _examples(run: PartsRun) -> Iterator[Example]:
    parts = KeptParts()
    make_parts(run.maker, parts, run.n)
    yield from map(to_example, parts.iter_rows())
    parts.remove()
