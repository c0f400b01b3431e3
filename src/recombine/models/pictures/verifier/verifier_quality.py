"""How good a verifier is at pairs whose truth is known: precision and recall, and thresholds that find what is missing.

Pairs are of pictures that, by their annotation, lack a sub-graph. What is there all the same is *missing* from the
annotation, and is *found* where the score is above the threshold of its type of changed node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.scenes.related.verifier import Thresholds

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOUND = 0.95
"""The share of what is missing that is to be found."""


@dataclass(frozen=True)
class Quality:
    """Counts of pairs."""

    pairs: int
    missing: int
    """How many are there, though not annotated."""
    refused: int
    """How many score above the threshold."""
    found: int
    """How many are both."""

    @property
    def precision(self) -> float:
        """The share of refused pictures that hold what they must not."""
        return self.found / self.refused if self.refused else 0.0

    @property
    def recall(self) -> float:
        """The share of what is missing that is found."""
        return self.found / self.missing if self.missing else 0.0


def quality(scores: NDArray[np.float32], there: NDArray[np.bool_], threshold: float) -> Quality:
    """How good scores are at a threshold."""
    above = scores > threshold
    return Quality(len(scores), int(there.sum()), int(above.sum()), int((above & there).sum()))


def qualities(
    scores: NDArray[np.float32], there: NDArray[np.bool_], types: NDArray[np.int8], thresholds: Thresholds
) -> dict[str, Quality]:
    """How good scores are by the type of the changed node."""
    listed = {"noun": thresholds.noun, "relation": thresholds.relation, "attribute": thresholds.attribute}
    return {
        name: quality(scores[types == number], there[types == number], threshold)
        for number, (name, threshold) in enumerate(listed.items())
    }


def adjusted(
    scores: NDArray[np.float32], there: NDArray[np.bool_], types: NDArray[np.int8], *, wanted: float = FOUND
) -> Thresholds:
    """The paper's thresholds, each lowered where labelled pairs say that less than the wanted share is found.

    >>> scores = np.array([0.9, 0.4, 0.2], dtype=np.float32)
    >>> adjusted(scores, np.array([True, True, False]), np.array([2, 2, 2], dtype=np.int8)).attribute < 0.4
    True
    """
    usual = Thresholds()
    values = []
    for number, threshold in enumerate((usual.noun, usual.relation, usual.attribute)):
        missing = np.sort(scores[there & (types == number)])
        if len(missing):
            # so many of the least may be passed over; what stays is above
            least = missing[int((1 - wanted) * len(missing) + 1e-9)]
            threshold = min(threshold, float(np.nextafter(least, np.float32(-1))))
        values.append(max(0.0, threshold))
    return Thresholds(*values)
