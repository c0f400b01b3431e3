"""Starts of a search over several kinds of compounds: all examples are dealt out at once, again and again.

In each pass every example is worth what the divergences change by as it joins a side, and test has those that are worth
most there. Without noise, and with train's exponent and the smoothing falling from pass to pass, a start settles in a
basin where all kinds are held out together, which single exchanges from a random split do not find. A few starts of one
seed end in different basins. Lengths are brought within their bounds by prices that rise as long as they are missed, so
that the basin is kept, where exchanges that mend a constraint at any cost would leave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.splits.search import exchange_kernels as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.splits.search.exchange import SplitSearch

PASSES, ATOM_PRICE = 12, 3.5
FIRST_SMOOTHING, LAST_SMOOTHING = 5.5, 0.5
FIRST_EXPONENT = 0.5
EXCESS_PRICE, LENGTH_PRICE = 5.0, 0.15  # of D_A above its cap and of a length ratio beyond its bounds, between starts
BOUND_PASSES, STALLED = 60, 8  # passes to come within the bounds, and of these without coming nearer
LENGTH_STEP, LENGTH_REACH = 0.04, 5.0
MARGIN = 1.01  # ratios are brought so far within their bounds, as exchanges move them again


def deal(search: SplitSearch) -> None:
    """Deal all examples out anew, several times, while the exponent and the smoothing fall."""
    for step in range(PASSES):
        part = step / (PASSES - 1)
        alpha = FIRST_EXPONENT + (search.compounds.alpha - FIRST_EXPONENT) * part
        smoothing = FIRST_SMOOTHING + (LAST_SMOOTHING - FIRST_SMOOTHING) * part
        _deal_once(search, alpha, smoothing, np.zeros(search.n))


def worth(search: SplitSearch) -> float:
    """D_C of a start, less what it is beyond its bounds, which are met later."""
    d_c, d_a, _ = search.measure()
    return d_c - EXCESS_PRICE * max(0.0, d_a - search.state.cap) - LENGTH_PRICE * float(np.abs(_beyond(search)).sum())


def keep_within(search: SplitSearch) -> None:
    """Deal out with prices on lengths, which rise until their bounds are met, or come no nearer."""
    lengths = search.state.lengths.astype(np.float64)
    spread = np.maximum(lengths.std(axis=1, keepdims=True), 1e-9)
    scaled = (lengths - lengths.mean(axis=1, keepdims=True)) / spread
    prices = np.zeros(len(lengths))
    nearest, since = np.inf, 0
    for _ in range(BOUND_PASSES):
        beyond = _beyond(search)
        missed = float(np.abs(beyond).sum())
        if missed == 0.0 or since >= STALLED:
            return
        nearest, since = (missed, 0) if missed < nearest else (nearest, since + 1)
        prices += LENGTH_STEP * np.sign(beyond) * np.minimum(1.0, LENGTH_REACH * np.abs(beyond) + 0.2)
        _deal_once(search, search.compounds.alpha, LAST_SMOOTHING, prices @ scaled)


def _beyond(search: SplitSearch) -> NDArray[np.float64]:
    """By how much, in logarithms, mean test length is beyond its bounds: above 0 where test is too long."""
    state = search.state
    sizes = np.diff(state.bounds[:3])
    ratio = np.log(np.maximum(state.length_total[:, 0], 1) / sizes[0]) - np.log(
        np.maximum(state.length_total[:, 1], 1) / sizes[1]
    )
    low, high = np.log(state.length_bounds[:, 0] * MARGIN), np.log(state.length_bounds[:, 1] / MARGIN)
    within = low < high  # bounds too near to each other for the margin are aimed at in the middle
    low, high = np.where(within, low, (low + high) / 2), np.where(within, high, (low + high) / 2)
    return np.asarray(np.maximum(0.0, low - ratio) - np.maximum(0.0, ratio - high))


def _deal_once(search: SplitSearch, alpha: float, smoothing: float, costs: NDArray[np.float64]) -> None:
    """Give each side what is worth most there; `costs` are of an example in test, in spreads of the worths."""
    train_size, test_size = (int(size) for size in np.diff(search.state.bounds[:3]))
    slopes = kernels.slopes(search.compounds._replace(alpha=alpha), smoothing)
    if search.state.cap < 1.0:
        slopes = slopes - ATOM_PRICE * kernels.slopes(search.atoms, 1.0)
    slopes = slopes * (train_size, test_size)
    difference = slopes[:, 1] - slopes[:, 0]
    difference += costs * difference.std()
    order = np.argsort(difference, kind="stable")
    chosen = search.testable_first(order)[:test_size]
    others = np.delete(order, chosen)
    others = others[np.argsort(slopes[others, 0], kind="stable")]
    search.place(np.concatenate((others[:train_size], order[chosen], others[train_size:])))
    search.moves += search.n // 4
