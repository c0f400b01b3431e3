"""Log-sums over forests on whatever device torch computes on, level by level.

A group rests on groups of lower levels only, so that all nodes and ports of one level, over all forests of a batch, are
summed at once, and torch finds the gradients. The compiled sums of `forest_torch` give the same numbers on a CPU; these
need no numba, and a GPU never waits for the CPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.nqg.scoring.forest_torch import Indexed

    Ints = NDArray[np.int64]

_COUNTED = {
    "scored": "scored",
    "edge_node": "nodes",
    "edge_ports": "ports",
    "link_port": "ports",
    "link_node": "nodes",
    "root_port": "ports",
    "root_forest": "forests",
}
"""The arrays that hold numbers of other things, and of which; in a batch they are counted on."""


class Levelled(NamedTuple):
    """Forests of a source as flat arrays; see `forest_kernels` for groups, nodes, edges and ports."""

    scored: Any  # (nodes): the number of its score
    rule: Any  # (nodes)
    node_level: Any  # (nodes)
    edge_node: Any  # (edges)
    edge_ports: Any  # (edges, 2): -1 where the rule has no slot
    edge_feature: Any  # (edges)
    link_port: Any  # (links)
    link_node: Any  # (links)
    link_feature: Any  # (links, features of a link)
    port_level: Any  # (ports)
    root_port: Any  # (ports at the top)
    root_forest: Any  # (ports at the top)
    counts: Any  # (2): scores and forests

    @classmethod
    def of(cls, indexed: Indexed) -> Levelled:
        """Those of forests with the numbers of their scores and features."""
        forest = indexed.forest
        nodes, ports = np.diff(forest.node_at), np.diff(forest.port_at)
        group_of_port = np.repeat(np.arange(ports.size), ports)
        levels = _levels(forest, group_of_port)
        sizes = nodes[group_of_port]
        link_port = np.repeat(np.arange(sizes.size), sizes)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        return cls(
            indexed.node,
            forest.rule,
            np.repeat(levels, nodes),
            np.repeat(np.arange(forest.rule.size), np.diff(forest.edge_at)),
            forest.edges,
            indexed.edge,
            link_port,
            forest.node_at[:-1][group_of_port][link_port] + np.arange(link_port.size) - first,
            indexed.link,
            np.repeat(levels, ports),
            forest.root,
            np.repeat(np.arange(forest.root_at.size - 1), np.diff(forest.root_at)),
            np.array([indexed.scored, forest.root_at.size - 1]),
        )


def _levels(forest: Any, group_of_port: Ints) -> Ints:
    """The level of each group: one above the highest that it rests on."""
    levels = np.zeros(forest.node_at.size - 1, np.int64)
    for group in range(levels.size):
        low, high = forest.edge_at[forest.node_at[group]], forest.edge_at[forest.node_at[group + 1]]
        below = forest.edges[low:high]
        below = below[below >= 0]
        if below.size:
            levels[group] = 1 + levels[group_of_port[below]].max()
    return levels


def joined(parts: Sequence[Levelled]) -> Levelled:
    """Several as one; their scores are then those of the first, those of the second, and so on."""
    counts = {
        "scored": [int(part.counts[0]) for part in parts],
        "nodes": [part.rule.size for part in parts],
        "ports": [part.port_level.size for part in parts],
        "forests": [int(part.counts[1]) for part in parts],
    }
    before = {name: np.cumsum([0, *numbers]) for name, numbers in counts.items()}
    made = {}
    for name in Levelled._fields[:-1]:
        rows = [np.asarray(getattr(part, name), np.int64) for part in parts]
        if name in _COUNTED:
            rows = [np.where(row < 0, row, row + at) for row, at in zip(rows, before[_COUNTED[name]], strict=False)]
        made[name] = np.concatenate(rows)
    return Levelled(**made, counts=np.array([before["scored"][-1], before["forests"][-1]]))


class _Level(NamedTuple):
    """What is summed at once: places of edges and links, and within the level, where each belongs."""

    nodes: Tensor
    edges: Tensor
    edge_ports: Tensor  # counted from 1 in the order of levels; 0 is none
    edge_node: Tensor
    links: Tensor
    link_node: Tensor
    link_port: Tensor
    ports: int


@dataclass(frozen=True)
class LevelSums:
    """Forests of a batch, ready to be summed on a device."""

    forests: Levelled
    levels: Sequence[_Level]
    index: dict[str, Tensor]

    @classmethod
    def of(cls, parts: Sequence[Levelled], device: torch.device | str = "cpu") -> LevelSums:
        """Those of several sources."""
        every = joined(parts)

        def moved(values: Ints) -> Tensor:
            return torch.from_numpy(np.ascontiguousarray(values)).to(device)

        order = np.argsort(every.port_level, kind="stable")
        port_place = np.empty(order.size + 1, np.int64)
        port_place[order] = np.arange(1, order.size + 1)
        port_place[-1] = 0  # what -1 leads to
        edge_level, link_level = every.node_level[every.edge_node], every.port_level[every.link_port]
        levels, ports_before = [], 0
        for level in range(int(every.node_level.max(initial=0)) + 1):
            nodes, edges = (np.flatnonzero(of == level) for of in (every.node_level, edge_level))
            links, ports = (np.flatnonzero(of == level) for of in (link_level, every.port_level))
            levels.append(
                _Level(
                    moved(nodes),
                    moved(edges),
                    moved(port_place[every.edge_ports[edges]]),
                    moved(np.searchsorted(nodes, every.edge_node[edges])),
                    moved(links),
                    moved(np.searchsorted(nodes, every.link_node[links])),
                    moved(port_place[every.link_port[links]] - 1 - ports_before),
                    ports.size,
                )
            )
            ports_before += ports.size
        names = ("scored", "rule", "edge_feature", "link_feature", "root_forest")
        index = {name: moved(np.asarray(getattr(every, name), np.int64)) for name in names}
        return cls(every, levels, {**index, "root_port": moved(port_place[every.root_port])})

    def log_sums(self, nodes: Tensor, rules: Tensor, features: Tensor) -> Tensor:
        """The log-sum of each forest, given scores of anchored rules, of rules and of features."""
        index = self.index
        features = torch.cat([features.new_zeros(1), features[1:]])  # the first is none
        node_score = nodes.double()[index["scored"]] + rules[index["rule"]]
        edge_score, link_score = features[index["edge_feature"]], features[index["link_feature"]].sum(dim=1)
        below = node_score.new_zeros(1)  # what a slot that is none adds
        for level in self.levels:
            edges = edge_score[level.edges] + below[level.edge_ports].sum(dim=1)
            inside = node_score[level.nodes] + _log_sum(edges, level.edge_node, level.nodes.numel())
            links = inside[level.link_node] + link_score[level.links]
            below = torch.cat([below, _log_sum(links, level.link_port, level.ports)])
        return _log_sum(below[index["root_port"]], index["root_forest"], int(self.forests.counts[1]))


def _log_sum(values: Tensor, place: Tensor, size: int) -> Tensor:
    """The log of the summed exponentials of the values of each place; each has one at least."""
    with torch.no_grad():
        top = values.new_full((size,), -torch.inf).scatter_reduce(0, place, values, "amax")
    return top + torch.log(values.new_zeros(size).index_add(0, place, torch.exp(values - top[place])))
