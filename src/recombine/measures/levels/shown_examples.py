"""The examples that each prompt showed, from a file of JSON lines `{"id": …, "shown": [id, …]}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError
from recombine.files import read_bytes
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset


def read_shown_examples(path: Path | str, dataset: Dataset) -> dict[str, list[int]]:
    """The rows of the examples that were shown, by the id of the example that they were shown for."""
    shown: dict[str, list[int]] = {}
    for number, record in iter_json_lines(read_bytes(path), path):
        where = f"line {number}"
        key = record.get("id")
        if not isinstance(key, str):
            raise RecordError(path, where, "has no text 'id'", 'write {"id": "…", "shown": ["…"]}')
        if key in shown:
            raise RecordError(path, where, f"the id {key!r} is in an earlier line too", "give one line for each id")
        if key not in dataset:
            raise RecordError(path, where, f"{dataset.name} has no example {key!r}", "`recombine show` prints ids")
        shown[key] = _rows(record, path, where, dataset)
    return shown


def _rows(record: dict[str, Any], path: Path | str, where: str, dataset: Dataset) -> list[int]:
    ids = record.get("shown")
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        raise RecordError(path, where, "its 'shown' is no list of ids", 'write {"id": "…", "shown": ["…"]}')
    unknown = next((each for each in ids if each not in dataset), None)
    if unknown is not None:
        raise RecordError(path, where, f"{dataset.name} has no example {unknown!r}", "show examples of the data")
    return [dataset.index[each] for each in ids]
