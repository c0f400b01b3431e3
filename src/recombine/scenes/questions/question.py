"""A question about several pictures, with its program and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.scenes.programs.execute import Value
    from recombine.scenes.subgraph import Subgraph


class Question(NamedTuple):
    """One question; twins have the same words and program, other images, and another answer."""

    source: str
    target: str
    answer: Value
    images: tuple[str, ...]
    roles: tuple[str, ...]
    """For each image `holds`, the changed kind, or `random`."""
    template: str
    form: str
    """Which form of the template, by its entry."""
    subgraph: Subgraph
    pair: int | None
    """The number that twins share; none where there is no twin."""
    scene: str
    """The id of the scene that the sub-graph is from."""

    @property
    def size(self) -> int:
        """The size of the sub-graph."""
        return self.subgraph.size

    @property
    def depth(self) -> int:
        """The depth of the sub-graph."""
        return self.subgraph.depth
