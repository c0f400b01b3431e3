"""The release's `dataset.json` as a data set: item by item, so that a file of any size is read.

A file is of this form where it is one array and its first item has a field that only the release has. Sources and
targets are the texts with M0, M1 … for entities, or the fields that are named; the rule tree is the derivation, every
other field a tag. Only examples are held, and what they hold has the limit `max_unpacked`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.rows import PlacedRecord, refuse_deep
from recombine.datasets.files.sidecar import SUFFIX, Sidecar, read_sidecar
from recombine.datasets.release.json_array import iter_json_array, object_spans
from recombine.datasets.release.release_fields import (
    DERIVATION,
    MARKS,
    OURS,
    RULES,
    SOURCES,
    TARGETS,
    TREE,
    flatten,
    is_item,
    take_rules,
)
from recombine.datasets.release.rule_trees import RuleTreeReader, spanning_tree
from recombine.errors import DerivationError, InputFileError
from recombine.files import check_file, too_large
from recombine.languages.known import find_language
from recombine.max_unpacked import max_unpacked
from recombine.pieces import open_pieces
from recombine.progress import note
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, FrozenMapping, content_id, frozen_context, identity_text
from recombine.structures.definition import PROGRAM_STRUCTURES, derivation_structures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.languages.language import Language
    from recombine.records.world import World, WorldReference

_HEAD = 1 << 18
"""The bytes that are looked at to tell the form of a file."""
_APPLICATION = 16
"""The bytes that a rule application counts for in what is held."""


def is_release(path: Path | str) -> bool:
    """Whether a file is of the release's form: a `.json` file of one array whose first item has fields of its own."""
    if Path(path).is_dir():  # of parts
        return False
    path = check_file(path)
    if Path(path.name.removesuffix(".gz")).suffix != ".json" or not path.is_file():  # a pipe is read once
        return False
    with open_pieces(path) as stream:
        text = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"["):
        return False
    spans = object_spans(text)
    if not spans:  # the first item is cut off, or longer than what is looked at
        return any(f'"{mark}"'.encode() in text for mark in MARKS)
    try:
        return is_item(orjson.loads(text[slice(*spans[0])]))
    except orjson.JSONDecodeError:
        return False


def read_release(
    path: Path | str,
    *,
    source: str = "source",
    target: str = "target",
    language: Language | None = None,
    world: Path | str | World | WorldReference | None = None,
) -> Dataset:
    """The data set in a file of the release's form; `source` and `target` name the fields to read.

    Where none are named, they are those with M0, M1 … for entities. Targets are SPARQL where their field says so and
    no other language is named. What the file's sidecar says is read as for any other file.
    """
    path = check_file(path)
    sidecar = read_sidecar(path)
    reader = _Reader(path, source, target, sidecar)
    dataset = Dataset.of(Path(path.name.removesuffix(".gz")).stem, reader, distinct=True)
    if not len(dataset):
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    if reader.trees.left_out:
        kinds = ", ".join(f"{name!r} of {count:,}" for name, count in sorted(reader.trees.left_out.items()))
        note(f"{path}: nodes of rule trees have further fields, which are not kept: {kinds}")
    if language is None and reader.target.startswith("sparql"):
        language = find_language("sparql")
    of_programs = PROGRAM_STRUCTURES if language else ""
    return replace(
        dataset,
        structures=derivation_structures(reader.first) if reader.all_derived else of_programs,
        language=language,
        fields=(reader.source, reader.target),
        identity=sidecar.identity,
        world=sidecar.world_of(world),
    )


class _Reader:
    """The examples of a file, one after the other, and what is known of all of them in the end."""

    def __init__(self, path: Path, source: str, target: str, sidecar: Sidecar) -> None:
        self.path, self.source, self.target, self.sidecar = path, source, target, sidecar
        self.trees = RuleTreeReader()
        self.all_derived = True
        self.first: Derivation | None = None
        self._places: dict[str, int] = {}
        """The records of ids that were given, or how often a content id occurred."""
        self._gives_ids = False
        self._held = 0

    def __iter__(self) -> Iterator[Example]:
        with open_pieces(self.path) as stream:
            for number, record in iter_json_array(stream, self.path):
                row = PlacedRecord(self.path, "record", number, record)
                if number == 1:
                    self.source = _first_field(record, self.source, SOURCES)
                    self.target = _first_field(record, self.target, TARGETS)
                    self._gives_ids = "id" in record
                yield self._example(row)

    def _example(self, row: PlacedRecord) -> Example:
        flatten(row)
        derivation = self._derivation(row)
        source = row.text(self.source, "name the field with --source")
        target = row.text(self.target, "name the field with --target")
        context = _context(row, self.sidecar.context)
        key = self._id(row, source, target, identity_text(context, self.sidecar.identity))
        used = {"id", self.source, self.target, *self.sidecar.context}
        tags = {name: value for name, value in row.record.items() if name not in used}
        refuse_deep(row, tags)
        self._count(len(source) + len(target), tags, derivation)
        return Example(key, source, target, derivation, {**tags, "line": row.number}, context)

    def _derivation(self, row: PlacedRecord) -> Derivation | None:
        """The derivation of an item; its list of rules stays among its fields where the tree does not give it."""
        rules = take_rules(row)
        tree, rows = row.record.pop(TREE, None), row.record.pop(DERIVATION, None)
        try:
            derivation = None if tree is None else self.trees.read(tree)
            if rows is not None:
                whole = Derivation.from_rows(rows)
                if derivation is not None and spanning_tree(whole) != derivation:
                    raise row.fault(f"{TREE} and {DERIVATION} do not fit", "leave out one of them")
                derivation = whole
        except DerivationError as error:
            raise row.fault(error.problem, error.remedy) from None
        if rules is not None and (derivation is None or rules != list(derivation.rules)):
            row.record[RULES] = rules
        self.all_derived &= derivation is not None
        self.first = self.first or derivation
        return derivation

    def _id(self, row: PlacedRecord, source: str, target: str, identity: str) -> str:
        if ("id" in row.record) != self._gives_ids:
            has = "an id, though record 1 has none" if "id" in row.record else "no id, though record 1 has one"
            raise row.fault(has, "give ids to all records or to none")
        if not self._gives_ids:
            key = content_id(source, target, identity=identity)
            self._places[key] = self._places.get(key, 0) + 1
            return content_id(source, target, self._places[key], identity) if self._places[key] > 1 else key
        given = row.record["id"]
        if not isinstance(given, str | int) or isinstance(given, bool) or given == "":
            raise row.fault("the id is neither text nor a whole number", "mend it")
        if str(given) in self._places:
            raise row.fault(f"the id {str(given)!r} stands already in record {self._places[str(given)]}", "mend it")
        self._places[str(given)] = row.number
        return str(given)

    def _count(self, texts: int, tags: dict[str, Any], derivation: Derivation | None) -> None:
        """Add an example to what is held, and give up where that is more than the limit."""
        self._held += texts + sum(len(value) for value in tags.values() if isinstance(value, str))
        self._held += 0 if derivation is None else _APPLICATION * len(derivation.rules)
        if self._held > max_unpacked():
            raise too_large(self.path, "holds more besides its rule trees", max_unpacked())


def _first_field(record: dict[str, Any], given: str, usual: tuple[str, ...]) -> str:
    """The field to read: the one that was named, or where none was, the first usual one that a record has."""
    return next((name for name in usual if name in record), given) if given in OURS else given


def _context(row: PlacedRecord, fields: tuple[str, ...]) -> FrozenMapping:
    if not fields:
        return NOTHING
    missing = next((field for field in fields if field not in row.record), None)
    if missing is not None:
        raise row.fault(f"no field {missing!r}, which is context by the {SUFFIX} file", "mend one of them")
    values = {field: row.record[field] for field in fields}
    refuse_deep(row, values)
    try:
        return frozen_context(values)
    except TypeError as error:
        raise row.fault(str(error), "write it as JSON has it") from None
