"""Cohen's kappa: how far two people agree on items that both judged, beyond what their own habits would give."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.statistics.krippendorff_alpha import Answer


def cohen_kappa(first: Sequence[Answer | None], second: Sequence[Answer | None]) -> float | None:
    """Kappa over the items that both answered (Cohen, 1960); none where both gave one and the same answer throughout.

    >>> cohen_kappa(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    0.5
    """
    if len(first) != len(second):
        raise OptionError(f"{len(first)} answers beside {len(second)}", "give both an entry for each item")
    both = [(one, other) for one, other in zip(first, second, strict=True) if one is not None and other is not None]
    if not both:
        return None
    habits = [Counter(answers) for answers in zip(*both, strict=True)]
    same = sum(one == other for one, other in both)
    chance = sum(count * habits[1][answer] for answer, count in habits[0].items())
    n = len(both)
    return (same * n - chance) / (n * n - chance) if chance < n * n else None
