"""Records become a data set, from whatever kind of file they were read.

A record has a source and a target and may have an id, a derivation and further fields, which become tags, or context
where the data says so. Records without ids get content ids; either all records give an id or none does. The number of a
line or row is kept as the tag `line`. Nothing is skipped: a record that cannot be used is an error that names it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.datasets.files.context_cells import as_it_is
from recombine.datasets.files.sidecar import SUFFIX
from recombine.errors import DerivationError, RecordError
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, FrozenMapping, content_id, frozen_context, identity_text
from recombine.structures.definition import PROGRAM_STRUCTURES, derivation_structures
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from recombine.languages.language import Language

OWN_FIELDS = ("id", "derivation", "tags")
Record = dict[str, Any]


class PlacedRecord(NamedTuple):
    """A record and its place in a file."""

    file: Path | str
    unit: str
    number: int
    record: Record
    read_cell: Callable[[Any], Any] = as_it_is
    """How JSON values are read from its file."""

    @property
    def where(self) -> str:
        """The place in the file, such as `line 3`."""
        return f"{self.unit} {self.number}"

    def fault(self, problem: str, remedy: str = "") -> RecordError:
        """What to raise where this record cannot be used."""
        return RecordError(self.file, self.where, problem, remedy)

    def text(self, field: str, remedy: str = "") -> str:
        """The text of a field that must be there."""
        if field not in self.record:
            have = ", ".join(map(str, self.record)) or "nothing"
            raise self.fault(f"no field {field!r}", f"it has: {have}" + (f"; {remedy}" if remedy else ""))
        value = self.record[field]
        if not isinstance(value, str):
            raise self.fault(f"the field {field!r} is not text", "write it as a string")
        return value

    def adding(self, **fields: Any) -> PlacedRecord:
        """The row with these fields set."""
        return self._replace(record={**self.record, **fields})


def dataset_of_rows(
    rows: Iterable[PlacedRecord],
    *,
    name: str,
    source: str = "source",
    target: str = "target",
    language: Language | None = None,
    context: Sequence[str] = (),
    identity: Sequence[str] = (),
) -> Dataset:
    """The data set of these records, each read once; `source` and `target` name the fields to read.

    The fields of `context` become contexts; those of them that `identity` names are part of content ids.

    >>> row = PlacedRecord("mine.jsonl", "line", 1, {"question": "how many", "program": "count", "db": "x"})
    >>> dataset_of_rows([row], name="mine", source="question", target="program")[0].tags
    {'db': 'x', 'line': 1}
    """
    used = frozenset((source, target, *OWN_FIELDS))
    for field in context:
        if field in used:
            raise RecordError(name, "context", f"the field {field!r} cannot be context too", "leave it out there")
    stream = _Examples(rows, (source, target), context, identity)
    dataset = Dataset.of(name, stream, distinct=True, language=language, identity=tuple(identity))
    structures = PROGRAM_STRUCTURES if language else derivation_structures(stream.first) if stream.derived else ""
    return replace(dataset, structures=structures)


class _Examples:
    """The examples of records, each made when the record is read; and whether all so far have a derivation."""

    def __init__(
        self, rows: Iterable[PlacedRecord], fields: tuple[str, str], context: Sequence[str], identity: Sequence[str]
    ) -> None:
        self.derived = True
        self.first: Derivation | None = None
        self._rows, self._fields, self._context, self._identity = rows, fields, context, identity

    def __iter__(self) -> Iterator[Example]:
        source, target = self._fields
        used = frozenset((source, target, *OWN_FIELDS, *self._context))
        name = _Ids()
        for row in self._rows:
            pair = (
                row.text(source, "name the field with --source"),
                row.text(target, "name the field with --target"),
            )
            about = _context(row, self._context) if self._context else NOTHING
            key = name(row, *pair, identity_text(about, self._identity))
            derivation = read_derivation(row)
            self.derived = self.derived and derivation is not None
            self.first = self.first or derivation
            yield Example(key, *pair, derivation, _tags(row, used), about)


class _Ids:
    """The id of each record: its own, where all have one, or that of its content, repeats numbered."""

    def __init__(self) -> None:
        self._first: PlacedRecord | None = None
        self._seen: dict[str, int | str] = {}

    def __call__(self, row: PlacedRecord, source: str, target: str, identity: str) -> str:
        """The id of the next record."""
        first = self._first = self._first or row
        if ("id" in row.record) != ("id" in first.record):
            lacking = first if "id" in row.record else row
            raise lacking.fault("no id, though other records have one", "give ids to all records or to none")
        return self._given(row, first.unit) if "id" in row.record else self._made(source, target, identity)

    def _given(self, row: PlacedRecord, unit: str) -> str:
        key = row.record["id"]
        if not isinstance(key, str | int) or isinstance(key, bool) or key == "":
            raise row.fault("the id is neither text nor a whole number", "mend it")
        key = str(key)
        if key in self._seen:
            place = self._seen[key]
            where = f"{unit} {place}" if isinstance(place, int) else place
            raise row.fault(f"the id {key!r} stands already in {where}", "make ids unique")
        self._seen[key] = row.number if row.unit == unit else row.where
        return key

    def _made(self, source: str, target: str, identity: str) -> str:
        key = content_id(source, target, identity=identity)
        if key not in self._seen:
            self._seen[key] = 1
            return key
        self._seen[key] = occurrence = int(self._seen[key]) + 1
        return f"{key}#{occurrence}"


def read_derivation(row: PlacedRecord) -> Derivation | None:
    """The derivation of a record; none where it has none."""
    value = row.record.get("derivation")
    if value is None:
        return None
    try:
        return Derivation.from_rows(orjson.loads(value) if isinstance(value, str) else value)
    except orjson.JSONDecodeError:
        raise row.fault("the derivation is not JSON", "write it as `generate` does") from None
    except DerivationError as error:
        raise row.fault(error.problem, error.remedy) from None


def _context(row: PlacedRecord, fields: Sequence[str]) -> FrozenMapping:
    missing = next((field for field in fields if field not in row.record), None)
    if missing is not None:
        have = ", ".join(map(str, row.record))
        raise row.fault(f"no field {missing!r}, which is context by the {SUFFIX} file", f"it has: {have}")
    values = {field: row.read_cell(row.record[field]) for field in fields}
    refuse_deep(row, values)
    try:
        return frozen_context(values)
    except TypeError as error:
        raise row.fault(str(error), "write it as JSON has it") from None


def _tags(row: PlacedRecord, used: frozenset[str]) -> dict[str, Any]:
    tags = {key: value for key, value in row.record.items() if key not in used}
    refuse_deep(row, tags)
    tags["line"] = row.number
    if "tags" not in row.record:
        return tags
    given = row.record["tags"]
    if isinstance(given, str):
        try:
            given = orjson.loads(given)
        except orjson.JSONDecodeError:
            given = {"tags": given}
    if not isinstance(given, dict):
        raise row.fault("the tags are not a JSON object", "write them as {…}")
    refuse_deep(row, given)
    return {**given, **tags}


def refuse_deep(row: PlacedRecord, tags: dict[str, Any]) -> None:
    """Raises for a tag with more lists inside each other than can be written again."""
    for key, value in tags.items():
        level = [value] if isinstance(value, list | dict) else []
        depth = 0
        while level:
            depth += 1
            if depth > MAX_DEPTH:
                raise row.fault(f"the field {key!r} is more than {MAX_DEPTH} levels deep", "leave it out")
            inner = (item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer))
            level = [item for item in inner if isinstance(item, list | dict)]
