"""How many of the errors that any system makes all systems make (CFQ paper, §5.2: 68 % on MCD1), beside chance."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


def shared_errors(correct: NDArray[np.bool_]) -> float | None:
    """Of the examples that any system has wrong, the share that all have wrong; none where all is right.

    Rows are examples, columns are systems.

    >>> import numpy as np
    >>> shared_errors(np.array([[True, True], [True, False], [False, False]]))
    0.5
    """
    wrong = ~correct
    any_wrong = int(wrong.any(axis=1).sum())
    return int(wrong.all(axis=1).sum()) / any_wrong if any_wrong else None


def chance_shared_errors(accuracies: Sequence[float]) -> float | None:
    """The same for systems that are right on random examples, each with its accuracy.

    >>> round(chance_shared_errors([0.5, 0.5]), 3)
    0.333
    """
    any_wrong = 1 - prod(accuracies)
    return prod(1 - accuracy for accuracy in accuracies) / any_wrong if any_wrong else None
