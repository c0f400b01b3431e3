"""The form of a release: how a file of it is told, and what its items become.

An item keeps its fields as tags under the names that the release gives them. Besides, every form whose items have
answers gives the tag `answers`: a list of names, identifiers or values, without what the release says of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.datasets.files.rows import PlacedRecord
from recombine.datasets.release.json_array import iter_json_array
from recombine.pieces import open_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

ANSWERS = "answers"
"""The tag of the plain answers."""


def iter_items(path: Path) -> Iterator[PlacedRecord]:
    """The items of a file that is one JSON array, one at a time."""
    with open_pieces(path) as stream:
        for number, record in iter_json_array(stream, path):
            yield PlacedRecord(path, "record", number, record)


def nothing_more(row: PlacedRecord) -> str:
    """Leave an item as it is."""
    del row
    return ""


@dataclass(frozen=True)
class Form:
    """A form of release; `prepare` completes an item, or says why it is left out."""

    name: str
    source: str
    target: str
    key: str
    """The field that is the id; empty where there is none."""
    marks: tuple[str, ...]
    """The fields that items of this form have, which together no other form has."""
    foreign: tuple[str, ...] = ()
    """The fields that tell an item to be of another form."""
    language: str | None = None
    """The language of targets, where the package reads it."""
    prepare: Callable[[PlacedRecord], str] = nothing_more
    rows: Callable[[Path], Iterator[PlacedRecord]] = iter_items

    def is_item(self, record: Mapping[str, Any]) -> bool:
        """Whether a record is an item of this form, by its fields."""
        return all(mark in record for mark in self.marks) and not any(name in record for name in self.foreign)


def plain_answers(row: PlacedRecord, answers: Any, field: str, *inner: str) -> list[Any]:
    """The answers that a field of an item holds: as they are, or of objects the first of some fields that each has."""
    if not isinstance(answers, list):
        raise row.fault(f"the field {field!r} is not a list", "write it as […]")
    return [_plain(row, answer, field, inner) for answer in answers]


def _plain(row: PlacedRecord, answer: Any, field: str, inner: tuple[str, ...]) -> Any:
    if inner and isinstance(answer, dict):
        answer = next((answer[name] for name in inner if answer.get(name) not in (None, "")), None)
    if not isinstance(answer, str | int | float):
        wanted = f"an object with {' or '.join(map(repr, inner))}" if inner else "a text or a number"
        raise row.fault(f"an answer in {field!r} is not {wanted}", "mend it")
    return answer
