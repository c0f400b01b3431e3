"""Whether an image holds a simple sub-graph after all, though its annotation does not say so (COVR, 2.2 and App. B)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from recombine.scenes.subgraphs.shape import NodeType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recombine.scenes.related.kinds import Change
    from recombine.scenes.subgraph import Subgraph


class Verifier(Protocol):
    """Judges simple sub-graphs of images."""

    def score(self, scene_id: str, simple: Subgraph) -> float:
        """How sure it is that the image holds the sub-graph, from 0 to 1."""
        ...


@runtime_checkable
class BatchVerifier(Verifier, Protocol):
    """A verifier that judges many images at once."""

    def scores(self, scene_ids: Sequence[str], simple: Subgraph) -> NDArray[np.float64]:
        """The score of each image."""
        ...


@dataclass(frozen=True)
class Thresholds:
    """The scores above which a sub-graph counts as held, by the type of the changed node; by default the paper's."""

    noun: float = 0.05
    relation: float = 0.1
    attribute: float = 0.5

    @property
    def least(self) -> float:
        """The smallest of them."""
        return min(self.noun, self.relation, self.attribute)

    def of(self, changes: Iterable[Change]) -> float:
        """The greatest of the thresholds of changed nodes."""
        by_type = {NodeType.NOUN: self.noun, NodeType.RELATION: self.relation, NodeType.ATTRIBUTE: self.attribute}
        return max(by_type[change.type] for change in changes)
