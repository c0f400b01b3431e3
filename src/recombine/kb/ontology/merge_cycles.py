"""Groups of classes that are sub-classes of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.term import Term


def merge_cycles(pairs: Sequence[tuple[Term, Term]]) -> tuple[tuple[Term, ...], ...]:
    """The groups of two or more classes each of which is below all others, in the order of their keys.

    >>> from recombine.kb.term import Term
    >>> a, b, c = map(Term.name, "abc")
    >>> [[name.text for name in group] for group in merge_cycles([(b, a), (a, b), (c, a)])]
    [['a', 'b']]
    """
    if not pairs:
        return ()
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names = sorted({name for pair in pairs for name in pair}, key=lambda term: term.key)
    places = {name: place for place, name in enumerate(names)}
    rows, columns = np.array([(places[name], places[other]) for name, other in pairs]).T
    graph = coo_array((np.ones(len(pairs), np.int8), (rows, columns)), shape=(len(names), len(names)))
    count, labels = connected_components(graph.tocsr(), directed=True, connection="strong")
    if count == len(names):
        return ()
    groups: dict[int, list[Term]] = {}
    for name, label in zip(names, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(name)
    return tuple(sorted((tuple(group) for group in groups.values() if len(group) > 1), key=lambda group: group[0].key))
