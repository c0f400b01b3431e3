"""Whether predicted difficulty comes true: areas under the curve for what models got right."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.evaluation.difficulty.auc import auc

if TYPE_CHECKING:
    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness


def judge_difficulty(difficulty: Difficulty, correct: Correctness, *, gold: str = "majority") -> dict[str, Any]:
    """The area of a gold label, with the counts without which it says little; the mean of the areas for each model."""
    found: dict[str, float | None] = {}
    counts = np.zeros(3, np.int64)
    for name, labels in correct.labels(gold).items():
        found[name] = auc(difficulty.easiness.scores, labels)
        counts += [(labels == 1).sum(), (labels == 0).sum(), (labels == -1).sum()]
    known = [value for value in found.values() if value is not None]
    return {
        "auc": fmean(known) if len(known) == len(found) else None,
        "aucs": found,
        "positives": int(counts[0]),
        "negatives": int(counts[1]),
        "dropped": int(counts[2]),
        "gold": gold,
        "models": list(correct.models),
        "accuracies": correct.accuracies(),
        "elsewhere": correct.elsewhere,
    }
