"""Questions as examples: a wording with the names of a grounding, its form, and all that a release says of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.datasets.kbqa_made.draw_questions import draw_questions
from recombine.datasets.kbqa_made.release_item import CANONICAL, FORM, WORDING, ReleaseItems
from recombine.kb.templates.template import TEMPLATE_FUNCTIONS
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.datasets.kbqa_made.entity_calls import EntityCalls
    from recombine.datasets.kbqa_made.fill_cells import FilledCells
    from recombine.datasets.kbqa_made.made_template import MadeTemplate
    from recombine.datasets.kbqa_made.workshop import Workshop
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.templates.grounding import Grounding
    from recombine.kb.wording.wording import Skeleton

_QUESTIONS = 1_000_000
"""The ids of the questions of a template follow each other, and so many are kept for each."""
_BRACKETS = str.maketrans("[]", "()")
_IDENTIFIER = re.compile(r"\S*\d\S*")
"""What no person calls anything: one word with a digit."""


class QuestionExamples:
    """Makes examples of templates; what is drawn is less likely from then on."""

    def __init__(self, workshop: Workshop, calls: EntityCalls, *, divide_forms: float, divide_wordings: float) -> None:
        self._wordings, self._calls = workshop.wordings, calls
        self._items = ReleaseItems(workshop.space, calls, workshop.wordings.vocabulary)
        self._forms, self._words = divide_forms, divide_wordings
        self.unnamed: Counter[str] = Counter()
        """How many questions call an entity by an identifier, as it has no name."""

    def iter_examples(self, filled: FilledCells, seed: int) -> Iterator[Example]:
        """The questions of all templates, each template by itself decided by the seed and its place."""
        for number, (template, wanted) in enumerate(filled):
            rng = np.random.default_rng([seed, len(TEMPLATE_FUNCTIONS), number])
            yield from self._of_template(template, wanted, number, rng)

    def _of_template(
        self, template: MadeTemplate, wanted: int, number: int, rng: np.random.Generator
    ) -> Iterator[Example]:
        draws = draw_questions(template, wanted, rng, divide_forms=self._forms, divide_wordings=self._words)
        for place, drawn in enumerate(draws):
            grounding, skeleton = template.groundings[drawn.grounding], template.skeletons[drawn.wording]
            names = self._names(grounding, skeleton, rng)
            item = self._items.item(grounding)
            tags = {
                "qid": number * _QUESTIONS + place,
                **{name: value for name, value in item.items() if name != FORM},
                "graph_query": _with_names(item["graph_query"], names),
                WORDING: skeleton.tag,
                CANONICAL: template.skeletons[0].filled(names).plain,
            }
            yield Example.of(skeleton.filled(names).plain, item[FORM], tags=tags)

    def _names(self, grounding: Grounding, skeleton: Skeleton, rng: np.random.Generator) -> dict[int, str]:
        """What each leaf is called, of several names of an entity any."""
        return {leaf: self._name(grounding.form.nodes[leaf], rng) for leaf in sorted(skeleton.leaves)}

    def _name(self, node: GraphNode, rng: np.random.Generator) -> str:
        names = self._calls.names(node.value) if node.kind == "entity" and node.value is not None else ()
        if not names:
            name = self._wordings.name_of(node)
            self.unnamed[name] += node.kind == "entity" and _IDENTIFIER.fullmatch(name) is not None
            return name
        return names[int(rng.integers(len(names)))].translate(_BRACKETS)


def _with_names(graph: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    """A graph query whose entities are called as the question calls them."""
    nodes = [
        {**node, "friendly_name": names.get(place, node["friendly_name"])} for place, node in enumerate(graph["nodes"])
    ]
    return {**graph, "nodes": nodes}
