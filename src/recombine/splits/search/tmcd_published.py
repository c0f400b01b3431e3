"""The greedy procedure behind the published TMCD splits (NQG paper, §3), for comparison with the search.

The data is shuffled and cut. Examples are swapped until every atom of test is in train. Then, again and again, the
first train example is taken that holds no atom which train can spare no longer and whose move to test alone raises the
divergence; then the first test example whose move to train leaves the divergence above what it was before both; they
are swapped and go to the ends of the lists. Every swap raises the divergence, so the procedure ends: when no such pair
is found. It stops at the first hill, and takes the order of the lists for its guide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import InfeasibleError
from recombine.kernels.kernel import kernel
from recombine.splits.search.exchange import fixed_point

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.structures.features import Features

Progress = Callable[[int, int, float], None]
NOISE = 1e-12  # a smaller rise of the divergence is rounding


def swap_greedily(
    features: DatasetFeatures,
    order: NDArray[np.int64],
    train_size: int,
    *,
    alpha: float,
    min_atom_count: int = 1,
    progress: Progress | None = None,
) -> tuple[list[int], list[int]]:
    """Train and test after all swaps, from an order of which the first `train_size` examples are train."""
    lists = [[int(row) for row in order[:train_size]], [int(row) for row in order[train_size:]]]
    _balance(features.atoms, lists, min_atom_count)
    # Whole numbers: a rounding error left in an absent compound would count, as small powers are nearly presence.
    compounds = replace(features.compounds, data=_whole(features.compounds))
    counts, atoms = _sums(compounds, lists), _sums(features.atoms, lists)
    matrix = compounds.indptr, compounds.indices, compounds.data
    done = 0
    while True:
        blocked = _holders(features.atoms, (atoms[:, 0] > 0) & (atoms[:, 0] <= min_atom_count))
        product = _product(counts, alpha)
        before = _divergence(product, counts.sum(axis=0), alpha)
        if progress is not None and done % 10 == 0:
            progress(done, len(order), before)
        out = _first(np.array(lists[0]), *matrix, counts, 0, alpha, before + NOISE, blocked)
        if out < 0:
            return lists[0], lists[1]
        _move(compounds, lists[0][out], counts, 0)
        back = _first(np.array(lists[1]), *matrix, counts, 1, alpha, before + NOISE, np.zeros(len(order), np.bool_))
        if back < 0:
            return lists[0], lists[1]
        _move(compounds, lists[1][back], counts, 1)
        _move(features.atoms, lists[0][out], atoms, 0)
        _move(features.atoms, lists[1][back], atoms, 1)
        _swap(lists, out, back)
        done += 1


def _whole(features: Features) -> NDArray[np.float64]:
    return fixed_point((features.indptr, features.indices, features.data)).astype(np.float64)


def _balance(atoms: Features, lists: list[list[int]], least: int) -> None:
    """Swap until train has every atom of test often enough."""
    for _ in range(sum(map(len, lists))):
        counts = _sums(atoms, lists)
        missing = (counts[:, 1] > 0) & (counts[:, 0] < least)
        if not missing.any():
            return
        holds, rare = _holders(atoms, missing), _holders(atoms, (counts[:, 0] > 0) & (counts[:, 0] <= least))
        out = next((place for place, row in enumerate(lists[0]) if not rare[row]), None)
        if out is None:
            break
        _swap(lists, out, next(place for place, row in enumerate(lists[1]) if holds[row]))
    raise InfeasibleError(
        "the published procedure found no split with every test atom in train", "leave out --published: search instead"
    )


def _swap(lists: list[list[int]], out: int, back: int) -> None:
    leaving, coming = lists[0].pop(out), lists[1].pop(back)
    lists[0].append(coming)
    lists[1].append(leaving)


def _sums(features: Features, lists: list[list[int]]) -> NDArray[np.float64]:
    return np.stack([features.sums(rows) for rows in lists], axis=1)


def _holders(features: Features, columns: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which examples hold one of the columns."""
    hits = np.concatenate(([0], np.cumsum(columns[features.indices])))
    held: NDArray[np.bool_] = hits[features.indptr[1:]] > hits[features.indptr[:-1]]
    return held


def _move(features: Features, row: int, counts: NDArray[np.float64], side: int) -> None:
    """Move the counts of an example from a side to the other."""
    at = slice(features.indptr[row], features.indptr[row + 1])
    counts[features.indices[at], side] -= features.data[at]
    counts[features.indices[at], 1 - side] += features.data[at]


def _product(counts: NDArray[np.float64], alpha: float) -> float:
    return float((counts[:, 0] ** alpha * counts[:, 1] ** (1.0 - alpha)).sum())


def _divergence(product: float, totals: NDArray[np.float64], alpha: float) -> float:
    return 1.0 - product / float(totals[0] ** alpha * totals[1] ** (1.0 - alpha))


@kernel
def _first(rows, indptr, indices, data, counts, side, alpha, above, blocked):  # type: ignore[no-untyped-def]
    """Return the first place in rows whose example, moved from its side, takes the divergence above a value, or -1."""
    product = 0.0
    train_total, test_total = 0.0, 0.0
    for column in range(counts.shape[0]):
        product += counts[column, 0] ** alpha * counts[column, 1] ** (1.0 - alpha)
        train_total += counts[column, 0]
        test_total += counts[column, 1]
    sign = -1.0 if side == 0 else 1.0  # of the change in train
    for place in range(rows.size):
        row = rows[place]
        if blocked[row]:
            continue
        changed, weight = product, 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            train, test = counts[indices[entry], 0], counts[indices[entry], 1]
            step = sign * data[entry]
            changed -= train**alpha * test ** (1.0 - alpha)
            changed += max(0.0, train + step) ** alpha * max(0.0, test - step) ** (1.0 - alpha)
            weight += step
        if 1.0 - changed / ((train_total + weight) ** alpha * (test_total - weight) ** (1.0 - alpha)) > above:
            return place
    return -1
