"""A split as studies keep it: by the rows of its data. Ids are digests, which no packing makes smaller.

Each row stands as its distance to the one before. The order of the data is in the key that the file is named by. Files
with ids, as `Split.write` makes them, are read too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import SplitError
from recombine.files import read_bytes, write_whole
from recombine.records.split import FORM as WITH_IDS
from recombine.records.split import parse_split, read_split_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

FORM = "recombine-split-rows/1"


@dataclass(frozen=True)
class KeptSplit:
    """A split in a file that is not read as one, since its data is not at hand: what can be said of it without."""

    path: Path

    @cached_property
    def measured(self) -> Mapping[str, Any]:
        """What was measured on it."""
        return self._record.get("measured") or {}

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of its parts."""
        parts = self._record.get("rows") or self._record.get("parts") or {}
        return {part: len(rows) for part, rows in parts.items()}

    @cached_property
    def _record(self) -> dict[str, Any]:
        return _record(self.path)


def write_kept(split: Split, path: Path, dataset: Dataset) -> None:
    """Write a split of the data, whole or not at all."""
    record = orjson.loads(split.to_bytes())
    record["form"] = FORM
    del record["parts"]
    record["rows"] = {part: _distances(split.positions(dataset, part)) for part in split.parts}
    write_whole(path, orjson.dumps(record) + b"\n")


def read_kept(path: Path, dataset: Dataset) -> Split:
    """The split in a file."""
    record = _record(path)
    if record.get("form") != FORM:
        return parse_split(read_split_file(path), path, dataset, [])
    ids = dataset.ids
    parts = {}
    try:
        for part, distances in record.pop("rows").items():
            rows = list(accumulate(distances))
            if rows and not (min(rows) >= 0 and max(rows) < len(ids)):
                raise SplitError(f"{path}: {part} has rows that {dataset.name} has not", "remove it, to make it again")
            parts[part] = [ids[row] for row in rows]
    except (AttributeError, KeyError, TypeError) as error:
        problem = f"not a split by rows ({type(error).__name__}: {error})"
        raise SplitError(f"{path}: {problem}", "remove it, to make it again") from None
    return parse_split({**record, "form": WITH_IDS, "parts": parts}, path, dataset, [])


def _record(path: Path) -> dict[str, Any]:
    try:
        record = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise SplitError(f"{path}: broken JSON ({error.msg})", "remove it, to make it again") from None
    return record if isinstance(record, dict) else {}


def _distances(rows: list[int]) -> list[int]:
    """The first row, and the distance of each to the one before.

    >>> _distances([5, 7, 6]), list(accumulate([5, 2, -1]))
    ([5, 2, -1], [5, 7, 6])
    """
    return [after - before for before, after in pairwise(chain([0], rows))]
