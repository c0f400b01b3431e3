"""The greedy procedure behind the published MCD splits (CFQ paper, §4), for comparison with the search.

The paper says: train and test start empty; examples are added to one or the other in turn, so that the wanted ratio of
sizes is kept; each is selected such that D_C and D_A stay as close as possible to their wanted values; examples are
also removed at certain iterations; choices are random along the way, the first example for one. What it leaves open is
chosen here: closeness is the distance from the wanted D_C (1 for the highest) plus `WEIGHT` times that of D_A from what
is allowed (of 1 and 5 the one that ended under a cap of 0.02 on SCAN); an addition is the best of `CANDIDATES`
random unused examples; and after every `REMOVAL` additions to a side, the best of as many random examples of that side
is removed again, if the distance falls by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.kernels.kernel import inlined, kernel, part
from recombine.splits.search.exchange import fixed_point

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.splits.search.exchange import Matrix

Progress = Callable[[int, int, float], None]

WEIGHT = 5.0
CANDIDATES = 1000
REMOVAL = 5
STEPS = 200  # additions between two calls of progress


def add_greedily(
    matrices: tuple[Matrix, Matrix],
    alphas: tuple[float, float],
    train: int,
    test: int,
    *,
    wanted: float,
    atoms_between: tuple[float, float],
    generator: np.random.Generator,
    progress: Progress | None = None,
) -> NDArray[np.int8]:
    """The side of every example (0 unused, 1 train, 2 test), from the matrices and exponents of atoms and compounds."""
    atoms, compounds = (Rows.of(matrix) for matrix in matrices)
    examples = len(matrices[0][0]) - 1
    sides = np.zeros(examples, np.int8)
    random = np.array([generator.integers(1 << 62)], np.uint64)
    aims = np.array([wanted, *atoms_between])
    added = np.zeros(2, np.int64)
    while (sides > 0).sum() < train + test:
        value = _grow(sides, atoms, compounds, *alphas, train, test, aims, added, random, STEPS)
        if progress is not None:
            progress(int((sides > 0).sum()), train + test, float(value))
    return sides


class Rows(NamedTuple):
    """A CSR matrix of whole numbers."""

    indptr: Any
    indices: Any
    data: Any

    @classmethod
    def of(cls, matrix: Matrix) -> Rows:
        """The same weights as integers."""
        return cls(matrix[0].astype(np.int64), matrix[1].astype(np.int64), fixed_point(matrix).astype(np.int64))


@inlined
def _next_random(random, bound):  # type: ignore[no-untyped-def]
    """Return a random integer from 0 to bound - 1."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = random[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64((mixed >> np.uint64(33)) * np.uint64(bound) >> np.uint64(31))


@part
def _count(sides, matrix, alpha):  # type: ignore[no-untyped-def]
    """Return the column sums of train and test, and powers of whole numbers up to the largest there can be."""
    indptr, indices, data = matrix
    columns = 1
    for entry in range(indices.size):
        columns = max(columns, indices[entry] + 1)
    counts, most = np.zeros((columns, 2), np.int64), np.zeros(columns, np.int64)
    for example in range(sides.size):
        for entry in range(indptr[example], indptr[example + 1]):
            most[indices[entry]] += data[entry]
            if sides[example] > 0:
                counts[indices[entry], sides[example] - 1] += data[entry]
    powers = np.empty((most.max() + 1, 2))
    for number in range(powers.shape[0]):
        powers[number, 0] = float(number) ** alpha if number > 0 else 0.0
        powers[number, 1] = float(number) ** (1.0 - alpha) if number > 0 else 0.0
    return counts, powers


@part
def _product(counts, powers):  # type: ignore[no-untyped-def]
    """Return the sum over columns of train ** alpha * test ** (1 - alpha)."""
    total = 0.0
    for column in range(counts.shape[0]):
        total += powers[counts[column, 0], 0] * powers[counts[column, 1], 1]
    return total


@part
def _shift(matrix, counts, powers, example, side, sign, write):  # type: ignore[no-untyped-def]
    """Return how the sum of products and the side's total change as an example joins or leaves; write the counts."""
    indptr, indices, data = matrix
    change, weight = 0.0, 0
    for entry in range(indptr[example], indptr[example + 1]):
        column = indices[entry]
        step = sign * data[entry]
        old = counts[column, side]
        change += (powers[old + step, side] - powers[old, side]) * powers[counts[column, 1 - side], 1 - side]
        weight += step
        if write:
            counts[column, side] = old + step
    return change, weight


@part
def _divergence(product, train_total, test_total, alpha):  # type: ignore[no-untyped-def]
    """Return 1 - Chernoff coefficient of two sums with these totals."""
    if train_total <= 0 or test_total <= 0:
        return 1.0
    return 1.0 - product / (float(train_total) ** alpha * float(test_total) ** (1.0 - alpha))


@part
def _distance(d_c, d_a, aims):  # type: ignore[no-untyped-def]
    """Return how far the divergences are from what is wanted: D_C, and the least and the highest D_A."""
    return abs(d_c - aims[0]) + WEIGHT * max(0.0, aims[1] - d_a, d_a - aims[2])


@part
def _choose(members, side, sign, kinds, sums, totals, aims, random):  # type: ignore[no-untyped-def]
    """Return that one of some random members which best joins or leaves a side, and the distance then."""
    best, best_distance = -1, np.inf
    number = min(members.size, CANDIDATES)
    first = _next_random(random, members.size)  # of equally good ones, any may be taken
    for trial in range(number):
        place = (first + trial) % number if number == members.size else _next_random(random, members.size)
        example = members[place]
        values = np.empty(2)
        for kind in range(2):
            matrix, counts, powers, alpha = kinds[kind]
            change, weight = _shift(matrix, counts, powers, example, side, sign, False)
            train_total = totals[kind, 0] + (weight if side == 0 else 0)
            test_total = totals[kind, 1] + (weight if side == 1 else 0)
            values[kind] = _divergence(sums[kind] + change, train_total, test_total, alpha)
        distance = _distance(values[1], values[0], aims)
        if distance < best_distance:
            best, best_distance = example, distance
    return best, best_distance


@part
def _move(example, side, sign, kinds, sums, totals, sides):  # type: ignore[no-untyped-def]
    """Let an example join or leave a side."""
    for kind in range(2):
        matrix, counts, powers, _ = kinds[kind]
        change, weight = _shift(matrix, counts, powers, example, side, sign, True)
        sums[kind] += change
        totals[kind, side] += weight
    sides[example] = side + 1 if sign > 0 else 0


@kernel
def _grow(sides, atoms, compounds, atom_alpha, compound_alpha, train, test, aims, added, random, steps):  # type: ignore[no-untyped-def]
    """Add examples until the sizes are met or some steps are done, with removals in between; return D_C."""
    atom_counts, atom_powers = _count(sides, atoms, atom_alpha)
    counts, powers = _count(sides, compounds, compound_alpha)
    kinds = ((atoms, atom_counts, atom_powers, atom_alpha), (compounds, counts, powers, compound_alpha))
    sums = np.array([_product(atom_counts, atom_powers), _product(counts, powers)])
    totals = np.empty((2, 2), np.int64)
    for side in range(2):
        totals[0, side], totals[1, side] = atom_counts[:, side].sum(), counts[:, side].sum()
    sizes = np.array([(sides == 1).sum(), (sides == 2).sum()])
    for _ in range(steps):
        if sizes[0] == train and sizes[1] == test:
            break
        side = int(sizes[1] < test and (sizes[0] == train or sizes[0] * test > sizes[1] * train))
        unused = np.flatnonzero(sides == 0)
        if sizes[0] + sizes[1] == 0:
            best, distance = unused[_next_random(random, unused.size)], np.inf
        else:
            best, distance = _choose(unused, side, 1, kinds, sums, totals, aims, random)
        _move(best, side, 1, kinds, sums, totals, sides)
        sizes[side] += 1
        added[side] += 1
        if added[side] % REMOVAL == 0:
            out, lower = _choose(np.flatnonzero(sides == side + 1), side, -1, kinds, sums, totals, aims, random)
            if lower < distance:
                _move(out, side, -1, kinds, sums, totals, sides)
                sizes[side] -= 1
    return _divergence(sums[1], totals[1, 0], totals[1, 1], compound_alpha)
