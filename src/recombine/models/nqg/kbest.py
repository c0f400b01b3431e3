"""Derivations of a forest from the best down, one at a time, without listing them all (Huang and Chiang, 2005).

Each node and each port keeps the derivations it has given so far and a heap of those that may come next; a place in a
derivation is asked for its next best only when a heap reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.nqg.forest_kernels import Packed, Scores


@dataclass(frozen=True, slots=True)
class Derivation:
    """A rule and the derivations in its slots."""

    rule: int
    children: tuple[Derivation, ...]
    score: float


class _Source:
    """Derivations in falling order: those given, and a heap of (-score, serial, payload) of those to come."""

    __slots__ = ("given", "heap", "seen", "serial")

    def __init__(self) -> None:
        self.given: list[tuple[float, Derivation]] = []
        self.heap: list[tuple[float, int, tuple[int, int, int]]] = []
        self.seen: set[tuple[int, int, int]] = set()
        self.serial = 0

    def offer(self, score: float, payload: tuple[int, int, int]) -> None:
        self.seen.add(payload)
        heappush(self.heap, (-score, self.serial, payload))
        self.serial += 1


class KBest:
    """The derivations of one forest under given scores."""

    def __init__(self, forest: Packed, scores: Scores) -> None:
        self.forest = forest
        self.node_score = scores.node.tolist()
        self.edge_score = scores.edge.tolist()
        self.link_at = scores.link_at.tolist()
        self.link_score = scores.link.tolist()
        self.nodes: dict[int, _Source] = {}
        self.ports: dict[int, _Source] = {}
        self.groups: list[int] = []
        for group in range(forest.node_at.size - 1):
            self.groups += [group] * int(forest.port_at[group + 1] - forest.port_at[group])

    def __iter__(self) -> Iterator[Derivation]:
        heap = [(-self._port(root, 0)[0], root, 0) for root in self.forest.root.tolist()]  # type: ignore[index]
        heapify(heap)
        while heap:
            negative, root, rank = heappop(heap)
            _, derivation = self._port(root, rank)  # type: ignore[misc]  # it was there when it was pushed
            yield Derivation(derivation.rule, derivation.children, -negative)
            after = self._port(root, rank + 1)
            if after is not None:
                heappush(heap, (-after[0], root, rank + 1))

    def _port(self, port: int, rank: int) -> tuple[float, Derivation] | None:
        """The derivation of this rank below a port, its link scored in."""
        source = self.ports.get(port)
        low = int(self.forest.node_at[self.groups[port]])
        if source is None:
            source = self.ports[port] = _Source()
            for k in range(int(self.forest.node_at[self.groups[port] + 1]) - low):
                first = self._node(low + k, 0)
                if first is not None:
                    source.offer(first[0] + self.link_score[self.link_at[port] + k], (k, 0, 0))
        while len(source.given) <= rank and source.heap:
            negative, _, (k, number, _) = heappop(source.heap)
            found = self._node(low + k, number)
            source.given.append((-negative, found[1]))  # type: ignore[index]  # it was there when it was offered
            after = self._node(low + k, number + 1)
            if after is not None:
                source.offer(after[0] + self.link_score[self.link_at[port] + k], (k, number + 1, 0))
        return source.given[rank] if rank < len(source.given) else None

    def _node(self, node: int, rank: int) -> tuple[float, Derivation] | None:
        """The derivation of this rank with a node on top."""
        source = self.nodes.get(node)
        if source is None:
            source = self.nodes[node] = _Source()
            for edge in range(int(self.forest.edge_at[node]), int(self.forest.edge_at[node + 1])):
                self._offer(source, node, (edge, 0, 0))
            heapify(source.heap)
        while len(source.given) <= rank and source.heap:
            negative, _, payload = heappop(source.heap)
            edge, one, two = payload
            ports = [int(port) for port in self.forest.edges[edge] if port >= 0]
            children = [self._port(port, number) for port, number in zip(ports, (one, two), strict=False)]
            below = tuple(child[1] for child in children if child is not None)
            source.given.append((-negative, Derivation(int(self.forest.rule[node]), below, -negative)))
            if ports:
                self._offer(source, node, (edge, one + 1, two))
            if len(ports) > 1:
                self._offer(source, node, (edge, one, two + 1))
        return source.given[rank] if rank < len(source.given) else None

    def _offer(self, source: _Source, node: int, payload: tuple[int, int, int]) -> None:
        if payload in source.seen:
            return
        score = self.node_score[node] + self.edge_score[payload[0]]
        ports = [int(port) for port in self.forest.edges[payload[0]] if port >= 0]
        for port, number in zip(ports, payload[1:], strict=False):
            child = self._port(port, number)
            if child is None:
                return
            score += child[0]
        source.offer(score, payload)
