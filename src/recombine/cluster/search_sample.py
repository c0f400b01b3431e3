"""A split of maximum compound divergence of a folder of parts: searched on a sample, and the rest dealt out by slopes.

A search looks at all rows at once, and many times; of a folder it gets a tenth of the rows, drawn by the seed, and at
most 100,000. What it finds says for every column how the divergences change as a row with it joins train, or test
(`slopes` of the search). Each other row gets a cost for both sides from that, in one pass over the parts, and the rows
that lean most to test fill it. The price of the atom divergence in that cost, and a noise on it, are those that give
the highest divergence within the cap where the sample itself is dealt out so. The sizes are exact; the cap is checked
on all rows when the split is measured.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.cluster.folder_data import Block, iter_blocks
from recombine.cluster.measure_parts import wants_derivations
from recombine.errors import InfeasibleError, OptionError
from recombine.measures.divergence import chernoff
from recombine.measures.held_compounds import held_compounds
from recombine.splits.sizes import test_count
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import ATOM_ALPHA, Structures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session
    from recombine.splits.search.mcd import MCDSplitter
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.structures.features import Features

SHARE, LEAST, MOST = 0.1, 1_000, 100_000
"""The share of the rows that is searched, and the fewest and the most rows."""
COMPOUND_SMOOTHING, ATOM_SMOOTHING = 0.5, 1.0
PRICES = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0)
"""Of the atom divergence, in units of the compound divergence."""
SPREADS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""Of the noise, in units of how far rows lean to one side."""
MARGIN = 0.75
"""Of the cap: a sample is not the whole."""
_OWN = ("data", "by", "parts", "seed", "version")


def check_search(splitter: MCDSplitter) -> None:
    """Refuse options that look at all rows at once."""
    plain = type(splitter)()
    names = (
        "divergence",
        "quota",
        "distinct",
        "min_atom_count",
        "min_compounds",
        "length_ratio",
        "no_duplicates",
        "bound",
    )
    for name in names:
        if getattr(splitter, name) != getattr(plain, name):
            raise OptionError(f"--{name.replace('_', '-')} looks at all examples at once", "leave out --cluster")


def search_sample(
    session: Session,
    data: FolderData,
    splitter: MCDSplitter,
    structures: Structures,
    counts: dict[str, int | None],
    generator: np.random.Generator,
) -> tuple[dict[str, NDArray[np.int64]], dict[str, object]]:
    """The rows of each part of the split, and what else belongs in its signature."""
    total, held = len(data), test_count(counts, len(data)) + (counts["dev"] or 0)
    train = total - held if counts["train"] is None else counts["train"]
    size = min(total, max(LEAST, min(MOST, int(SHARE * total))))
    sample = np.sort(generator.permutation(total)[:size])
    block = _sampled(session, data, sample, derivations=wants_derivations(structures))
    dataset = block.dataset(data.task(0))
    features = extract_features(dataset, structures)
    pool = min(size - 1, max(1, round(held * size / total)))
    searched: dict[str, Any] = {
        "train": size - pool if train + held == total else max(1, round(train * size / total)),
        "dev": None,
        "test": pool,
        "features": features,
        "structures": str(features.structures),
    }
    try:
        found = replace(splitter, **searched).split(dataset)
    except InfeasibleError as error:
        if error.best is None:
            raise
        found = error.best  # whether all rows together keep the constraints is seen when they are measured
    sides = [np.array(rows, np.int64) for rows in found.indices(dataset)]
    extra: dict[str, object] = {key: value for key, value in found.signature.fields if key not in _OWN}
    tables = [
        _slope_table(half, sides, alpha, smoothing)
        for half, alpha, smoothing in (
            (features.compounds, structures.compounds.alpha, COMPOUND_SMOOTHING),
            (features.atoms, ATOM_ALPHA, ATOM_SMOOTHING),
        )
    ]
    dealt = [len(rows) for rows in sides]
    price, spread = _price_and_spread(features, tables, dealt, splitter.max_atom_divergence, generator)
    tasks = [(task, str(structures), *tables, price, (train, held)) for task in data.tasks()]
    costs = np.concatenate(session.map("dealing out", "search_sample:row_costs", tasks))
    side = np.zeros(total, np.int8)
    for number, rows in enumerate(sides, start=1):
        side[sample[rows]] = number
    _fill(side, costs, generator.normal(size=total) * spread, (train, held))
    tested = generator.permutation(np.flatnonzero(side == 2))
    parts = {"train": np.flatnonzero(side == 1)}
    dev = counts["dev"] or 0
    if dev:
        parts["dev"] = np.sort(tested[:dev])
    parts["test"] = np.sort(tested[dev:])
    return parts, {**extra, "sample": size}


def _sampled(session: Session, data: FolderData, rows: NDArray[np.int64], *, derivations: bool) -> Block:
    """The texts of some rows."""
    cuts = np.searchsorted(rows, data.starts)
    tasks = [
        (data.task(part), rows[cuts[part] : cuts[part + 1]] - data.starts[part], derivations)
        for part in range(len(data.paths))
        if cuts[part] < cuts[part + 1]
    ]
    read = session.map("sampling", "search_sample:rows_at", tasks)
    sources, targets, trees = ([text for part in read for text in part[place]] for place in range(3))
    return Block(0, sources, targets, trees if derivations else None)


def rows_at(
    task: Mapping[str, Any], rows: NDArray[np.int64], derivations: bool
) -> tuple[list[str], list[str], list[Any]]:
    """Sources, targets and derivations of some rows of a part."""
    texts: tuple[list[str], list[str], list[Any]] = ([], [], [])
    for block in iter_blocks(task, derivations=derivations):
        low, high = np.searchsorted(rows, [block.first, block.first + len(block)])
        for kept, column in zip(texts, (block.sources, block.targets, block.derivations), strict=True):
            kept += [] if column is None else [column[row - block.first] for row in rows[low:high].tolist()]
    return texts


def _slope_table(features: Features, sides: list[NDArray[np.int64]], alpha: float, smoothing: float) -> dict[str, Any]:
    """How the log of the Chernoff coefficient changes with a column in a row that joins train, or test."""
    train, test = (features.sums(rows) for rows in sides)
    totals = np.array([train.sum(), test.sum()])
    # The last column stands for all that the sample does not have.
    at = np.append(train, 0.0) + smoothing, np.append(test, 0.0) + smoothing * totals[1] / totals[0]
    terms = at[0] ** alpha * at[1] ** (1.0 - alpha)
    product = terms[:-1].sum()
    slopes = np.column_stack((alpha * terms / at[0], (1.0 - alpha) * terms / at[1])) / product
    return {"names": list(features.names), "slopes": slopes, "per_entry": np.array([alpha, 1.0 - alpha]) / totals}


def _half_costs(features: Features, table: Mapping[str, Any]) -> NDArray[np.float64]:
    """The change of the log of the coefficient as each row joins train, and as it joins test."""
    place = {name: number for number, name in enumerate(table["names"])}
    columns = np.array([place.get(name, len(place)) for name in features.names] or [0], np.int64)
    owners = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    entries = table["slopes"][columns[features.indices]] - table["per_entry"]
    sums = [np.bincount(owners, features.data * entries[:, side], features.shape[0]) for side in (0, 1)]
    return np.column_stack(sums)


def row_costs(
    task: Mapping[str, Any],
    text: str,
    compounds: Mapping[str, Any],
    atoms: Mapping[str, Any],
    price: float,
    sizes: tuple[int, int],
) -> NDArray[np.float32]:
    """The cost of each row of a part on either side."""
    structures = Structures.parse(text)
    costs = []
    for block in iter_blocks(task, derivations=wants_derivations(structures)):
        features = extract_features(block.dataset(task), structures)
        halves = _half_costs(features.compounds, compounds), _half_costs(features.atoms, atoms)
        costs.append(_barred(features, (halves[0] - price * halves[1]) * sizes).astype(np.float32))
    return np.concatenate(costs)


def _barred(features: DatasetFeatures, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The costs, without end in test for rows that hold no compound: they are not tested."""
    costs[held_compounds(features.compounds) == 0, 1] = np.inf
    return costs


def _price_and_spread(
    features: Any, tables: list[dict[str, Any]], sizes: list[int], cap: float, generator: np.random.Generator
) -> tuple[float, float]:
    """The price and the noise under which the sample, dealt out by its own slopes, has the highest D_C within the cap.

    Where none is within the cap, those of the lowest D_A.
    """
    compounds, atoms = _half_costs(features.compounds, tables[0]), _half_costs(features.atoms, tables[1])
    noise = generator.normal(size=len(compounds))
    halves = ((features.compounds, features.structures.compounds.alpha), (features.atoms, ATOM_ALPHA))
    tried = []
    for price in PRICES:
        costs = _barred(features, (compounds - price * atoms) * sizes)
        for spread in SPREADS:
            side = np.zeros(len(costs), np.int8)
            _fill(side, costs, noise * spread, (sizes[0], sizes[1]))
            rows = [np.flatnonzero(side == number) for number in (1, 2)]
            d_c, d_a = (1.0 - chernoff(half.sums(rows[0]), half.sums(rows[1]), alpha) for half, alpha in halves)
            above = d_a > MARGIN * cap
            tried.append((above, d_a if above else -d_c, price, spread))
    return min(tried)[2:]


def _fill(side: NDArray[np.int8], costs: NDArray[Any], noise: NDArray[np.float64], sizes: tuple[int, int]) -> None:
    """Deal out the rows that have no side: to test those that lean most to it, then to train those it costs least.

    The noise is in units of how far rows lean: without it, all rows go as far as the slopes point, which is too far.
    """
    free = np.flatnonzero(side == 0)
    wanted = sizes[1] - int(np.count_nonzero(side == 2))
    lean = costs[:, 1].astype(np.float64) - costs[:, 0]
    lean += noise * lean[np.isfinite(lean)].std()
    order = np.argsort(lean[free], kind="stable")
    side[free[order[: max(0, wanted)]]] = 2
    others = free[np.sort(order[max(0, wanted) :])]
    more = sizes[0] - int(np.count_nonzero(side == 1))
    side[others[np.argsort(costs[others, 0], kind="stable")[: max(0, more)]]] = 1
