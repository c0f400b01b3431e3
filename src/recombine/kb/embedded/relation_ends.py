"""What every relation of an index leads from and to, found for all relations in one pass over the facts.

`EmbeddedStore.along` looks at every node for one relation, which is the quicker way for a few of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from recombine.kb.embedded.hop_kernels import Edges

    Ids = npt.NDArray[np.int32]


class RelationEnds:
    """The ends of relations, by the ids of these."""

    def __init__(self, edges: Edges) -> None:
        self._edges = edges

    def along(self, relation: int, *, inverse: bool = False) -> Ids:
        """The ids of all subjects of a relation, or of all its targets, sorted."""
        relations, starts, nodes = self._backward if inverse else self._forward
        place = int(np.searchsorted(relations, relation))
        if place == len(relations) or relations[place] != relation:
            return nodes[:0]
        return nodes[starts[place] : starts[place + 1]]

    def pairs(self, *, inverse: bool = False) -> tuple[Ids, npt.NDArray[np.int64]]:
        """Every node with each of the relations from it, or to it, once, by node and relation."""
        edges = self._edges
        starts, ends = (edges.backward_starts, edges.backward) if inverse else (edges.forward_starts, edges.forward)
        nodes = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
        relations = (ends >> 32).astype(np.int64)
        first = np.ones(len(nodes), bool)
        first[1:] = (nodes[1:] != nodes[:-1]) | (relations[1:] != relations[:-1])
        return nodes[first], relations[first]

    @cached_property
    def _forward(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Ids]:
        return self._by_relation(inverse=False)

    @cached_property
    def _backward(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Ids]:
        return self._by_relation(inverse=True)

    def _by_relation(self, *, inverse: bool) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Ids]:
        nodes, relations = self.pairs(inverse=inverse)
        order = np.argsort(relations, kind="stable")  # nodes stay in their order
        found, starts = np.unique(relations[order], return_index=True)
        return found, np.append(starts, len(nodes)), nodes[order]
