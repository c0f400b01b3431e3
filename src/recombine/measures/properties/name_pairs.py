"""Pairs of names that stand together in a program, or in it and its answer where the answer is asked for.

Names are the leaves of a program that are no numbers (COVR: of objects, attributes and relations); `query_attr` and
`query_name` ask for one more, which is the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.languages.scenes import EVERYTHING, name_of
from recombine.measures.properties.program_nodes import is_number, label_names
from recombine.records.range_places import range_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.measures.properties.holds import Properties

    Numbers = NDArray[np.int64]

QUERIES = ("query_attr", "query_name")


@dataclass(frozen=True)
class NamePairs:
    """The pairs of all examples; examples with the same names of one program are one unit."""

    names: list[str]
    """In their order."""
    unit_of: Numbers
    """The unit of each example."""
    name_units: tuple[Numbers, Numbers]
    """Which name is in which unit."""
    pairs: Numbers
    """Each distinct pair, the first name times the number of names plus the second, in their order."""
    pair_units: tuple[Numbers, Numbers]
    """Which pair, by its place, is in which unit."""

    def texts(self) -> list[str]:
        """The pairs as people read them."""
        firsts, seconds = np.divmod(self.pairs, max(len(self.names), 1))
        return [f"{self.names[a]} + {self.names[b]}" for a, b in zip(firsts.tolist(), seconds.tolist(), strict=True)]

    def often(self, rows: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """In how many of some examples each name is, and each pair."""
        weights = np.bincount(self.unit_of[rows], minlength=int(self.unit_of.max(initial=-1)) + 1)
        name, unit = self.name_units
        pair, its_unit = self.pair_units
        of_names = np.bincount(name, weights[unit], len(self.names)).astype(np.int64)
        return of_names, np.bincount(pair, weights[its_unit], len(self.pairs)).astype(np.int64)

    def sparing(self, order: Numbers, number: int, train: NDArray[np.bool_]) -> Numbers:
        """The first so many pairs of an order that leave every name in some of these examples, in their own order.

        A pair whose examples are the last ones with a name is passed over; there may then be fewer.
        """
        weights = np.bincount(self.unit_of[train], minlength=int(self.unit_of.max(initial=-1)) + 1)
        left, _ = self.often(train)
        name, its_unit = self.name_units  # in the order of the units
        names_from = np.searchsorted(its_unit, np.arange(len(weights) + 1))
        by_pair = np.argsort(self.pair_units[0], kind="stable")
        units_from = np.searchsorted(self.pair_units[0][by_pair], np.arange(len(self.pairs) + 1))
        gone = np.zeros(len(weights), np.bool_)
        chosen: list[int] = []
        for pair in order.tolist():
            if len(chosen) == number:
                break
            units = self.pair_units[1][by_pair[units_from[pair] : units_from[pair + 1]]]
            units = units[~gone[units]]
            lengths = names_from[units + 1] - names_from[units]
            names = name[range_places(names_from[units], lengths)]
            loss = np.bincount(names, np.repeat(weights[units], lengths), len(left)).astype(np.int64)
            if ((loss > 0) & (loss >= left)).any():
                continue
            left, gone[units] = left - loss, True
            chosen.append(pair)
        return np.array(sorted(chosen), np.int64)

    def having(self, held: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which examples have one of some pairs."""
        units = np.zeros(int(self.unit_of.max(initial=-1)) + 1, np.bool_)
        pair, unit = self.pair_units
        units[unit[held[pair]]] = True
        return units[self.unit_of]


def name_pairs(properties: Properties) -> NamePairs:
    """The pairs of names of a data set.

    >>> from recombine.measures.properties.holds import Properties
    >>> from recombine.workbench import load
    >>> data = load([("a", "count ( filter ( red , find ( dog ) ) )"), ("b", "find ( dog )")], language="scenes")
    >>> name_pairs(Properties(data)).texts()
    ['dog + red']
    """
    trees, which = properties.nodes.programs.trees, properties.nodes.programs.which
    leaves = trees.children == 0
    named = np.array([text != EVERYTHING and not is_number(text) for text in trees.texts], np.bool_)[trees.labels]
    nodes = np.flatnonzero(leaves & named)
    used = sorted(set(trees.labels[nodes].tolist()))
    answers = _answers(properties)
    names = sorted({name_of(trees.texts[label]) for label in used} | set(answers) - {""})
    number = {name: place for place, name in enumerate(names)}
    renumber = np.full(len(trees.texts), -1, np.int64)
    renumber[used] = [number[name_of(trees.texts[label])] for label in used]

    asked = np.array([number.get(answer, -1) for answer in answers], np.int64)
    keys, firsts, unit_of = np.unique(which * (len(names) + 1) + asked + 1, return_index=True, return_inverse=True)
    owners = properties.nodes.owners[nodes]
    begins = np.searchsorted(owners, np.arange(len(trees) + 1))
    programs = which[firsts]
    lengths = begins[programs + 1] - begins[programs]
    units = np.repeat(np.arange(len(keys)), lengths)
    its_names = renumber[trees.labels[nodes[range_places(begins[programs], lengths)]]]
    more = np.flatnonzero(asked[firsts] >= 0)
    width = max(len(names), 1)
    both = np.unique(
        np.concatenate((units, more)) * width + np.concatenate((its_names, asked[firsts][more]))  # each name once
    )
    units, its_names = np.divmod(both, width)
    pairs, pair_units = _pairs(units, its_names, len(keys), width)
    distinct, place = np.unique(pairs, return_inverse=True)
    return NamePairs(names, unit_of, (its_names, units), distinct, (place, pair_units))


def _answers(properties: Properties) -> list[str]:
    """The answers of the examples whose program asks for one, else empty."""
    trees, which = properties.nodes.programs.trees, properties.nodes.programs.which
    asks = np.array([not label_names(text).isdisjoint(QUERIES) for text in trees.texts], np.bool_)
    asking = asks[trees.labels[trees.starts[:-1]]][which]
    if not asking.any() or not properties.fields.has("answer"):
        return [""] * len(which)
    column = properties.fields.column("answer")
    return [str(answer) if there else "" for answer, there in zip(column, asking.tolist(), strict=True)]


def _pairs(units: Numbers, names: Numbers, number: int, width: int) -> tuple[Numbers, Numbers]:
    """Every two names of a unit, the lower first, and the unit; units of as many names are done together."""
    sizes = np.bincount(units, minlength=number)
    begins = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    pairs, owners = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for size in range(2, int(sizes.max(initial=0)) + 1):
        here = np.flatnonzero(sizes == size)
        table = names[begins[here][:, None] + np.arange(size)]
        first, second = np.triu_indices(size, 1)
        pairs.append((table[:, first] * width + table[:, second]).ravel())
        owners.append(np.repeat(here, len(first)))
    return np.concatenate(pairs), np.concatenate(owners)
