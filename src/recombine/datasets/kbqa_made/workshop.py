"""Makes templates with their groundings in lots, each of which its kind and number decide alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from recombine.datasets.kbqa_made.lossless_form import lossless_form
from recombine.datasets.kbqa_made.made_template import MadeTemplate, MadeTemplates
from recombine.kb.forms.form import COUNT, NONE, GraphQuery
from recombine.kb.templates.ground import Grounder
from recombine.kb.templates.template import TEMPLATE_FUNCTIONS, Template
from recombine.kb.templates.template_space import TemplateSpace
from recombine.kb.wording.wordings import Wordings, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from recombine.datasets.kbqa_made.people_wordings import PeopleWordings
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.templates.grounding import Grounding
    from recombine.kb.templates.popularity import Popularity
    from recombine.kb.wording.wording import Skeleton

LOT = 32
"""The templates that are tried in a lot."""
MOST_LOTS = 4096
"""So many lots of one kind are tried, where its templates are drawn and cannot be gone through."""
_LISTED = 2
"""Templates of so many relations, with no function or a count, are listed; all others are drawn."""


class Workshop:
    """What a knowledge base can be asked."""

    def __init__(
        self,
        store: EmbeddedStore,
        ontology: Ontology | None,
        *,
        seed: int,
        popularity: Popularity | None = None,
        redundant: bool = False,
        grammar: Path | str | None = None,
        people: PeopleWordings | None = None,
        people_alone: bool = False,
    ) -> None:
        self.store, self.seed = store, seed
        self.space = TemplateSpace(store, ontology)
        self.grounder = Grounder(store, popularity, redundant=redundant, table=self.space.table)
        self.wordings = Wordings(store, self.space.ontology, grammar)
        self._people, self._people_alone = people, people_alone

    def lot(self, relations: int, function: str, number: int, groundings: int) -> MadeTemplates:
        """The templates of a lot of a kind, each with so many groundings at most."""
        rng = np.random.default_rng([self.seed, relations, TEMPLATE_FUNCTIONS.index(function), number])
        made: dict[str, MadeTemplate] = {}
        refused: Counter[str] = Counter()
        tried, is_last = self._tried(relations, function, number, rng)
        for template in tried:
            if template.key in made:
                refused["drawn_again"] += 1
                continue
            own = self.wordings.skeletons(template.query)
            if not own and self._people is None:
                refused["no_wording"] += 1
                continue
            grounded = self.grounder.ground(template, rng, groundings)
            if not grounded:
                refused["not_grounded"] += 1
                continue
            if lossless_form(grounded[0].form, self.space) is None:
                refused["not_said_by_an_s_expression"] += 1
                continue
            skeletons = self._with_people(grounded[0], own)
            if not skeletons:
                refused["no_wording"] += 1
                continue
            made[template.key] = MadeTemplate(template.key, relations, function, tuple(grounded), skeletons, len(own))
        return MadeTemplates(tuple(made.values()), refused, is_last)

    def _with_people(self, grounding: Grounding, own: tuple[Skeleton, ...]) -> tuple[Skeleton, ...]:
        """The wordings of a template with those of people, who were shown the form of a grounding."""
        if self._people is None:
            return own
        return self._people.beside(Template(opened(grounding.form)), own, alone=self._people_alone)

    def _tried(
        self, relations: int, function: str, number: int, rng: np.random.Generator
    ) -> tuple[Sequence[Template], bool]:
        if relations <= _LISTED and function in (NONE, COUNT):
            listed = self._listed(relations)
            order = np.random.default_rng([self.seed, relations, TEMPLATE_FUNCTIONS.index(function)]).permutation(
                len(listed)
            )
            chosen = [listed[place] for place in order[number * LOT : (number + 1) * LOT].tolist()]
            return [counted(each) if function == COUNT else each for each in chosen], (number + 1) * LOT >= len(listed)
        return list(self._drawn(relations, function, rng)), number + 1 >= MOST_LOTS

    def _drawn(self, relations: int, function: str, rng: np.random.Generator) -> Iterator[Template]:
        for _ in range(LOT):
            template = self.space.draw(rng, relations, function)
            if template is not None:
                yield template

    @lru_cache(maxsize=_LISTED)  # noqa: B019  the workshop lives as long as the process
    def _listed(self, relations: int) -> tuple[Template, ...]:
        return tuple(self.space.iter_one_relation() if relations == 1 else self.space.iter_two_relations())


def counted(template: Template) -> Template:
    """The template that asks how many there are."""
    query = template.query
    nodes = list(query.nodes)
    nodes[query.asked] = replace(nodes[query.asked], function=COUNT)
    return Template(GraphQuery(tuple(nodes), query.edges, query.asked))
