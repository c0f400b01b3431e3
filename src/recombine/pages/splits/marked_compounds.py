"""Where a compound is in a rule application graph, for a picture to mark it (CFQ paper, Figure 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.pages.drawing.graph import Graph
    from recombine.records.derivation import Derivation


def find_occurrence(derivation: Derivation, compound: Graph) -> list[int] | None:
    """The nodes of the first occurrence, in the order of the compound's; none where there is none.

    >>> from recombine.pages.drawing.graph import Graph
    >>> from recombine.records.derivation import Derivation
    >>> twice = Derivation.tree(("and", [("run", []), ("twice", [("jump", [])])]))
    >>> find_occurrence(twice, Graph(("and", "twice", "jump"), ((0, 1, 2), (1, 2, 1))))
    [0, 2, 3]
    """
    return next(_Search(derivation, compound).iter_places(), None)


class _Search:
    """A compound, looked for node by node, each beside one that has its place."""

    def __init__(self, derivation: Derivation, compound: Graph) -> None:
        self.rules, self.compound = derivation.rules, compound
        self.slots: dict[tuple[int, int], set[int]] = {}
        self.near: list[set[int]] = [set() for _ in derivation.rules]
        for parent, child, slot in derivation.edges:
            self.slots.setdefault((parent, child), set()).add(slot)
            self.near[parent].add(child)
            self.near[child].add(parent)
        self.wanted: dict[tuple[int, int], set[int]] = {}
        for parent, child, slot in compound.edges:
            self.wanted.setdefault((parent, child), set()).add(slot)
        self.order, self.beside = self._order()

    def _order(self) -> tuple[list[int], list[int]]:
        """The compound's nodes so that each but the first has a neighbour before it, and these neighbours."""
        order, beside = [0], [-1]
        while len(order) < len(self.compound.rules):
            for parent, child, _ in self.compound.edges:
                for known, new in ((parent, child), (child, parent)):
                    if known in order and new not in order:
                        order.append(new)
                        beside.append(known)
        return order, beside

    def iter_places(self) -> Iterator[list[int]]:
        """Every occurrence."""
        if set(self.compound.rules) <= set(self.rules):
            yield from self._iter({})

    def _iter(self, places: dict[int, int]) -> Iterator[list[int]]:
        if len(places) == len(self.order):
            yield [places[node] for node in range(len(places))]
            return
        node, known = self.order[len(places)], self.beside[len(places)]
        for place in sorted(self.near[places[known]]) if known >= 0 else range(len(self.rules)):
            if place not in places.values() and self._fits(node, place, places):
                yield from self._iter({**places, node: place})

    def _fits(self, node: int, place: int, places: dict[int, int]) -> bool:
        return self.rules[place] == self.compound.rules[node] and all(
            self.wanted.get(pair, set()) == self.slots.get(there, set())
            for other, at in places.items()
            for pair, there in (((node, other), (place, at)), ((other, node), (at, place)))
        )
