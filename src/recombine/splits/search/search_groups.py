"""The search with equal programs kept on one side: whole groups are exchanged instead of examples.

A group's rows are added up and its size joins the lengths, so the search of `exchange.py` serves unchanged: bounds on
the ratio of mean group sizes keep the sides near the sizes asked for. Then the bounds close to the exact sizes, and
exchanges mend what is left; bounds on other lengths are a little narrower until then, since a side that grows by an
example also grows by its length. A group with an example that must not be tested is not tested. Where not all examples
are wanted, the sides are searched larger and drawn down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InfeasibleError
from recombine.splits.search.exchange import LENGTH_MARGIN, SplitSearch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.splits.search.exchange import Matrix

SLACK = 0.05  # of the ratio of sizes, at most, while the search looks for the best groups
EXACT = 1e-7  # sizes are whole numbers: any other split of this data set has a ratio farther off


@dataclass(frozen=True)
class Groups:
    """Examples by group, and the sizes of the groups."""

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def named(cls, names: list[str]) -> Groups:
        """Groups of equal names."""
        _, of = np.unique(np.array(names, dtype=object).astype(str), return_inverse=True)
        return cls(of.astype(np.int64), np.bincount(of).astype(np.int64))

    def summed(self, matrix: Matrix) -> Matrix:
        """The rows of each group, added up."""
        from scipy.sparse import csr_matrix

        indptr, indices, data = matrix
        shape = len(indptr) - 1, int(indices.max()) + 1 if len(indices) else 1
        rows = csr_matrix((data, indices, indptr), shape=shape)
        ones = np.ones(len(self.of))
        total = (
            csr_matrix((ones, (self.of, np.arange(len(self.of)))), shape=(len(self.sizes), shape[0])) @ rows
        ).tocsr()
        total.sort_indices()
        return total.indptr.astype(np.int64), total.indices.astype(np.int32), total.data

    def totals(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The sum of a value over each group."""
        return np.bincount(self.of, values).astype(np.int64)


def search_groups(
    groups: Groups,
    matrices: tuple[Matrix, list[Matrix]],
    train: int,
    test: int,
    *,
    lengths: Mapping[str, tuple[NDArray[np.int64], float, float]],
    distinct: int,
    target: float | None,
    barred: NDArray[np.bool_],
    generator: np.random.Generator,
    **options: Any,
) -> tuple[NDArray[np.int8], bool]:
    """The side of every example (0 unused, 1 train, 2 test), and whether the search was interrupted."""
    examples, number = len(groups.of), len(groups.sizes)
    closed = groups.totals(barred.astype(np.int64)) > 0
    units = max(distinct, _test_groups(groups, closed, test, train + test))
    if not 0 < units < number:
        raise _impossible(number)
    scale = units / (number - units)  # from a ratio of sums to one of means over groups
    low, high = train / (examples - train) * scale, (examples - test) / test * scale
    wanted = train / test * scale
    bounds = {
        name: (groups.totals(values), low_ * wanted, high_ * wanted) for name, (values, low_, high_) in lengths.items()
    }
    slack = min([SLACK, *((high_ - low_) / (high_ + low_) / 2 for _, low_, high_ in bounds.values())])
    narrow = {name: (values, low_ * (1 + slack), high_ * (1 - slack)) for name, (values, low_, high_) in bounds.items()}
    if bounds:  # sums over groups are in the ratio of the means over examples only while the sizes are in theirs
        low, high = max(low, wanted * (1 - slack)), min(high, wanted * (1 + slack))
    search = SplitSearch(
        groups.summed(matrices[0]),
        [groups.summed(matrix) for matrix in matrices[1]],
        number - units,
        units,
        barred=closed,
        lengths={"size": (groups.sizes, low * (1 - slack), high * (1 + slack)), **narrow},
        **options,
    )
    result = search.run(target)
    search.state.length_bounds[0] = low * (1 - EXACT), high * (1 + EXACT)
    for kind, (_, low_, high_) in enumerate(bounds.values(), start=1):
        search.state.length_bounds[kind] = low_ + LENGTH_MARGIN, high_ - LENGTH_MARGIN
    search.best_score = (np.inf, np.inf)
    search.place(search.best)
    search.keep_best()
    search.repair()
    search.exchange(search.unit, search.compounds, 0.0)
    search.place(search.best)
    if search.measure()[2] > 0:
        raise _impossible(number)
    chosen = np.zeros(number, np.int8)
    chosen[search.best[: number - units]], chosen[search.best[number - units :]] = 1, 2
    sides = chosen[groups.of]
    sides[generator.permutation(np.flatnonzero(sides == 2))[test:]] = 0
    rows = _needed_first(matrices[0], generator.permutation(np.flatnonzero(sides == 1)), int(search.state.least_atoms))
    sides[rows[train:]] = 0
    return sides, result.interrupted


def _test_groups(groups: Groups, closed: NDArray[np.bool_], test: int, total: int) -> int:
    """How many groups hold test's share of the examples, where some are closed to it."""
    number, sizes = len(groups.sizes), groups.sizes[~closed]
    if len(sizes) in (0, number):
        return round(number * test / total)
    return round(min(len(groups.of) * test / total, float(sizes.sum())) / float(sizes.mean()))


def _needed_first(atoms: Matrix, rows: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """The rows, first those that show an atom not yet seen `least` times: train must keep them."""
    indptr, indices, data = atoms
    seen = np.zeros(int(indices.max()) + 1 if len(indices) else 1)
    further = np.ones(len(rows), np.bool_)
    for place, row in enumerate(rows):
        at = slice(indptr[row], indptr[row + 1])
        further[place] = not (seen[indices[at]] < least).any()
        seen[indices[at]] += data[at]
    return rows[np.argsort(further, kind="stable")]


def _impossible(number: int) -> InfeasibleError:
    return InfeasibleError(
        f"the {number} groups of equal programs cannot be shared out to these sizes under these constraints",
        "change the sizes, loosen a constraint, or leave out --no-duplicates",
    )
