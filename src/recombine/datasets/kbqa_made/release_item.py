"""A question as an item of GrailQA's release: its form in three notations, its answers and what is known of it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recombine.datasets.kbqa_made.lossless_form import lossless_form
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT, NONE, SPARQL, GraphQuery
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.forms.write_form import write_form
from recombine.kb.ontology.schema_domains import SchemaDomains
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.datasets.kbqa_made.entity_calls import EntityCalls
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.templates.grounding import Grounding
    from recombine.kb.templates.template_space import TemplateSpace
    from recombine.kb.term import Term
    from recombine.kb.wording.vocabulary import Vocabulary

FORM, WORDING, CANONICAL = "s_expression", "wording", "canonical_question"
"""The field of the form, and two of ours beside those of the release."""
MAX_KEPT = 4096


class ReleaseItems:
    """Writes groundings as the release has them."""

    def __init__(self, space: TemplateSpace, calls: EntityCalls, vocabulary: Vocabulary) -> None:
        self._profile, self._space = space.store.profile, space
        self._calls, self._vocabulary = calls, vocabulary
        self._schema_domains = SchemaDomains(space.store, space.ontology)
        self._item = lru_cache(maxsize=MAX_KEPT)(self._made)

    def item(self, grounding: Grounding) -> dict[str, Any]:
        """All that is the same for every question of a grounding."""
        return dict(self._item(grounding))

    def _made(self, grounding: Grounding) -> dict[str, Any]:
        form = self._named(grounding.form)
        sexpression = lossless_form(form, self._space)
        if sexpression is None:
            raise AssertionError("the workshop has let a form pass that no S-expression says")
        sparql = convert(form, SPARQL, profile=self._profile).form  # without the published FILTERs, which lose answers
        entities = [node.value for node in form.nodes if node.kind == "entity" and node.value is not None]
        return {
            FORM: write_form(sexpression, self._profile),
            "answer": [self._answer(each) for each in grounding.answers],
            "function": function_of(form),
            "num_node": len(form.nodes),
            "num_edge": len(form.edges),
            "graph_query": write_form(form, self._profile),
            "sparql_query": write_form(sparql, self._profile),
            "domains": list(grounding.template.domains(self._schema_domains.of)),
            "topic_entity": {write_word(each, self._profile): self._name(each) for each in entities},
        }

    def _named(self, form: GraphQuery) -> GraphQuery:
        """The form with a name for people at each node and edge."""
        nodes = tuple(replace(node, name=self._node_name(node)) for node in form.nodes)
        edges = tuple(replace(edge, name=self._vocabulary.noun(edge.relation) or "") for edge in form.edges)
        return GraphQuery(nodes, edges, form.asked)

    def _node_name(self, node: GraphNode) -> str:
        if node.value is None:
            return ""
        if node.kind == "class":
            return self._vocabulary.noun(node.value) or ""
        return node.value.text if node.value.kind == LITERAL else self._name(node.value)

    def _name(self, entity: Term) -> str:
        return self._calls.name(entity) or self._profile.show(entity)

    def _answer(self, answer: Term) -> dict[str, str]:
        if answer.kind == LITERAL:
            return {"answer_type": "Value", "answer_argument": answer.text}
        return {
            "answer_type": "Entity",
            "answer_argument": write_word(answer, self._profile),
            "entity_name": self._name(answer),
        }


def function_of(form: GraphQuery) -> str:
    """The function of a form as the release names it: `none`, `count`, `argmax`, `argmin` or a comparison."""
    known = (COUNT, ARGMAX, ARGMIN, *COMPARISONS)
    return next((node.function for node in form.nodes if node.function in known), NONE)
