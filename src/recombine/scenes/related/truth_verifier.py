"""The verifier that knows: it looks into the truth graph of a synthetic scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.subgraphs.instances import SAME_NAME, Fits, holds

if TYPE_CHECKING:
    from recombine.scenes.scene import Scene, Scenes
    from recombine.scenes.subgraph import Subgraph
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
        self._known: dict[Subgraph, dict[str, float]] = {}
        self._with_noun: dict[str, list[Scene]] = {}

    def score(self, scene_id: str, simple: Subgraph) -> float:
        """1.0 where the scene holds it, else 0.0; a scene that is not there holds nothing."""
        known = self._known.get(simple)
        if known is None:
            known = self._known[simple] = {
                scene.id: 1.0 for scene in self._scenes_with(simple.name) if holds(scene, simple, fits=self._fits)
            }
        return known.get(scene_id, 0.0)

    def _scenes_with(self, noun: str) -> list[Scene]:
        """The scenes with an object that a noun fits."""
        if noun not in self._with_noun:
            self._with_noun[noun] = [
                scene for scene in self._truth if any(self._fits.noun(noun, each.name) for each in scene.objects)
            ]
        return self._with_noun[noun]
