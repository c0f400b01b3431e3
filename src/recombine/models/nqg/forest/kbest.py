"""The best derivation of a forest, and further ones from the best down without listing them all.

Each node and each port keeps the derivations it has given so far and a heap of those that may come next; a place in a
derivation is asked for its next best only when a heap reaches it (Huang and Chiang, 2005). Requests are kept on a list
of their own rather than on Python's stack, so that deep derivations are no different from others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.nqg.forest.forest_kernels import viterbi

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.models.nqg.forest.forest_kernels import Packed, Scores
    from recombine.models.nqg.rule import QcfgRule


@dataclass(frozen=True, slots=True)
class Derivation:
    """A rule and the derivations in its slots."""

    rule: int
    children: tuple[Derivation, ...]
    score: float


Scored = tuple[float, Derivation] | None
"""A derivation with its score; none where there are no more."""
Request = tuple[bool, int, int]
"""Whether a port is asked, or a node; its number; the rank that is wanted."""
Answer = Generator[Request, Scored, Scored]


def target_of(derivation: Derivation, rules: Sequence[QcfgRule]) -> tuple[str, ...]:
    """The target that a derivation gives."""
    order: list[Derivation] = [derivation]
    for part in order:
        order.extend(part.children)
    targets: dict[int, tuple[str, ...]] = {}
    for part in reversed(order):
        targets[id(part)] = rules[part.rule].apply(*(targets[id(child)] for child in part.children))
    return targets[id(derivation)]


def best_derivation(forest: Packed, scores: Scores) -> Derivation:
    """The derivation of the highest score."""
    node_edge, port_node, port_best = viterbi(forest, scores)
    root = int(forest.root[int(np.argmax(port_best[forest.root]))])
    order: list[tuple[int, list[int]]] = []
    waiting = [int(port_node[root])]
    while waiting:
        node = waiting.pop()
        below = [int(port_node[port]) for port in forest.edges[node_edge[node]] if port >= 0]
        order.append((node, below))
        waiting += below
    # Children come after their parent, the second before the first; from the end, then, the second is made last.
    made: list[Derivation] = []
    for node, below in reversed(order):
        children = tuple(made.pop() for _ in below)[::-1]
        made.append(Derivation(int(forest.rule[node]), children, 0.0))
    (top,) = made
    return Derivation(top.rule, top.children, float(port_best[root]))


class _Place:
    """The derivations of one node or port in falling order: those given, and a heap of those to come."""

    __slots__ = ("given", "heap", "seen")

    def __init__(self) -> None:
        self.given: list[tuple[float, Derivation]] = []
        self.heap: list[tuple[float, int, tuple[int, int, int]]] = []
        self.seen: set[tuple[int, int, int]] = set()

    def offer(self, score: float, payload: tuple[int, int, int]) -> None:
        """Put what may come next on the heap; among equal scores, what was offered first comes first."""
        self.seen.add(payload)
        heappush(self.heap, (-score, len(self.seen), payload))


class KBest:
    """The derivations of one forest under given scores, from the best down."""

    def __init__(self, forest: Packed, scores: Scores) -> None:
        self.forest = forest
        self.scores = scores
        self.places: dict[tuple[bool, int], _Place] = {}
        self.group_of = np.repeat(np.arange(forest.node_at.size - 1), np.diff(forest.port_at))

    def __iter__(self) -> Iterator[Derivation]:
        heap = []
        for root in self.forest.root.tolist():
            first = self._ask((True, root, 0))
            if first is not None:
                heap.append((-first[0], root, 0, first[1]))
        heapify(heap)
        while heap:
            negative, root, rank, derivation = heappop(heap)
            yield Derivation(derivation.rule, derivation.children, -negative)
            after = self._ask((True, root, rank + 1))
            if after is not None:
                heappush(heap, (-after[0], root, rank + 1, after[1]))

    def _ask(self, request: Request) -> Scored:
        """Answer a request and all that it leads to."""
        stack = [self._answer(request)]
        value: Scored = None
        while stack:
            try:
                wanted = stack[-1].send(value)
            except StopIteration as stop:
                value = stop.value
                stack.pop()
                continue
            place = self.places.get(wanted[:2])
            if place is not None and wanted[2] < len(place.given):
                value = place.given[wanted[2]]
            else:
                stack.append(self._answer(wanted))
                value = None
        return value

    def _answer(self, request: Request) -> Answer:
        is_port, number, rank = request
        place = self.places.get((is_port, number))
        if place is None:
            place = self.places[is_port, number] = _Place()
            yield from self._open_port(place, number) if is_port else self._open_node(place, number)
        while len(place.given) <= rank and place.heap:
            yield from self._next_of_port(place, number) if is_port else self._next_of_node(place, number)
        return place.given[rank] if rank < len(place.given) else None

    def _open_port(self, place: _Place, port: int) -> Answer:
        group = self.group_of[port]
        for k in range(int(self.forest.node_at[group + 1] - self.forest.node_at[group])):
            yield from self._offer_node(place, port, k, 0)
        return None

    def _next_of_port(self, place: _Place, port: int) -> Answer:
        negative, _, (k, number, _) = heappop(place.heap)
        scored = yield (False, self._node(port, k), number)
        if scored is not None:
            place.given.append((-negative, scored[1]))
        yield from self._offer_node(place, port, k, number + 1)
        return None

    def _offer_node(self, place: _Place, port: int, k: int, number: int) -> Answer:
        scored = yield (False, self._node(port, k), number)
        if scored is not None:
            place.offer(scored[0] + float(self.scores.link[self.scores.link_at[port] + k]), (k, number, 0))
        return None

    def _node(self, port: int, k: int) -> int:
        return int(self.forest.node_at[self.group_of[port]]) + k

    def _open_node(self, place: _Place, node: int) -> Answer:
        for edge in range(int(self.forest.edge_at[node]), int(self.forest.edge_at[node + 1])):
            yield from self._offer_edge(place, node, (edge, 0, 0))
        return None

    def _next_of_node(self, place: _Place, node: int) -> Answer:
        negative, _, (edge, one, two) = heappop(place.heap)
        children = []
        for port, number in zip(self._ports(edge), (one, two), strict=False):
            child = yield (True, port, number)
            if child is not None:
                children.append(child[1])
        place.given.append((-negative, Derivation(int(self.forest.rule[node]), tuple(children), -negative)))
        if children:
            yield from self._offer_edge(place, node, (edge, one + 1, two))
        if len(children) > 1:
            yield from self._offer_edge(place, node, (edge, one, two + 1))
        return None

    def _offer_edge(self, place: _Place, node: int, payload: tuple[int, int, int]) -> Answer:
        if payload in place.seen:
            return None
        score = float(self.scores.node[node] + self.scores.edge[payload[0]])
        for port, number in zip(self._ports(payload[0]), payload[1:], strict=False):
            child = yield (True, port, number)
            if child is None:
                return None
            score += child[0]
        place.offer(score, payload)
        return None

    def _ports(self, edge: int) -> list[int]:
        return [int(port) for port in self.forest.edges[edge] if port >= 0]
