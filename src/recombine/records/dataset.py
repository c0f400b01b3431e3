"""A data set: examples in order, found by id, with a hash of their content.

How the examples are kept is a matter of this room alone: others iterate a data set, ask it for a position or an id, or
make another of it with `restricted` and `with_examples`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecombineError
from recombine.html_table import html_table
from recombine.records.chosen_examples import ChosenExamples, texts_of
from recombine.records.columns import StoredExamples, WrittenExample, about_data
from recombine.records.example import thawed
from recombine.records.growing_columns import FEW, columns_of, gathered
from recombine.records.reading import Reading
from recombine.records.world import opened, world_name
from recombine.records.written_table import arrow_table, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.records.unreadable import Unreadable
    from recombine.records.world import World, WorldReference


@dataclass(frozen=True)
class Pattern:
    """A named way to collapse a text, so that texts that differ in details only share a pattern."""

    name: str
    collapse: Callable[[str], str]


def _written(example: Example) -> WrittenExample:
    made = example.derivation
    derivation = None if made is None else orjson.dumps(made.to_rows()).decode()
    return WrittenExample(example.id, example.source, example.target, derivation, example.tags, example.context)


def _same(text: str) -> str:
    return text


EXACT = Pattern("exact", _same)


def content_digest() -> hashlib.blake2b:
    """What a content hash is made with: fed with ids, sources and targets in the order of the ids, each after its
    length in bytes as eight bytes, the least first."""
    return hashlib.blake2b(digest_size=8)


SHOWN = 5
"""The examples that a notebook shows of a data set."""


@dataclass(frozen=True, repr=False)
class Dataset:
    """Examples with unique ids. The hash does not depend on their order.

    >>> from recombine.records.example import Example
    >>> data = Dataset.of("mine", [Example.of("jump", "I_JUMP"), Example.of("jump twice", "I_JUMP I_JUMP")])
    >>> len(data), data[data[0].id].source
    (2, 'jump')
    >>> data
    <Dataset: mine@4c8b2606: 2 examples>
    """

    name: str
    examples: Sequence[Example]
    """A tuple, or what makes the examples of columns when they are asked for."""
    patterns: Mapping[str, Pattern] = field(default_factory=dict, compare=False)
    structures: str = ""
    """The structure definition used where the user names none; empty where nothing is known of their making."""
    language: Language | None = field(default=None, compare=False)
    """The language of the targets, where it is known."""
    fields: tuple[str, str] | None = field(default=None, compare=False)
    """The fields that sources and targets were read from, where they were read from fields that the user named."""
    path: str | None = field(default=None, compare=False)
    """Where the data was read from, as it was typed; a hint."""
    world: World | WorldReference | None = field(default=None, compare=False)
    """What the examples are about, or where it lies; `opened_world` is the world itself."""
    identity: tuple[str, ...] = field(default=(), compare=False)
    """The fields of contexts that are part of the ids."""
    world_is_implied: bool = field(default=False, compare=False)
    """Whether the content hash says which world it is: the catalogue pins it with the data."""

    unreadable: Unreadable | None = field(default=None, compare=False)
    """What was left out in reading, where what cannot be read is to be; else nothing was."""

    made_from: str = field(default="", compare=False)
    """The key of what decides the examples, where they are those that a loader makes of it; else empty."""

    @classmethod
    def of(cls, name: str, examples: Iterable[Example], *, distinct: bool = False, **values: Any) -> Dataset:
        """A data set of these examples, in their order; `values` are further fields.

        Many are kept as columns. `distinct` says that whoever gives them sees to it that no id comes twice.
        """
        return cls(name, gathered(examples, distinct=distinct), **values)

    @classmethod
    def of_columns(cls, name: str, table: pa.Table, **values: Any) -> Dataset:
        """The data set of columns that `columns` made; `values` are further fields."""
        from recombine.languages.known import find_language

        examples = StoredExamples(table)
        about = examples.about
        return cls(
            name,
            examples,
            structures=about["structures"],
            language=None if about["language"] is None else find_language(about["language"]),
            identity=tuple(about["identity"]),
            **values,
        )

    def columns(self) -> pa.Table | None:
        """The examples as columns, with structures, identity and the language's name; none where they cannot be."""
        language = None if self.language is None else self.language.name
        about = about_data(structures=self.structures, language=language, identity=self.identity)
        return columns_of(self.examples, {**about, "hash": self.hash})

    def with_examples(self, examples: Iterable[Example], **values: Any) -> Dataset:
        """The same data set with other examples, and other values of further fields."""
        return replace(self, examples=gathered(examples), **{"world_is_implied": False, "made_from": "", **values})

    def with_tag(self, name: str, values: Sequence[str | None]) -> Dataset:
        """The same data set, in which each example that has a value in this list has it as a further tag.

        >>> from recombine.records.example import Example
        >>> data = Dataset.of("mine", [Example.of("jump", "I_JUMP"), Example.of("walk", "I_WALK")])
        >>> [dict(example.tags) for example in data.with_tag("level", ["i.i.d.", None])]
        [{'level': 'i.i.d.'}, {}]
        """
        if isinstance(self.examples, StoredExamples) and self.examples.has("tags"):
            return replace(self, examples=self.examples.with_tag(name, values))
        return self.with_examples(
            example if value is None else replace(example, tags={**example.tags, name: value})
            for example, value in zip(self.examples, values, strict=True)
        )

    def restricted(self, ids: Iterable[str]) -> Dataset:
        """The examples of these ids as a data set of their own, each once, in the order of the ids."""
        keys = list(dict.fromkeys(ids))
        if isinstance(self.examples, StoredExamples) and len(keys) > FEW:
            return self.with_examples(self.examples.taken(list(map(self.position, keys)), distinct=True))
        return self.with_examples(self[key] for key in keys)

    def __post_init__(self) -> None:
        if isinstance(self.examples, StoredExamples) and self.examples.distinct:
            return
        if len(self.index) != len(self.examples):
            seen: set[str] = set()
            repeated = next(e.id for e in self.examples if e.id in seen or seen.add(e.id))  # type: ignore[func-returns-value]
            raise RecombineError(f"{self.name}: the id {repeated!r} occurs twice", "ids must be unique")

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each id."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.positions
        return {example.id: position for position, example in enumerate(self.examples)}

    @property
    def ids(self) -> list[str]:
        """The ids in order."""
        return self.examples.ids if isinstance(self.examples, StoredExamples) else list(self.index)

    def texts(self, side: str) -> list[str]:
        """All sources or targets (`side`) in order; a list of its own, made without making examples of columns.

        >>> from recombine.records.example import Example
        >>> Dataset.of("mine", [Example.of("jump", "I_JUMP"), Example.of("walk", "I_WALK")]).texts("target")
        ['I_JUMP', 'I_WALK']
        """
        return texts_of(self.examples, side)

    def count_without_derivation(self) -> int:
        """How many examples have no derivation."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.count_without_derivation()
        return sum(example.derivation is None for example in self.examples)

    def has(self, name: str) -> bool:
        """Whether some example has a `derivation`, `tags` or a `context`; those of columns may all be empty."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.has(name)
        return any(getattr(example, name) for example in self.examples)

    def iter_mappings(self, name: str) -> Iterator[Mapping[str, Any]]:
        """The `tags` or the `context` of each example in order."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.iter_mappings(name)
        return (getattr(example, name) for example in self.examples)

    def iter_plain(self, name: str) -> Iterator[Mapping[str, Any]]:
        """The same as JSON has them: dictionaries and lists, which nobody is to change; quicker for columns."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.iter_plain(name)
        return map(thawed, self.iter_mappings(name))

    def iter_text_columns(self, rows: int) -> Iterator[dict[str, pa.Array]] | None:
        """Ids, texts and derivations as columns of so many rows at a time; none where examples are no columns."""
        return self.examples.iter_text_columns(rows) if isinstance(self.examples, StoredExamples) else None

    def iter_written(self) -> Iterator[WrittenExample]:
        """What files keep of each example in order, with its derivation as JSON."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.iter_written()
        return map(_written, self.examples)

    def part(self, rows: Sequence[int]) -> Sequence[Example]:
        """The examples at these positions, repeated ones as often as they are named; few are held at a time."""
        return ChosenExamples(self.examples, rows)

    @cached_property
    def hash(self) -> str:
        """A digest of all ids, sources and targets, whatever their order."""
        if isinstance(self.examples, StoredExamples):
            return self.examples.hash
        digest = content_digest()
        for row in sorted((e.id, e.source, e.target) for e in self.examples):
            for text in row:
                data = text.encode()
                digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    @property
    def reading(self) -> Reading:
        """How the data was read, for its splits to remember."""
        source, target = self.fields or (None, None)
        return Reading(
            None if self.language is None else self.language.remembered,
            source,
            target,
            self.path,
            None if self.world is None else world_name(self.world),
            self.world_is_implied,
            self.unreadable is not None,
        )

    @cached_property
    def opened_world(self) -> World | None:
        """The world itself, opened when it is first asked for; none where the data has none."""
        return opened(self.world)

    def pattern(self, side: str) -> Pattern:
        """How this data set collapses its sources or targets; the text itself where it says nothing."""
        return self.patterns.get(side, EXACT)

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    def __getitem__(self, key: str | int) -> Example:
        if isinstance(key, int):
            return self.examples[key]
        return self.examples[self.position(key)]

    def position(self, key: str) -> int:
        """The position of an id, which must be there."""
        if key not in self.index:
            raise RecombineError(f"{self.name} has no example with id {key!r}", "`recombine show` prints ids")
        return self.index[key]

    def __contains__(self, key: object) -> bool:
        return key in self.index

    def to_arrow(self) -> pa.Table:
        """The examples as a table of pyarrow, with the columns that a Parquet file has.

        >>> from recombine.records.example import Example
        >>> Dataset.of("mine", [Example.of("jump", "I_JUMP", tags={"kind": "verb"})]).to_arrow().to_pylist()
        [{'id': 'b2e31503b07b4ae7', 'source': 'jump', 'target': 'I_JUMP', 'tags': '{"kind":"verb"}'}]
        """
        return arrow_table(self)

    def to_pandas(self) -> Any:
        """The same as a data frame of pandas, which must be installed."""
        needed("pandas", "to_pandas()", "tables")
        return self.to_arrow().to_pandas()

    def to_datasets(self) -> Any:
        """The same as a data set of the library `datasets`, which must be installed."""
        datasets = needed("datasets", "to_datasets()", "hub")
        return datasets.Dataset(self.to_arrow())

    def to_dict(self) -> dict[str, Any]:
        """What the data set is, without its examples."""
        return {
            "data": self.name,
            "hash": self.hash,
            "size": len(self),
            "language": None if self.language is None else self.language.name,
            "structures": self.structures,
            "identity": list(self.identity),
            "world": None if self.world is None else world_name(self.world)._asdict(),
        }

    def __str__(self) -> str:
        return f"{self.name}@{self.hash[:8]}"

    def __repr__(self) -> str:
        return f"<Dataset: {self}: {len(self):,} examples>"

    def _repr_html_(self) -> str:
        """The first examples as a table, under the name of the data set."""
        more = f", the first {SHOWN}" if len(self) > SHOWN else ""
        rows = [(example.id, example.source, example.target) for example in self.examples[:SHOWN]]
        return html_table(f"{self}: {len(self):,} examples{more}", ["id", "source", "target"], rows)
