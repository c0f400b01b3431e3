"""Data sets whose published split is given by their files: reading the parts, and making the split of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.files.rows import PART
from recombine.datasets.files.tables import read_rows
from recombine.errors import SplitError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from recombine.datasets.files.rows import PlacedRecord
    from recombine.records.dataset import Dataset

    PartRule = Callable[[Dataset], Mapping[str, tuple[str, ...]]]
    """What makes a split of the tags of examples: the ids of each part, by its name."""


def read_parts(files: Mapping[str, Path], *, columns: Sequence[str] = ()) -> list[PlacedRecord]:
    """The records of several files, one per part, each with its part as a field."""
    rows: list[PlacedRecord] = []
    for part, path in files.items():
        for row in read_rows(path, columns=columns):
            row.record[PART] = part
            rows.append(row)
    return rows


def parts_by_tag(dataset: Dataset, tag: str = PART) -> dict[str, tuple[str, ...]]:
    """The ids of each part, which a tag of every example, or a field of its context, names; in the order of the data.

    >>> from recombine.datasets.files.rows import PlacedRecord, dataset_of_rows
    >>> rows = [PlacedRecord("f", "line", 1, {"source": "a", "target": "b", "part": part}) for part in ("train", "dev")]
    >>> {part: len(ids) for part, ids in parts_by_tag(dataset_of_rows(rows, name="f")).items()}
    {'train': 1, 'dev': 1}
    """
    parts: dict[str, list[str]] = {}
    mappings = zip(dataset.ids, dataset.iter_plain("tags"), dataset.iter_plain("context"), strict=True)
    for key, tags, context in mappings:
        part = tags.get(tag, context.get(tag))
        if part is None:
            raise SplitError(
                f"the example {key} of {dataset.name} has no tag {tag!r} that names its part",
                "load the data by its name in the catalogue, or give a split file",
            )
        parts.setdefault(str(part), []).append(key)
    return {part: tuple(ids) for part, ids in parts.items()}
