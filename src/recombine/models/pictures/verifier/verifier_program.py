"""The grounding reader as a verifier: what is learned is as there, what counts is whether a picture holds a sub-graph.

Looks at labelled pairs measure the presence alone: its mean log-likelihood, where pairs that are there and pairs that
are not weigh the same. That is what thresholds are chosen on afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from recombine.models.pictures.training.grounding_program import GroundingProgram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.nets.linear import Weights

_SMALLEST = 1e-4
_WEIGHT = 2.0
"""How much more the presence weighs than in grounding alone."""


class VerifierProgram(GroundingProgram):
    """Pairs on the device, and what replicas compute of them."""

    def loss(self, weights: Weights, rows: Tensor) -> Tensor:
        """The loss of each replica (K,) on its rows (K, B): that of grounding, and more of the presence."""
        scores, counted, presence = self.scores(weights, rows)
        gold = self.gold(rows, scores.shape[3]).float()
        bits = torch.nn.functional.binary_cross_entropy_with_logits
        wrong = bits(scores, gold, reduction="none") * counted
        nouns = wrong.flatten(1).sum(1) / counted.flatten(1).sum(1).clamp(min=1)
        return 5 * nouns + _WEIGHT * bits(presence, self._present[rows].float(), reduction="none").mean(1)

    @torch.no_grad()
    def measure(self, weights: Weights, rows: Sequence[NDArray[np.int64]]) -> list[float]:
        """The geometric mean of probabilities that each replica gives to the labels of its pairs."""
        there = self._present.cpu().numpy()
        return [
            likelihood(given, there[each]) for (_, given), each in zip(self.judge(weights, rows), rows, strict=True)
        ]


def likelihood(given: NDArray[np.float32], there: NDArray[np.int64]) -> float:
    """The geometric mean of probabilities of labels, both labels weighing the same; 0 where there is no pair.

    >>> likelihood(np.array([0.5, 0.5], dtype=np.float32), np.array([1, 0]))
    0.5
    """
    right = np.clip(np.where(there > 0, given, 1 - given).astype(np.float64), _SMALLEST, 1)
    means = [np.log(right[there == label]).mean() for label in (0, 1) if (there == label).any()]
    return float(np.exp(np.mean(means))) if means else 0.0
