"""Sums of columns by their names, added part by part: whole numbers, so that the order of adding does not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features

Table = dict[str, Any]
"""`names`, their `orders`, and `sums`: of each column over train, test and all rows, and how many rows hold it."""


def sums_of_block(features: Features, train: NDArray[np.int64], test: NDArray[np.int64]) -> Table:
    """The sums of some rows, each as often as it is in train, in test, and once; then how many rows hold each."""
    if not np.array_equal(features.data, np.rint(features.data)):
        raise OptionError(
            "structures whose values are not whole numbers cannot be added in any order",
            "use counts or presence, or leave out --cluster",
        )
    lengths = np.diff(features.indptr)
    sums = [
        np.bincount(features.indices, np.repeat(times, lengths) * features.data, len(features.names))
        for times in (train, test, np.ones(len(train), np.int64))
    ]
    sums.append(np.bincount(features.indices[features.data > 0], minlength=len(features.names)))
    orders = features.orders if features.orders is not None else [(name,) for name in features.names]
    return {"names": list(features.names), "orders": list(orders), "sums": np.rint(sums).astype(np.int64)}


def merged(*tables: Table) -> Table:
    """The sums of several tables together, columns by name."""
    place: dict[str, int] = {}
    orders: list[Any] = []
    numbers = []
    for table in tables:
        for name, order in zip(table["names"], table["orders"], strict=True):
            if name not in place:
                place[name] = len(place)
                orders.append(order)
        numbers.append(np.array([place[name] for name in table["names"]], np.int64))
    sums = np.zeros((4, len(place)), np.int64)
    for number, table in zip(numbers, tables, strict=True):
        sums[:, number] += table["sums"]  # a table names a column once
    return {"names": list(place), "orders": orders, "sums": sums}


def ordered(table: Table, top: int | None = None) -> Table:
    """The columns in the order that they have where all rows are held, the `top` of the highest sums alone."""
    order = sorted(range(len(table["names"])), key=lambda column: tuple(table["orders"][column]))
    if top is not None and top < len(order):
        total = table["sums"][2][order]
        kept = np.sort(np.lexsort((np.arange(len(order)), -total))[:top])
        order = [order[int(place)] for place in kept]
    return {
        "names": [table["names"][column] for column in order],
        "orders": [table["orders"][column] for column in order],
        "sums": table["sums"][:, order],
    }


def tree_of(tables: Sequence[Any], submit: Any, width: int = 8) -> Any:
    """One future of the sums of many, added in groups on the workers."""
    level = list(tables)
    while len(level) > 1:
        level = [submit("column_sums:merged", *level[first : first + width]) for first in range(0, len(level), width)]
    return level[0]
