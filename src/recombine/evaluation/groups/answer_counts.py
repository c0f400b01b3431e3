"""The number of right answers of each entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset


def answer_counts(dataset: Dataset, ids: Sequence[str], executed: Mapping[str, int]) -> list[int | None]:
    """The number of right answers of each entry: as the data lists them, else as they were executed, else unknown."""
    return [_listed(dataset, key, executed.get(key)) for key in ids]


def _listed(dataset: Dataset, key: str, executed: int | None) -> int | None:
    example = dataset[key]
    answers = {**example.tags, **example.context}.get("answers")
    return len(answers) if isinstance(answers, list | tuple) else executed
