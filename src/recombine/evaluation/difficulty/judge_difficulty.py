"""Whether predicted difficulty comes true: on one split, and over several: pooled, within splits, and split by split.

A pooled area mostly says which splits are hard: `constant` is that of a rule which knows no more, since it gives every
example the mean of its split. Accuracy is the mean over models, as in the `local_structures` paper (§5.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.easiness.baselines import group_means
from recombine.errors import OptionError
from recombine.evaluation.difficulty.best_threshold import BestThreshold, best_threshold
from recombine.evaluation.statistics.auc import AreaUnderCurve, area_under_curve, auc, pearson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness

FEWEST = 3
"""Splits that a correlation needs: any two lie on a line."""


def judge_difficulty(difficulty: Difficulty, correct: Correctness, *, gold: str = "majority") -> dict[str, Any]:
    """The area of a gold label, with the counts without which it says little; the mean of the areas for each model."""
    areas: dict[str, float | None] = {}
    thresholds: dict[str, BestThreshold | None] = {}
    counts = np.zeros(3, np.int64)
    for name, labels in correct.labels(gold).items():
        areas[name] = auc(difficulty.easiness.scores, labels)
        thresholds[name] = best_threshold(difficulty.easiness.scores, labels)
        counts += [(labels == 1).sum(), (labels == 0).sum(), (labels == -1).sum()]
    known = [value for value in areas.values() if value is not None]
    return {
        "auc": fmean(known) if len(known) == len(areas) else None,
        "aucs": areas,
        **_thresholds(thresholds),
        "positives": int(counts[0]),
        "negatives": int(counts[1]),
        "dropped": int(counts[2]),
        "gold": gold,
        "models": list(correct.models),
        "accuracies": correct.accuracies(),
        "elsewhere": correct.elsewhere,
    }


@dataclass(frozen=True)
class JudgedSplits:
    """Areas by gold label, and the values of each split."""

    gold: str
    models: tuple[str, ...]
    areas: dict[str, AreaUnderCurve]
    constant: dict[str, float | None]
    """The pooled areas of the mean easiness of each example's split."""
    labels: dict[str, tuple[NDArray[np.int8], ...]]
    """The gold labels, by split."""
    accuracies: tuple[float, ...]
    """The mean accuracy of the models on each split."""
    within: tuple[dict[str, float | None], ...]
    """The area in each split, by gold label."""
    pearson: float | None
    """Of mean easiness and accuracy; none for fewer than three splits."""
    elsewhere: int
    thresholds: dict[str, BestThreshold | None]
    """The easiness that tells right from wrong best over all splits, by gold label."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON; areas are means where there is one for each model."""
        areas = list(self.areas.values())
        return {
            "auc": _mean([area.pooled for area in areas]),
            "within": _mean([area.within for area in areas]),
            "constant": _mean(list(self.constant.values())),
            "positives": sum(area.positives for area in areas),
            "negatives": sum(area.negatives for area in areas),
            "dropped": sum(area.dropped for area in areas),
            **_thresholds(self.thresholds),
            "areas": {name: area.to_record() for name, area in self.areas.items()},
            "pearson": self.pearson,
            "gold": self.gold,
            "models": list(self.models),
            "elsewhere": self.elsewhere,
        }


def judge_splits(
    difficulties: Mapping[str, Difficulty],
    correct: Mapping[str, Correctness],
    *,
    gold: str = "majority",
    seed: int = 0,
) -> JudgedSplits:
    """The areas of a gold label over all splits, with intervals that resample splits; one for each model if asked."""
    for name, difficulty in difficulties.items():
        if name not in correct or correct[name].ids != tuple(example.id for example in difficulty.test):
            raise OptionError(f"what is known of {name} is not of its test examples", "give it for each of them")
    table = [correct[name] for name in difficulties]
    models = tuple(sorted({model for correctness in table for model in correctness.models}))
    if gold == "each model" and any(correctness.models != models for correctness in table):
        raise OptionError("the splits do not have the same models", 'name them in the records, or choose "majority"')
    names = models if gold == "each model" else (gold,)
    labels = {name: tuple(correctness.gold(name) for correctness in table) for name in names}
    parts = [difficulty.easiness.scores for difficulty in difficulties.values()]
    scores = np.concatenate(parts)
    splits = [name for name, part in zip(difficulties, parts, strict=True) for _ in part]
    pooled = {name: np.concatenate(by_split) for name, by_split in labels.items()}
    accuracies = tuple(float(correctness.correct.mean()) for correctness in table)
    means = [difficulty.mean_easiness for difficulty in difficulties.values()]
    return JudgedSplits(
        gold,
        models,
        {name: area_under_curve(scores, all_labels, splits, seed=seed) for name, all_labels in pooled.items()},
        {name: auc(group_means(scores, splits), all_labels) for name, all_labels in pooled.items()},
        labels,
        accuracies,
        tuple({name: auc(part, labels[name][place]) for name in names} for place, part in enumerate(parts)),
        pearson(means, accuracies) if len(means) >= FEWEST else None,
        sum(correctness.elsewhere for correctness in table),
        {name: best_threshold(scores, all_labels) for name, all_labels in pooled.items()},
    )


def _thresholds(thresholds: Mapping[str, BestThreshold | None]) -> dict[str, Any]:
    """As it stands in JSON: the one threshold, and where each model has its own, none, with all of them by name."""
    records = {name: None if each is None else each.to_record() for name, each in thresholds.items()}
    return {"threshold": next(iter(records.values())) if len(records) == 1 else None, "thresholds": records}


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None
