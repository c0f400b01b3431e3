"""What questions about a noisy annotation are answered by the scenes as they are.

There an object has every name that fits it: a puppy is asked for as a dog too. An answer that is a name is right where
it fits what is there.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.programs.execute import Executor
from recombine.scenes.programs.no_answer import NoAnswer
from recombine.scenes.programs.scene_masks import SceneMasks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.balance.asked_question import AskedQuestion
    from recombine.scenes.scene import Scene, Scenes
    from recombine.scenes.synthetic.ontology import Ontology


class TruthShare(NamedTuple):
    """How many questions are answered otherwise by the truth, in all and by template."""

    asked: int
    differ: int
    no_answer: int
    """Those of them that have no valid answer there."""
    by_template: dict[str, float]

    @property
    def share(self) -> float:
        """The share of questions whose answer differs."""
        return self.differ / max(1, self.asked)


class WideExecutor(Executor):
    """Executes programs over scenes in which objects and relations have every name that fits them."""

    def __init__(self, scenes: Scenes, ontology: Ontology) -> None:
        super().__init__(scenes, scenes.attribute_types)
        self._ontology = ontology

    def masks(self, place: int) -> SceneMasks:
        """The bits of a scene, under all names."""
        masks = self._masks.get(place)
        if masks is None:
            masks = self._masks[place] = _widened(self.scenes[place], self._ontology)
        return masks


def _widened(scene: Scene, ontology: Ontology) -> SceneMasks:
    plain = SceneMasks.of(scene)
    wide = SceneMasks(scene, plain.everything, {}, plain.attributes, {})
    for name, mask in plain.names.items():
        for each in ontology.noun_names(name):
            wide.names[each] = wide.names.get(each, 0) | mask
    for name, pairs in plain.relations.items():
        for each in ontology.relation_names(name):
            wide.relations.setdefault(each, []).extend(pairs)
    for relation in plain.modified:
        wide.modified += [relation._replace(name=each) for each in ontology.relation_names(relation.name)]
    return wide


def answers_by_truth(questions: Sequence[AskedQuestion], truth: Scenes, ontology: Ontology) -> TruthShare:
    """How many questions the truth answers otherwise."""
    executor = WideExecutor(truth, ontology)
    places = {scene.id: place for place, scene in enumerate(truth)}
    asked: Counter[str] = Counter()
    differ: Counter[str] = Counter()
    without = 0
    for question in questions:
        asked[question.template] += 1
        try:
            answer = executor.value(question.program, [places[image] for image in question.images])
        except NoAnswer:
            without += 1
            differ[question.template] += 1
            continue
        fitting = {answer, *ontology.noun_names(answer)} if isinstance(answer, str) else {answer}
        differ[question.template] += question.answer not in fitting
    shares = {name: differ[name] / asked[name] for name in sorted(asked)}
    return TruthShare(asked.total(), differ.total(), without, shares)
