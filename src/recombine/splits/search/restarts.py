"""A budget above that of one run, as independent runs of which the best counts.

Runs stand in one endless sequence. Each has a length, in budgets of effort 1, and a seed of its own; the first is the
run of effort 1. Lengths double now and then: whether many short runs or a few long ones find more depends on the data.
They are those of Luby, Sinclair and Zuckerman (1993) with four runs of a length before one of twice the length, where
these have two: at an effort of 16 runs of length 1 alone reached more than Luby's on Spider, and as much on GeoQuery
and SCAN. An effort buys the longest beginning of the sequence that it can pay for. So a larger effort makes every run
of a smaller one, and its best is never worse. What is left of an effort when the next run costs more is not spent: a
last run cut short would be one that larger efforts do not have. An effort below 1 is one shorter run, which no other
effort makes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from statistics import median
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from recombine.errors import InfeasibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int, int, float], None]

T = TypeVar("T")
REPEATS = 4
"""Runs of a length, each with the shorter ones before it, before one of twice the length."""
STEPS = 1000
"""Steps of the progress shown, for each unit of effort."""


@dataclass(frozen=True)
class Run:
    """One run: its budget in units of effort 1, and its seed."""

    length: float
    seed: int


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What a run found."""

    found: T
    score: tuple[float, ...]
    """Lower is better."""
    d_c: float
    unmet: int = 0
    """How many constraints it breaks."""
    enough: bool = False
    """Whether no further run is wanted."""
    interrupted: bool = False


@dataclass
class Tried(Generic[T]):
    """The outcomes of the runs that were made, in their order."""

    outcomes: list[Outcome[T]] = field(default_factory=list)
    failed: list[InfeasibleError] = field(default_factory=list)
    interrupted: bool = False

    @property
    def best(self) -> Outcome[T]:
        """The outcome of the best run, the first of equals; where every run failed, the first failure is raised."""
        if not self.outcomes:
            raise self.failed[0]
        return min(self.outcomes, key=lambda outcome: outcome.score)

    def spread(self) -> dict[str, float]:
        """How many runs there were, and the D_C of the best, the median and the worst that break no more than the best.

        `unmet` counts the runs that break a constraint, where there are such.
        """
        unmet = self.best.unmet
        alike = sorted((each for each in self.outcomes if each.unmet == unmet), key=lambda outcome: outcome.score)
        values = [outcome.d_c for outcome in alike]
        middle = (len(values) - 1) // 2, len(values) // 2
        broken = len(self.failed) + sum(outcome.unmet > 0 for outcome in self.outcomes)
        return {
            "n": len(self.outcomes) + len(self.failed),
            "best": values[0],
            "median": median(values[place] for place in middle),
            "worst": values[-1],
            **({"unmet": broken} if broken else {}),
        }


def run_length(place: int) -> int:
    """The length of the run at a place of the sequence, whose first is 1.

    >>> [run_length(place) for place in range(1, 23)]
    [1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 4, 1]
    """
    runs, length = 1, 1
    while REPEATS * runs + 1 <= place:
        runs, length = REPEATS * runs + 1, 2 * length
    # So many runs end in the first of this length, and then they begin anew.
    return length if place == runs else run_length((place - 1) % runs + 1)


def iter_runs(seed: int) -> Iterator[Run]:
    """All runs of a seed, without end."""
    for place in count(1):
        own = seed if place == 1 else int(np.random.SeedSequence([seed, place]).generate_state(1, np.uint64)[0] >> 1)
        yield Run(float(run_length(place)), own)


def runs_of(effort: float, seed: int) -> list[Run]:
    """The runs that an effort buys.

    >>> [run.length for run in runs_of(7.5, seed=3)], [run.length for run in runs_of(0.2, seed=3)]
    ([1.0, 1.0, 1.0, 1.0, 2.0, 1.0], [0.2])
    """
    if effort < 1:
        return [Run(effort, seed)]
    bought: list[Run] = []
    for run in iter_runs(seed):
        effort -= run.length
        if effort < 0:
            break
        bought.append(run)
    return bought


def unspent(effort: float) -> float:
    """What is left of an effort, because the next run costs more."""
    return effort - sum(run.length for run in runs_of(effort, 0))


def try_runs(
    runs: list[Run],
    make: Callable[[Run, Progress | None], Outcome[T]],
    *,
    aim: float = 1.0,
    progress: Progress | None = None,
) -> Tried[T]:
    """Make runs until one is enough, or an interrupt comes; one that comes before anything is found is raised.

    `progress` hears of all runs together: of the steps done, of those in all, and of the D_C nearest to the aim.
    """
    tried: Tried[T] = Tried()
    for place, run in enumerate(runs):
        try:
            outcome = make(run, _shown(runs, place, aim, [each.d_c for each in tried.outcomes], progress))
        except InfeasibleError as error:
            tried.failed.append(error)
            continue
        except KeyboardInterrupt:
            if not tried.outcomes:
                raise
            tried.interrupted = True
            break
        tried.outcomes.append(outcome)
        tried.interrupted = outcome.interrupted
        if outcome.enough or outcome.interrupted:
            break
    return tried


def _shown(runs: list[Run], place: int, aim: float, found: list[float], progress: Progress | None) -> Progress | None:
    """What one run tells of itself, as a part of all runs."""
    if progress is None or len(runs) == 1:
        return progress
    total = sum(run.length for run in runs)
    before, length = sum(run.length for run in runs[:place]), runs[place].length

    def tell(done: int, of: int, d_c: float) -> None:
        nearest = min([*found, d_c], key=lambda value: abs(value - aim))
        progress(int(STEPS * (before + length * done / of)), int(STEPS * total), nearest)

    return tell
