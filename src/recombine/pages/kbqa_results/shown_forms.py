"""Forms as the page shows them: the text, the graph or why it cannot be drawn, and the answers by name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.evaluation.match.form_matchers import read_form
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import GRAPH, GraphQuery
from recombine.kb.term import LITERAL
from recombine.pages.kbqa.template_graph import draw_graph

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.term import Term
    from recombine.pages.kbqa_results.question_facts import QuestionFacts

ANSWERS = 4
"""The most answers of a form that are listed."""


@dataclass
class ShownForms:
    """Forms by number, each made once."""

    facts: QuestionFacts
    _numbers: dict[str, int] = field(default_factory=dict)
    _records: list[list[Any]] = field(default_factory=list)

    def number(self, text: str) -> int:
        """The number of a form by its text."""
        if text not in self._numbers:
            self._numbers[text] = len(self._records)
            self._records.append(self._record(text))
        return self._numbers[text]

    def to_record(self) -> list[list[Any]]:
        """As the script reads them: text, graph, why there is none, answers, how many more, why there are none."""
        return self._records

    def _record(self, text: str) -> list[Any]:
        if not text.strip():
            return ["", None, "there is no output", [], 0, ""]
        graph, why = self._graph(text)
        answers, more, without = self._answers(text)
        return [text, graph, why, answers, more, without]

    def _graph(self, text: str) -> tuple[list[Any] | None, str]:
        setting = self.facts.setting
        try:
            query = convert(read_form(text, setting), GRAPH, profile=setting.profile).form
            if not isinstance(query, GraphQuery):
                raise AssertionError("a form was converted to a graph")
            named = replace(query, nodes=tuple(map(self._named, query.nodes)))
            return draw_graph(named, setting.profile).to_record(), ""
        except RecombineError as error:
            return None, error.problem

    def _answers(self, text: str) -> tuple[list[str], int, str]:
        store = self.facts.store
        if store is None:
            return [], 0, "there is no store to run it on"
        try:
            found = store.execute(read_form(text, self.facts.setting))
        except RecombineError as error:
            return [], 0, error.problem
        return [self._name(term) for term in found[:ANSWERS]], max(0, len(found) - ANSWERS), ""

    def _named(self, node: GraphNode) -> GraphNode:
        if node.kind != "entity" or node.value is None:
            return node
        return replace(node, name=self._name(node.value))

    def _name(self, term: Term) -> str:
        store = self.facts.store
        if term.kind == LITERAL or store is None:
            return term.text
        return self._names.get(store.id(term), term.text)

    @cached_property
    def _names(self) -> dict[int, str]:
        from recombine.kb.grounding.entity_names import entity_names

        if self.facts.store is None:
            return {}
        try:
            return entity_names(self.facts.store, None).names
        except RecombineError:  # a store whose entities are called by their own names
            return {}
