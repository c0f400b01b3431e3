"""The numbers of a page on difficulty, built apart from the page that shows them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.evaluation.difficulty.judge_difficulty import JudgedSplits, judge_splits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness
    from recombine.records.dataset import Dataset

EXAMPLES = 2000
"""How many test examples a page keeps for browsing, the least easy ones of each split."""


@dataclass(frozen=True)
class FrequentReason:
    """A structure that is the least easy one of many examples, with what comes closest to it."""

    structure: str
    similar: str | None
    score: float
    """The mean easiness: training sets of several splits may see one structure differently."""
    count: int
    right: int
    wrong: int


@dataclass(frozen=True)
class DifficultyData:
    """What the page says. All splits are of one data set and one definition of structures."""

    dataset: Dataset
    difficulties: Mapping[str, Difficulty]
    correctness: Mapping[str, Correctness] | None
    judged: JudgedSplits | None
    labels: tuple[NDArray[np.int8], ...] | None
    """One label for each test example, by split: 1 right, 0 wrong, -1 neither."""
    rows: tuple[tuple[int, int], ...]
    """The examples kept for browsing: the number of the split, and the place in its test part."""
    reasons: tuple[FrequentReason, ...]
    seed: int

    @cached_property
    def splits(self) -> tuple[tuple[str, Difficulty], ...]:
        """The splits by number, each with its name."""
        return tuple(self.difficulties.items())

    @property
    def structures(self) -> str:
        """The definition of structures."""
        return self.splits[0][1].signature.get("structures")

    @property
    def tokenisation(self) -> str:
        """How labels become symbols."""
        return self.splits[0][1].signature.get("tokenisation")

    @property
    def tested(self) -> int:
        """Test examples of all splits."""
        return sum(len(difficulty.test) for difficulty in self.difficulties.values())

    @property
    def scores(self) -> NDArray[np.float64]:
        """The easiness of all test examples, split by split."""
        return np.concatenate([difficulty.easiness.scores for difficulty in self.difficulties.values()])

    @property
    def undecided(self) -> str:
        """What an example is that has no label."""
        return "tie" if self.judged is None or self.judged.gold == "majority" else "models differ"

    @property
    def dropped(self) -> int:
        """Examples without a label, where labels are known."""
        return sum(int(np.count_nonzero(labels == -1)) for labels in self.labels or ())

    def total(self, count: str) -> int:
        """The sum over splits of one of the counts of a difficulty."""
        return sum(difficulty.counts[count] for difficulty in self.difficulties.values())


def build_difficulty_data(
    dataset: Dataset,
    difficulties: Mapping[str, Difficulty],
    correctness: Mapping[str, Correctness] | None = None,
    *,
    gold: str = "majority",
    examples: int = EXAMPLES,
    seed: int = 0,
) -> DifficultyData:
    """The numbers of a page on splits of one data set, each under its name."""
    _check(difficulties, examples)
    judged = labels = None
    if correctness is not None:
        judged = judge_splits(difficulties, correctness, gold=gold, seed=seed)
        single = "all agree" if gold == "each model" else gold
        labels = tuple(correctness[name].gold(single) for name in difficulties)
    return DifficultyData(
        dataset,
        difficulties,
        correctness,
        judged,
        labels,
        _kept(difficulties, examples),
        _reasons(difficulties, labels),
        seed,
    )


def _check(difficulties: Mapping[str, Difficulty], examples: int) -> None:
    if not difficulties:
        raise OptionError("there is no split to report on", "name at least one")
    if examples < 1:
        raise OptionError(f"the number of examples is {examples}", "give a whole number of 1 or more")
    for key in ("structures", "tokenisation"):
        values = sorted({difficulty.signature.get(key) for difficulty in difficulties.values()})
        if len(values) > 1:
            raise OptionError(
                f"the splits were looked at with different {key}: {', '.join(values)}", "use one for all splits"
            )


def _kept(difficulties: Mapping[str, Difficulty], examples: int) -> tuple[tuple[int, int], ...]:
    """The least easy examples of every split in turn, as many as fit; by split, then the least easy first."""
    ranked = [
        (rank, split, int(place))
        for split, difficulty in enumerate(difficulties.values())
        for rank, place in enumerate(np.argsort(difficulty.easiness.scores, kind="stable"))
    ]
    chosen = sorted(ranked)[:examples]
    return tuple((split, place) for _, split, place in sorted(chosen, key=lambda row: (row[1], row[0])))


def _reasons(
    difficulties: Mapping[str, Difficulty], labels: tuple[NDArray[np.int8], ...] | None
) -> tuple[FrequentReason, ...]:
    """All reasons, the most frequent first; then the least easy, then by name."""
    scores: dict[tuple[str, str | None], list[float]] = defaultdict(list)
    known: dict[tuple[str, str | None], list[int]] = defaultdict(list)
    for split, difficulty in enumerate(difficulties.values()):
        for place, reason in enumerate(difficulty.reasons):
            if reason is not None:
                key = reason.structure, reason.similar
                scores[key].append(reason.score)
                known[key].append(-1 if labels is None else int(labels[split][place]))
    reasons = [
        FrequentReason(*key, float(np.mean(values)), len(values), known[key].count(1), known[key].count(0))
        for key, values in scores.items()
    ]
    return tuple(
        sorted(reasons, key=lambda reason: (-reason.count, reason.score, reason.structure, reason.similar or ""))
    )
