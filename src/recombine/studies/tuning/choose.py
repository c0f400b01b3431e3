"""The choice among combinations: the most right answers on held-back train; ties go to the first as written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class TrialResult:
    """What the runs of one combination gave: right answers of all its seeds together, by number."""

    values: Mapping[str, Any]
    keys: tuple[str, ...]
    """The keys of its runs, one for each seed."""
    right: int | None = None
    """None where a run is not done."""
    n: int = 0
    waiting: int = 0
    """Runs that are still to do."""
    errors: tuple[str, ...] = ()
    """Why runs failed."""

    @property
    def accuracy(self) -> float | None:
        """The share that is right, in percent."""
        return None if self.right is None or not self.n else 100 * self.right / self.n

    @property
    def state(self) -> str:
        """Whether its runs are done, one has failed, or some are still to do."""
        return "failed" if self.errors else "to do" if self.waiting else "done"


def choose(trials: Sequence[TrialResult]) -> int | None:
    """The place of the combination that is chosen; none while runs are to do, or where all failed.

    Right answers are compared as whole numbers, so that a tie is a tie. A combination with a failed run is out.

    >>> three = [TrialResult({"width": w}, (), right, 10) for w, right in ((8, 6), (16, 7), (32, 7))]
    >>> choose(three)
    1
    """
    if any(trial.waiting for trial in trials):
        return None
    done = [(place, trial.right) for place, trial in enumerate(trials) if trial.state == "done"]
    best = max((right for _, right in done if right is not None), default=None)
    return next((place for place, right in done if right == best), None)
