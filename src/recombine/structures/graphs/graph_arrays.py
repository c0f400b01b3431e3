"""Graphs as flat arrays, for the kernels that find their sub-graphs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import DerivationError
from recombine.structures.programs.distinct_programs import DistinctPrograms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.records.derivation import Derivation


@dataclass(frozen=True)
class GraphArrays:
    """Where the nodes and the edges of each graph begin, the numbers of rules by node, and rows of edges.

    An edge is parent, child and slot, with nodes counted from 0 in each graph.
    """

    node_start: NDArray[np.int64]
    labels: NDArray[np.int32]
    edge_start: NDArray[np.int64]
    edges: NDArray[np.int32]

    @classmethod
    def of(cls, graphs: Sequence[Derivation], rules: Sequence[str]) -> GraphArrays:
        """The arrays of these graphs, with the numbers that these rules have by their places."""
        label = {rule: number for number, rule in enumerate(rules)}
        node_start = np.zeros(len(graphs) + 1, np.int64)
        np.cumsum([len(graph.rules) for graph in graphs], out=node_start[1:])
        edge_start = np.zeros(len(graphs) + 1, np.int64)
        np.cumsum([len(graph.edges) for graph in graphs], out=edge_start[1:])
        labels = np.array([label[rule] for graph in graphs for rule in graph.rules], np.int32)
        edges = np.array([edge for graph in graphs for edge in graph.edges], np.int32).reshape(-1, 3)
        return cls(node_start, labels, edge_start, edges)

    @classmethod
    def of_programs(cls, programs: DistinctPrograms) -> tuple[GraphArrays, NDArray[np.int64]]:
        """The arrays of the distinct trees of programs, and the number of each example's; two texts may be one tree."""
        place: dict[bytes, int] = {}
        rows = np.column_stack((programs.labels, programs.trees.children))
        bounds = programs.trees.starts.tolist()
        firsts: list[int] = []
        numbers: list[int] = []
        for program, (first, last) in enumerate(pairwise(bounds)):
            number = place.setdefault(rows[first:last].tobytes(), len(place))
            numbers.append(number)
            if number == len(firsts):
                firsts.append(program)
        trees = programs.trees.taken(np.array(firsts, np.int64))
        which = np.array(numbers, np.int64)[programs.which]
        labels = DistinctPrograms(trees, which).labels.astype(np.int32)
        parents, slots = trees.linked()
        begins = np.repeat(trees.starts[:-1], np.diff(trees.starts))
        below = parents >= 0
        nodes = np.arange(len(parents))
        edges = np.column_stack((parents - begins, nodes - begins, slots))[below].astype(np.int32)
        # Every node of a tree but its root has one edge to its parent.
        return cls(trees.starts, labels, trees.starts - np.arange(len(trees.starts)), edges), which

    def refuse_large(self) -> None:
        """Raises where a graph has more nodes than the kernels can take."""
        from recombine.structures.graphs.subgraphs import MAX_NODES

        large = int(np.diff(self.node_start).max(initial=0))
        if large > MAX_NODES:
            raise DerivationError(
                f"a derivation has {large} rule applications, more than the {MAX_NODES} that compounds can take",
                "use dag:2-2,counts, which takes any size, or name the language of the targets and use parts of "
                "programs",
            )
