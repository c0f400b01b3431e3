"""The verifier that knows: it looks into the truth graph of a synthetic scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import InputFileError
from recombine.scenes.related.scene_index import SceneIndex
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.instances import MODIFIER_MARK, SAME_NAME, Fits, holds
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import Flat, NodeType, flatten, nodes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.scenes.scene import Scenes
    from recombine.scenes.synthetic.ontology import Ontology


class OntologyFits:
    """A name fits what is seen where it is the same, another word for it, or a wider one: a puppy is an animal."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def noun(self, asked: str, seen: str) -> bool:
        """Whether an object of one name is one of the other."""
        return asked == seen or asked in self._ontology.noun_names(seen)

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether the attributes are equal."""
        return asked == seen

    def relation(self, asked: str, seen: str) -> bool:
        """Whether a relation of one name is one of the other."""
        return asked == seen or asked in self._ontology.relation_names(seen)


class TruthVerifier:
    """Scores 1 where the truth graph of a scene holds a sub-graph, else 0; with an ontology, by wider words too."""

    def __init__(self, truth: Scenes, ontology: Ontology | None = None) -> None:
        self._fits: Fits = SAME_NAME if ontology is None else OntologyFits(ontology)
        self._truth = truth
        self._places = {scene.id: place for place, scene in enumerate(truth)}
        self._index = SceneIndex(truth, _SIMPLE)
        self._known: dict[Subgraph, NDArray[np.int64]] = {}
        self._masks: dict[tuple[NodeType, str], NDArray[np.bool_]] = {}

    def score(self, scene_id: str, simple: Subgraph) -> float:
        """1.0 where the scene holds it, else 0.0."""
        return float(self.scores([scene_id], simple)[0])

    def scores(self, scene_ids: Sequence[str], simple: Subgraph) -> NDArray[np.float64]:
        """The same for many scenes."""
        known = self._known.get(simple)
        if known is None:
            known = self._known[simple] = np.flatnonzero(self._held(simple))
        try:
            places = [self._places[each] for each in scene_ids]
        except KeyError as missing:
            raise InputFileError(f"the truth has no scene {missing}", "give the truth of the same scenes") from missing
        return np.isin(places, known).astype(np.float64)

    def _held(self, simple: Subgraph) -> NDArray[np.bool_]:
        """Which scenes hold it."""
        flat, wild = _without_mark(simple)
        held = np.zeros(len(self._truth), dtype=bool)
        table = self._index.tables.get(flat.shape)
        if table is not None:
            allowed = [
                None if place == wild else self._mask(node.type, name)
                for place, (node, name) in enumerate(zip(nodes_of(flat.shape), flat.names, strict=True))
            ]
            held[table.scenes[table.select_among(allowed)]] = True
        for place in self._index.cut:
            held[place] = holds(self._truth[place], simple, fits=self._fits)
        return held

    def _mask(self, kind: NodeType, name: str) -> NDArray[np.bool_]:
        key = (kind, name)
        if key not in self._masks:
            fits = getattr(self._fits, NodeType.RELATION if kind is NodeType.MODIFIER else kind)
            self._masks[key] = np.array([fits(name, seen) for seen in self._index.names[kind]], dtype=bool)
        return self._masks[key]


_SIMPLE = Limits.paper(relations_per_object=1, relations_on_a_way=1)


def _without_mark(simple: Subgraph) -> tuple[Flat, int]:
    """A simple sub-graph with modifiers as scenes have them, and the place of the name that does not matter, or -1."""
    if not simple.relations or MODIFIER_MARK not in simple.relations[0].name:
        return flatten(simple), -1
    verb, _, modifier = simple.relations[0].name.partition(MODIFIER_MARK)
    mods = (SubModifier(modifier, simple.relations[0].child),)
    said = Subgraph(simple.name, simple.attribute, (SubRelation(verb, Subgraph(""), mods),))
    flat = flatten(said)
    return flat, flat.names.index("")
