"""An upper bound on the D_C of any split of these sizes: how far a split can be from the best one.

Examples that are alike (in atoms, compounds and whether they may be tested) are one group, and a split is how many of
each group go to train and to test. Groups are dealt out one after the other, all ways at once, so that a state is the
sums of both sides over the groups so far. The Chernoff coefficient of every split that a state can still become is
bounded from below: a compound's term t^α s^(1−α) is concave and grows in both sums, so where all examples are used, and
t + s is therefore known, it is least at one end of what t can still be (no side takes more of a compound than its
examples to come can hold); elsewhere it is at least what it is now. What it is divided by, T^α S^(1−α), is at most what
the largest examples left would make of it. States with a bound above the split at hand are dropped. Where states become
too many, those of the lowest bounds go on, and the lowest of the others bounds the rest: the result is then no longer
exact, but holds.

Sizes, atoms that train must have, the bounds on D_A and examples that must not be tested are respected; quotas,
distinct patterns, length ratios and equal programs are not: what bounds more splits bounds fewer. This is a branch and
bound by breadth, of no paper. A mixed-integer program (HiGHS) in which a compound on both sides costs its least was
tried: of small data it bounds less in the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.structures.features import Features

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

GROUPS = 300
"""Different examples, above which no bound is tried."""
WORK = 200_000_000
"""Sums that may be made in all, shared out among the groups: some ten seconds."""
UNITS = 52
"""Bits of a sum of all weights, so that a float holds it."""
STEP = 10_000_000
"""Sums that may be made for one group: they are in memory together."""
SLACK = 1e-9
"""Rounding, so that the split at hand is never dropped."""


@dataclass(frozen=True)
class Highest:
    """The highest D_C that a split of these sizes can have."""

    d_c: float
    exact: bool
    """Whether a split that meets the constraints respected here has it."""
    possible: bool = True
    """Whether any split meets them; where none does, that is certain."""


@dataclass(frozen=True)
class Rules:
    """What a split has to respect."""

    train: int
    test: int
    alphas: tuple[float, float]
    """The exponents of the atom and the compound divergence."""
    least_atoms: int
    atoms_between: tuple[float, float]
    """The bounds on D_A."""
    barred: NDArray[np.bool_]


def highest_divergence(
    atoms: Features,
    compounds: Features,
    rules: Rules,
    *,
    reached: float | None = None,
    work: int = WORK,
) -> Highest | None:
    """An upper bound on D_C; none where the data has too many different examples.

    `reached` is the D_C of a split that keeps them, where one is known.
    """
    if reached is not None and reached >= 1.0:
        return Highest(1.0, exact=True)
    groups = _Groups(atoms, compounds, rules)
    if len(groups.counts) > GROUPS:
        return None
    known = np.inf if reached is None else 1.0 - reached
    most = min(known, 1.0) + SLACK
    aside = np.inf  # the lowest bound of what was set aside
    states, bounds = np.zeros((1, groups.width)), np.zeros(1)
    for level in range(len(groups.counts)):
        ways = groups.ways(level)
        cost = groups.width * len(ways)
        limit = max(1, min(STEP, work // (len(groups.counts) - level)) // cost)
        if len(states) > limit:
            order = np.argsort(bounds, kind="stable")
            aside = min(aside, float(bounds[order[limit]]))
            states, bounds = states[np.sort(order[:limit])], bounds[np.sort(order[:limit])]
        work -= len(states) * cost
        states = groups.dealt(states, level, ways)
        bounds = groups.bounds(states, level)
        states, bounds = states[bounds <= most], bounds[bounds <= most]
        if not len(states):
            break
    found = min(known, float(bounds[groups.allowed(states)].min(initial=np.inf)))
    lowest = min(found, aside)
    if lowest == np.inf:
        return Highest(0.0, exact=False, possible=False)
    return Highest(1.0 - lowest, exact=found <= aside)


class _Groups:
    """Examples that are alike, and what is left to deal out after each of them.

    A state is a row of sums over the groups so far: examples in train and test, then atoms in train, atoms in test,
    compounds in train and compounds in test.
    """

    def __init__(self, atoms: Features, compounds: Features, rules: Rules) -> None:
        self.rules = rules
        both = np.hstack([_dense(atoms), _in_units(_dense(compounds)), rules.barred[:, None].astype(np.float64)])
        rows, counts = np.unique(both, axis=0, return_counts=True)
        order = _connected(rows[:, atoms.shape[1] : -1], counts)
        self.counts = counts[order].astype(np.int64)
        self.atoms, self.compounds = rows[order, : atoms.shape[1]], rows[order, atoms.shape[1] : -1]
        self.barred = rows[order, -1] > 0
        self.all_used = rules.train + rules.test == len(both)
        self.width = 2 + 2 * atoms.shape[1] + 2 * compounds.shape[1]
        self.cuts = np.cumsum([2, atoms.shape[1], atoms.shape[1], compounds.shape[1]])
        # What the groups from each one on hold together, and how many examples they are.
        self.atoms_left, self.compounds_left = (
            np.vstack([np.cumsum((half * self.counts[:, None])[::-1], axis=0)[::-1], np.zeros(half.shape[1])])
            for half in (self.atoms, self.compounds)
        )
        heaviest = np.maximum.accumulate(self.compounds[::-1], axis=0)[::-1]
        self.most_held = np.vstack([heaviest, np.zeros(heaviest.shape[1])])
        """The most that one example of the groups from each one on holds of each compound."""
        self.examples_left = np.append(np.cumsum(self.counts[::-1])[::-1], 0)

    def ways(self, level: int) -> Integers:
        """How many examples of a group can go to train and to test: a row for each way."""
        count = int(self.counts[level])
        most = 0 if self.barred[level] else count
        ways = [(train, test) for test in range(most + 1) for train in range(count - test + 1)]
        return np.array([way for way in ways if not self.all_used or sum(way) == count], np.int64).reshape(-1, 2)

    def dealt(self, states: Floats, level: int, ways: Integers) -> Floats:
        """The states with a group dealt out in each way that sizes and atoms allow, equal ones once."""
        atoms, compounds = self.atoms[level], self.compounds[level]
        added = np.array([[a, b, *(a * atoms), *(b * atoms), *(a * compounds), *(b * compounds)] for a, b in ways])
        made = (states[None, :, :] + added[:, None, :]).reshape(-1, self.width)
        short = np.array([self.rules.train, self.rules.test]) - made[:, :2]
        made = made[(short >= 0).all(axis=1) & (short.sum(axis=1) <= self.examples_left[level + 1])]
        _, train, test, _, _ = np.split(made, self.cuts, axis=1)
        reach = train + self.atoms_left[level + 1]
        made = made[~((test > 0) & (reach < self.rules.least_atoms)).any(axis=1)]
        return np.unique(made, axis=0)

    def bounds(self, states: Floats, level: int) -> Floats:
        """The least Chernoff coefficient of compounds that each state can still come to; of a full one, its own."""
        alpha = self.rules.alphas[1]
        sizes, _, _, train, test = np.split(states, self.cuts, axis=1)
        if self.all_used:
            all_of_it = self.compounds_left[0]
            # A side takes no more of a compound than its examples to come can hold, so the other has the rest.
            room = (np.array([self.rules.train, self.rules.test]) - sizes)[:, :, None] * self.most_held[level + 1]
            least_train = np.maximum(train, all_of_it - test - room[:, 1])
            least_test = np.maximum(test, all_of_it - train - room[:, 0])
            terms = np.minimum(
                _terms(least_train, all_of_it - least_train, alpha), _terms(all_of_it - least_test, least_test, alpha)
            )
        else:
            terms = _terms(train, test, alpha)
        totals = train.sum(axis=1), test.sum(axis=1)
        return _coefficient(terms.sum(axis=1), self._divisors(sizes, totals, level))

    def _divisors(self, sizes: Floats, totals: tuple[Floats, Floats], level: int) -> Floats:
        """The largest T^α S^(1−α) that each state can still come to."""
        alpha = self.rules.alphas[1]
        rows = np.sort(np.repeat(self.compounds[level + 1 :].sum(axis=1), self.counts[level + 1 :]))
        largest = np.append(0.0, np.cumsum(rows[::-1]))
        short = (np.array([self.rules.train, self.rules.test]) - sizes).astype(np.int64)
        train, test = totals[0] + largest[short[:, 0]], totals[1] + largest[short[:, 1]]
        if not self.all_used:
            return _terms(train, test, alpha)
        total = float(self.compounds_left[0].sum())
        # On t + s = total the product rises until t is alpha of it, and falls after.
        best = np.clip(alpha * total, total - test, train)
        return _terms(best, total - best, alpha)

    def allowed(self, states: Floats) -> NDArray[np.bool_]:
        """Which of the full states have a D_A as they must."""
        alpha = self.rules.alphas[0]
        _, train, test, _, _ = np.split(states, self.cuts, axis=1)
        divisors = _terms(train.sum(axis=1), test.sum(axis=1), alpha)
        d_a = 1.0 - _coefficient(_terms(train, test, alpha).sum(axis=1), divisors)
        low, high = self.rules.atoms_between
        return np.asarray((d_a >= low - SLACK) & (d_a <= high + SLACK))


def _terms(train: Floats, test: Floats, alpha: float) -> Floats:
    return np.asarray(train**alpha * test ** (1.0 - alpha))


def _coefficient(products: Floats, divisors: Floats) -> Floats:
    """The quotient; 1, a divergence of 0, where a side holds nothing."""
    return np.divide(products, divisors, out=np.ones_like(products), where=divisors > 0)


def _dense(features: Features) -> Floats:
    dense = np.zeros(features.shape)
    owners = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    np.add.at(dense, (owners, features.indices), features.data)
    return dense


def _in_units(dense: Floats) -> Floats:
    """Weights that are not whole in such small units that differences of sums are exact: t^α jumps at 0."""
    if np.array_equal(dense, np.rint(dense)):
        return dense
    return np.asarray(np.rint(dense * 2.0 ** np.floor(UNITS - np.log2(dense.sum()))))


def _connected(rows: Floats, counts: NDArray[Any]) -> Integers:
    """An order of the groups in which each has much in common with those before: bounds rise early."""
    weights = rows * counts[:, None]
    seen = np.zeros(rows.shape[1])
    left, order = list(range(len(rows))), []
    while left:
        scores = weights[left] @ seen + 1e-6 * weights[left].sum(axis=1)
        order.append(left.pop(int(np.argmax(scores))))
        seen = np.minimum(seen + (rows[order[-1]] > 0), 1.0)
    return np.array(order, np.int64)
