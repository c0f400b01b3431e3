"""The score of answers in words: accuracy, twins, what is expected of guesses, and paraphrases beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.evaluation.answers.answer_matcher import answer_matcher
from recombine.evaluation.answers.expected_accuracy import expected_accuracy
from recombine.evaluation.answers.pair_accuracy import pair_accuracy, right_by_id, twins_of
from recombine.evaluation.answers.paraphrased import paraphrased_ids, tell_apart
from recombine.evaluation.score import score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.answers.answer_table import AnswerTable
    from recombine.evaluation.answers.expected_accuracy import ExpectedAccuracy
    from recombine.evaluation.answers.pair_accuracy import PairAccuracy
    from recombine.evaluation.match.matchers import Matcher
    from recombine.evaluation.predictions import Predictions
    from recombine.evaluation.score import Score
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


@dataclass(frozen=True)
class AnswerScore:
    """What became of the answers of one system."""

    score: Score
    pairs: PairAccuracy | None
    """None where the data says nothing of twins."""
    expected: ExpectedAccuracy | None
    """None where nothing was guessed."""
    paraphrases: int
    """Entries of the part that have a paraphrase."""
    paraphrased: AnswerScore | None = None
    """The same for these paraphrases; none where nothing was predicted for them."""

    def to_record(self) -> dict[str, Any]:
        """As one JSON object."""
        return {**self.score.to_record(), **self.further()}

    def further(self) -> dict[str, Any]:
        """What it has besides the score."""
        other = self.paraphrased
        return {
            "pair_accuracy": None if self.pairs is None else self.pairs.accuracy,
            "pairs": None if self.pairs is None else self.pairs.to_record(),
            "expected_accuracy": None if self.expected is None else self.expected.accuracy,
            "expected": None if self.expected is None else self.expected.to_record(),
            "paraphrases": self.paraphrases,
            "paraphrased": None
            if other is None
            else {**other.to_record(), "accuracy_of_their_questions": self.accuracy_of(other.score.ids)},
        }

    def accuracy_of(self, ids: Sequence[str]) -> float:
        """The accuracy on some entries alone."""
        right = dict(zip(self.score.ids, self.score.is_right, strict=True))
        return sum(right[key] for key in ids) / len(ids)


def score_answers(
    dataset: Dataset,
    split: Split,
    predictions: Predictions,
    table: AnswerTable,
    *,
    part: str = "test",
    allow_missing: bool = False,
) -> AnswerScore:
    """Score answers in words on a part of a split, and beside it those to paraphrases of its questions."""
    matcher = answer_matcher(dataset, table)
    generated, paraphrased = tell_apart(predictions, dataset)
    if not generated.rows:
        raise InputFileError(
            f"{predictions.name}: has predictions for paraphrases alone", "give those for the questions too"
        )
    scored = score(dataset, split, generated, part=part, matchers={}, allow_missing=allow_missing, main=matcher)
    ids = paraphrased_ids(dataset, scored.ids)
    other = None
    if paraphrased is not None and ids:
        reworded = score(
            dataset, split, paraphrased, part=part, matchers={}, allow_missing=allow_missing, main=matcher, ids=ids
        )
        other = _with_further(dataset, reworded, matcher, len(ids), None)
        fields = {"paraphrases": f"{paraphrased.name}@{reworded.assigned.digest}"}
        scored = replace(scored, signature=scored.signature.with_fields(**fields))
    return _with_further(dataset, scored, matcher, len(ids), other)


def _with_further(
    dataset: Dataset, scored: Score, matcher: Matcher, paraphrases: int, other: AnswerScore | None
) -> AnswerScore:
    twins = twins_of(dataset)
    right = scored.is_right
    pairs = None if twins is None else pair_accuracy(twins, right_by_id(scored.ids, right))
    expected = expected_accuracy(dataset, scored.ids, right, scored.assigned.guesses, matcher)
    return AnswerScore(scored, pairs, expected, paraphrases, other)
