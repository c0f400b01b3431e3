"""The threshold τ of easiness that tells right from wrong with the best F1 (`local_structures` paper, App. B.4).

An example counts as easy where its easiness is τ or more, and an easy one should be right: precision is the share of
easy examples that are right, recall the share of right ones that are easy. The paper does not say whether its F1 is
that of right or of wrong answers; its gold label is easiness, and on COVR right answers come nearer to its thresholds
(`benchmarks/covr_difficulty.py`). The threshold is chosen on the very labels that it is reported on, as there.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class BestThreshold:
    """A threshold with what it reaches."""

    easiness: float
    """The lowest easiness of an example that counts as easy."""
    f1: float
    precision: float
    recall: float

    def to_record(self) -> dict[str, float]:
        """As it stands in JSON."""
        return asdict(self)


def best_threshold(scores: ArrayLike, labels: ArrayLike) -> BestThreshold | None:
    """The threshold of the best F1, of equals the lowest; labels of -1 are dropped, as for the area under the curve.

    None where all examples are right, or all wrong: then there is nothing to tell apart.

    >>> best_threshold([0.2, 0.5, 0.5, 0.8, 1.0], [0, 1, 0, 1, 1])
    BestThreshold(easiness=0.5, f1=0.8571428571428571, precision=0.75, recall=1.0)
    """
    known = np.asarray(labels) >= 0
    easiness, right = np.asarray(scores, np.float64)[known], np.asarray(labels)[known] == 1
    total = int(right.sum())
    if total in (0, len(right)):
        return None
    order = np.argsort(-easiness, kind="stable")
    ranked = easiness[order]
    # Examples of one easiness are easy together: a threshold stands at the last of each.
    last = np.append(ranked[1:] != ranked[:-1], [True])
    easy = np.flatnonzero(last) + 1
    hits = np.cumsum(right[order])[last]
    f1 = 2 * hits / (easy + total)
    best = int(len(f1) - 1 - np.argmax(f1[::-1]))
    return BestThreshold(
        float(ranked[easy[best] - 1]), float(f1[best]), float(hits[best] / easy[best]), float(hits[best] / total)
    )
