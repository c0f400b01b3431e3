"""The difficulty of a split: its test part, or another, for those who know its train part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.easiness.predict_difficulty import Difficulty, predict_difficulty

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


def split_difficulty(dataset: Dataset, split: Split, *, against: str = "test", **options: Any) -> Difficulty:
    """The difficulty of one part; options are those of `predict_difficulty`."""
    train, test = (dataset.part(split.positions(dataset, part)) for part in ("train", against))
    made = split.signature.with_fields(against=against)
    return predict_difficulty(train, test, language=dataset.language, data=dataset.name, signature=made, **options)
