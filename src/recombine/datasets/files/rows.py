"""Records become a data set, from whatever kind of file they were read.

A record has a source and a target and may have an id, a derivation and further fields, which become tags, or context
where the data says so. Records without ids get content ids; either all records give an id or none does. The number of a
line or row is kept as the tag `line`. A target that is an object or an array is written as JSON in its one form.
Nothing is skipped unless that was asked for: records that cannot be used are an error that counts all and names the
first.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.datasets.files.context_cells import as_it_is
from recombine.datasets.files.field_path import MISSING, find_field, near_fields, text_of_value
from recombine.datasets.files.sidecar import SUFFIX
from recombine.errors import DerivationError, RecordError
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, FrozenMapping, content_id, frozen_context, identity_text
from recombine.structures.definition import PROGRAM_STRUCTURES, derivation_structures
from recombine.structures.programs.unread_programs import refusal, unread_reason
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from recombine.datasets.files.faults import Faults
    from recombine.errors import ProgramError
    from recombine.languages.language import Language

OWN_FIELDS = ("id", "derivation", "tags")
ROW = "row"
"""The place of a record in a table of columns."""
PART = "part"
"""The tag, and the name of the field, that says which part an example is of."""
Record = dict[str, Any]
_NO_ID = "no id, though other records have one"
_KNOWN = 1 << 16
"""The programs of which it is remembered whether they can be read."""


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

    def fault(self, problem: str, remedy: str = "", *, reason: str = "malformed") -> RecordError:
        """What to raise where this record cannot be used."""
        return RecordError(self.file, self.where, problem, remedy, reason=reason)

    def text(self, field: str, remedy: str = "") -> str:
        """The text of a field that must be there."""
        value = self.value(field, remedy)
        if not isinstance(value, str):
            raise self.fault(f"the field {field!r} is not text", "write it as a string", reason="wrong_type")
        return value

    def value(self, field: str, remedy: str = "") -> Any:
        """The value of a field that must be there and not be null."""
        value = find_field(self.record, field)
        if value is MISSING:
            have = near_fields(self.record, field) + (f"; {remedy}" if remedy else "")
            raise self.fault(f"no field {field!r}", have, reason="missing_field")
        if value is None:
            raise self.fault(f"the field {field!r} is null", "give it a value", reason="missing_field")
        return value

    def program(self, field: str, remedy: str = "", *, any_value: bool = False) -> str:
        """The text of a field that is a program: an object or an array as JSON, with `any_value` a number too."""
        value = self.value(field, remedy)
        text = value if isinstance(value, str) else text_of_value(value, any_value=any_value)
        if text is None:
            kinds = {int: "a number", float: "a number", bool: "a truth", list: "too deep an array", dict: "too deep"}
            hint = "; --language json takes any JSON value" if isinstance(value, int | float) else ""
            raise self.fault(
                f"the field {field!r} is not text but {kinds.get(type(value), type(value).__name__)}",
                f"write it as a string{hint}",
                reason="wrong_type",
            )
        return text

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
    faults: Faults | None = None,
) -> Dataset:
    """The data set of these records, each read once; `source` and `target` name the fields to read.

    The fields of `context` become contexts; those of them that `identity` names are part of content ids. `faults` is
    told of records that cannot be used; where it is not given, the first is raised. Where they are left out, so are
    those with a target that its language does not read.

    >>> row = PlacedRecord("mine.jsonl", "line", 1, {"question": "how many", "program": "count", "db": "x"})
    >>> dataset_of_rows([row], name="mine", source="question", target="program")[0].tags
    {'db': 'x', 'line': 1}
    """
    used = frozenset((source, target, *OWN_FIELDS))
    for field in context:
        if field in used:
            raise RecordError(name, "context", f"the field {field!r} cannot be context too", "leave it out there")
    stream = _Examples(rows, (source, target), context, identity, language, faults)
    dataset = Dataset.of(name, stream, distinct=True, language=language, identity=tuple(identity))
    structures = PROGRAM_STRUCTURES if language else derivation_structures(stream.first) if stream.derived else ""
    unreadable = None if faults is None else faults.finish(len(dataset))
    return replace(dataset, structures=structures, unreadable=unreadable)


class _Examples:
    """The examples of records, each made when the record is read; and whether all so far have a derivation."""

    def __init__(
        self,
        rows: Iterable[PlacedRecord],
        fields: tuple[str, str],
        context: Sequence[str],
        identity: Sequence[str],
        language: Language | None,
        faults: Faults | None,
    ) -> None:
        self.derived = True
        self.first: Derivation | None = None
        self._rows, self._fields, self._context, self._identity = rows, fields, context, identity
        self._used = frozenset((*fields, *OWN_FIELDS, *context))
        self._faults = faults
        self._any_value = language is not None and language.name == "json"
        self._read: Callable[[str], ProgramError | None] | None = None
        if language is not None and faults is not None and faults.skip:
            self._read = lru_cache(maxsize=_KNOWN)(partial(refusal, language))

    def __iter__(self) -> Iterator[Example]:
        name, faults = _Ids(), self._faults
        for row in self._rows:
            if faults is None:
                yield self._example(row, name)
                continue
            try:
                example = self._example(row, name)
            except RecordError as error:
                faults.add(error, row.record)
            else:
                yield example

    def _example(self, row: PlacedRecord, name: _Ids) -> Example:
        source, target = self._fields
        pair = (
            row.text(source, "name the field with --source"),
            row.program(target, "name the field with --target", any_value=self._any_value),
        )
        if self._read is not None and (refused := self._read(pair[1])) is not None:
            raise row.fault(refused.problem, refused.remedy, reason=unread_reason(refused))
        about = _context(row, self._context) if self._context else NOTHING
        derivation = read_derivation(row)
        tags = _tags(row, self._used)
        key = name(row, *pair, identity_text(about, self._identity))  # the last, as a record that is left out has none
        self.derived = self.derived and derivation is not None
        self.first = self.first or derivation
        return Example(key, *pair, derivation, tags, about)


class _Ids:
    """The id of each record: its own, where all have one, or that of its content, repeats numbered."""

    def __init__(self) -> None:
        self._first: PlacedRecord | None = None
        self._seen: dict[str, int | str] = {}

    def __call__(self, row: PlacedRecord, source: str, target: str, identity: str) -> str:
        """The id of the next record."""
        first = self._first = self._first or row
        if ("id" in row.record) != ("id" in first.record):
            problem = f"an id, though {first.where} has none" if "id" in row.record else _NO_ID
            raise row.fault(problem, "give ids to all records or to none", reason="id")
        return self._given(row, first) if "id" in row.record else self._made(source, target, identity)

    def _given(self, row: PlacedRecord, first: PlacedRecord) -> str:
        key = row.record["id"]
        if not isinstance(key, str | int) or isinstance(key, bool) or key == "":
            raise row.fault("the id is neither text nor a whole number", "mend it", reason="id")
        key = str(key)
        if key in self._seen:
            place = self._seen[key]
            where = f"{first.unit} {place}" if isinstance(place, int) else place
            remedy = "make ids unique, or leave them out: they are then made of the content"
            raise row.fault(f"the id {key!r} stands already in {where}", remedy, reason="id")
        here = (row.unit, row.file) == (first.unit, first.file)
        self._seen[key] = row.number if here else f"{row.where} of {row.file}"
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
        raise row.fault("the derivation is not JSON", "write it as `generate` does", reason="derivation") from None
    except DerivationError as error:
        raise row.fault(error.problem, error.remedy, reason="derivation") from None


def _context(row: PlacedRecord, fields: Sequence[str]) -> FrozenMapping:
    missing = next((field for field in fields if field not in row.record), None)
    if missing is not None:
        have = ", ".join(map(str, row.record))
        raise row.fault(
            f"no field {missing!r}, which is context by the {SUFFIX} file", f"it has: {have}", reason="missing_field"
        )
    values = {field: row.read_cell(row.record[field]) for field in fields}
    refuse_deep(row, values)
    try:
        return frozen_context(values)
    except TypeError as error:
        raise row.fault(str(error), "write it as JSON has it", reason="wrong_type") from None


def _tags(row: PlacedRecord, used: frozenset[str]) -> dict[str, Any]:
    tags = {key: value for key, value in row.record.items() if key not in used}
    if row.unit == ROW:  # columns may hold bytes, which JSON has not
        tags = {key: b64encode(value).decode() if isinstance(value, bytes) else value for key, value in tags.items()}
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
        raise row.fault("the tags are not a JSON object", "write them as {…}", reason="wrong_type")
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
                problem = f"the field {key!r} is more than {MAX_DEPTH} levels deep"
                raise row.fault(problem, "leave it out", reason="too_deep")
            inner = (item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer))
            level = [item for item in inner if isinstance(item, list | dict)]
