"""Predictions for paraphrases: records whose id is that of a question with `/paraphrase` after it.

`scenes hand-off` gives questions the field `paraphrase`, and `scenes prompts` asks them under such ids.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import RecordError
from recombine.evaluation.answers.asked_answers import field_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.predictions import Predictions
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

PARAPHRASE = "paraphrase"
SUFFIX = f"/{PARAPHRASE}"


class ToldApart(NamedTuple):
    """Predictions for questions as they were generated, and for paraphrases of them."""

    generated: Predictions
    paraphrased: Predictions | None
    """By the ids of the questions; none where there are none."""


def paraphrase_of(example: Example) -> str | None:
    """The question of an example in other words; none where nobody said it."""
    text = field_of(example, PARAPHRASE)
    return text if isinstance(text, str) and text.strip() else None


def paraphrased_ids(dataset: Dataset, ids: Sequence[str]) -> list[str]:
    """Those of some examples that have a paraphrase."""
    return [key for key in ids if paraphrase_of(dataset[key]) is not None]


def tell_apart(predictions: Predictions, dataset: Dataset) -> ToldApart:
    """The predictions for questions and for their paraphrases; one for a paraphrase that there is not is refused."""
    if predictions.match_on != "id":
        return ToldApart(predictions, None)
    own, others = [], []
    for row in predictions.rows:
        key = row.key.removesuffix(SUFFIX)
        if row.key in dataset.index or not row.key.endswith(SUFFIX) or key not in dataset.index:
            own.append(row)
            continue
        if paraphrase_of(dataset[key]) is None:
            problem = f"it is for a paraphrase of {key!r}, and {dataset.name} has none"
            raise RecordError(predictions.name, row.where, problem, "give the data that was predicted")
        others.append(replace(row, key=key))
    paraphrased = replace(predictions, rows=tuple(others)) if others else None
    return ToldApart(replace(predictions, rows=tuple(own)), paraphrased)
