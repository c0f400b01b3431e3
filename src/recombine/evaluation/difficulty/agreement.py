"""How often models agree on which examples are hard, beside chance (`local_structures` paper, §3 and Table 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def agreement(correct: NDArray[np.bool_], at_least: int) -> float:
    """The share of examples on which at least this many models are alike, all right or all wrong.

    >>> agreement(np.array([[True, True, False], [True, True, True]]), 3)
    0.5
    """
    models = _checked(correct.shape[1], at_least)
    if not len(correct):
        raise OptionError("there are no examples to agree on", "give at least one")
    right = correct.sum(axis=1)
    return float(np.mean(np.maximum(right, models - right) >= at_least))


def chance_agreement(accuracies: Sequence[float], at_least: int) -> float:
    """The same for models that are right on random examples, each with its accuracy.

    >>> round(chance_agreement([0.9, 0.8], 2), 2)
    0.74
    """
    models = _checked(len(accuracies), at_least)
    shares = np.ones(1)
    for accuracy in accuracies:  # shares[n]: the chance that n models are right
        shares = np.append(shares, 0.0) * (1 - accuracy) + np.append(0.0, shares) * accuracy
    right = np.arange(models + 1)
    return float(shares[np.maximum(right, models - right) >= at_least].sum())


def _checked(models: int, at_least: int) -> int:
    if not models / 2 < at_least <= models:
        raise OptionError(f"{at_least} of {models} models cannot be the ones that agree", "give more than half of them")
    return models
