"""The images related to one sub-graph, looked up once and as far as they are asked for."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from itertools import permutations
from typing import TYPE_CHECKING

from recombine.scenes.questions.leaves import leaves_of, placed_objects
from recombine.scenes.questions.phrases import Objects
from recombine.scenes.subgraphs.simple_subgraphs import simple_subgraphs

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from recombine.scenes.questions.leaves import Leaf, Placed
    from recombine.scenes.related.related_images import Candidates, RelatedImages
    from recombine.scenes.subgraph import Subgraph
    from recombine.scenes.subgraphs.words import Words

LEAF, EXCEPT = "LEAF", "!"


class RelatedTo:
    """One sub-graph, what is said of it, and its related images."""

    def __init__(self, graph: Subgraph, related: RelatedImages, words: Words) -> None:
        self.graph, self._related, self._words = graph, related, words
        self.phrase = Objects(graph, words)
        self._verified: dict[int, bool] = {}

    @cached_property
    def distractors(self) -> Mapping[str, Candidates]:
        """The distractors by kind."""
        return self._related.distractors(self.graph)

    @cached_property
    def places(self) -> Mapping[str, NDArray[np.int32]]:
        """The places of the images of each kind."""
        return {kind: each.places for kind, each in self.distractors.items()}

    @cached_property
    def positives(self) -> NDArray[np.int32]:
        """The places of images that hold the sub-graph."""
        return self._related.positives(self.graph)

    def is_verified(self, place: int) -> bool:
        """Whether a verifier, where there is one, says that an image holds every simple part of the sub-graph."""
        verifier = self._related.verifier
        if verifier is None:
            return False
        known = self._verified.get(place)
        if known is None:
            thresholds, name = self._related.thresholds, self._related.scenes[place].id
            highest = max(thresholds.noun, thresholds.relation, thresholds.attribute)
            simple = simple_subgraphs(self.graph)
            known = self._verified[place] = all(verifier.score(name, each) > highest for each in simple)
        return known

    @cached_property
    def leaves(self) -> list[Leaf]:
        """What can be left out of the sub-graph."""
        return leaves_of(self.graph, self._words)

    @cached_property
    def objects(self) -> list[Placed]:
        """The objects of the sub-graph by number."""
        return placed_objects(self.graph)

    def kinds(self, patterns: tuple[str, ...], leaf: Leaf | None) -> list[str]:
        """The kinds that fit some patterns, in the order in which distractors have them."""
        numbers = leaf.numbers if leaf is not None else ()
        return [kind for kind in self.distractors if fits(kind, patterns, numbers)]


@lru_cache(maxsize=1 << 16)
def fits(kind: str, patterns: tuple[str, ...], leaf: tuple[int, ...]) -> bool:
    """Whether a kind is of some patterns and of none after `!`; LEAF is any of the objects left out.

    >>> fits("root_name+2_name", ("LEAF_name+*_name",), (2,)), fits("root_attr", ("*", "!root_attr"), ())
    (True, False)
    """
    taken = [each for each in patterns if not each.startswith(EXCEPT)]
    refused = [each.removeprefix(EXCEPT) for each in patterns if each.startswith(EXCEPT)]
    return any(_is(kind, each, leaf) for each in taken) and not any(_is(kind, each, leaf) for each in refused)


def _is(kind: str, pattern: str, leaf: tuple[int, ...]) -> bool:
    changes, parts = kind.split("+"), pattern.split("+")
    if len(changes) != len(parts):
        return False
    return any(all(map(_is_change, changes, order, (leaf,) * len(parts))) for order in permutations(parts))


def _is_change(change: str, pattern: str, leaf: tuple[int, ...]) -> bool:
    if pattern.startswith(LEAF):
        return any(change == f"{number}{pattern.removeprefix(LEAF)}" for number in leaf)
    return fnmatchcase(change, pattern)
