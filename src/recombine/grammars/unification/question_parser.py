"""Questions to logical forms, queries and rule application graphs, by the rules of one set."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import DerivationError
from recombine.grammars.unification.chart import Chart, Node, Way
from recombine.grammars.unification.derive import Deriver
from recombine.grammars.unification.inference import Inference
from recombine.grammars.unification.logical_form import Term, Terms
from recombine.grammars.unification.matching import FactTable
from recombine.grammars.unification.query_text import normal_query
from recombine.grammars.unification.question_text import read_question
from recombine.grammars.unification.resolution import Resolution, Resolved, query_tokens
from recombine.grammars.unification.rule_graph import rule_graph

if TYPE_CHECKING:
    from recombine.grammars.unification.derive import Derived
    from recombine.grammars.unification.question_text import Words
    from recombine.grammars.unification.rule_set import RuleSet
    from recombine.records.derivation import Derivation

MOST_TERMS = 400_000
"""When so many terms are kept, all is forgotten and begun anew, so that memory does not grow with the questions."""


class Parsed(NamedTuple):
    """A question and what the rules make of it."""

    words: Words
    derived: Derived
    resolved: Resolved
    head: str
    clauses: list[list[str]]
    names: dict[str, str]
    readings: int


class _Engine:
    """Everything that remembers terms."""

    def __init__(self, rules: RuleSet) -> None:
        self.terms = terms = Terms()
        facts = [terms.again(rule.fact) for rule in rules.knowledge]
        table = FactTable(facts)
        order: dict[Term, int] = {}
        for fact in facts:
            if len(fact.args) == 2 and fact.args[1].op == "'":
                order.setdefault(fact.args[0], len(order))
        self.inference = Inference(rules.inference, table, terms, order)
        self.deriver = Deriver(rules.grammar, self.inference, terms)
        self.resolution = Resolution(rules.resolution, table, terms)
        self.fact_names: dict[Term, str] = {}


class QuestionParser:
    """Parses questions."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.chart = Chart(rules.grammar, rules.starts, rules.features)
        self._engine = _Engine(rules)

    def graph(self, parsed: Parsed) -> Derivation:
        """The rule application graph of a parse."""
        return rule_graph(parsed.derived, parsed.resolved, self._engine.fact_names)

    def parse(self, question: str) -> Parsed:
        """The first reading of a question."""
        words = read_question(question)
        found = self.chart.parse(words.words)
        if not found:
            raise DerivationError("no reading")
        start, node = found[0]
        if len(found) > 1:
            start, node = min(found, key=lambda pair: _cost(pair[1]))
        engine = self._engine
        if len(engine.terms) > MOST_TERMS:
            engine = self._engine = _Engine(self.rules)
        places = _entity_places(words.words)
        derived = self._derived(node, places)
        call = engine.terms.make(start.function, (derived.form,))
        resolved = engine.resolution.resolved(call)
        names = {f"?E{place}": name for place, name in enumerate(words.entities)}
        head, clauses, final = normal_query(query_tokens(resolved), names)
        return Parsed(words, derived, resolved, head, clauses, final, sum(_readings(each) for _, each in found))

    def _derived(self, node: Node, places: list[int]) -> Derived:
        number, parts = node.ways[0] if len(node.ways) == 1 else _best(node)
        kids = tuple([self._derived(part, places) for part in parts])
        return self._engine.deriver.derived(number, kids, places[node.start])


def _best(node: Node) -> Way:
    """The way whose constituents are shortest, taken together: what could belong inside or outside belongs outside."""
    return min(node.ways, key=lambda way: sum(map(_cost, way[1])))


def _cost(node: Node) -> int:
    if node.cost < 0:
        node.cost = node.end - node.start + min(sum(map(_cost, parts)) for _, parts in node.ways)
    return node.cost


def _readings(node: Node) -> int:
    """In how many ways a node can be made."""
    if node.readings < 0:
        node.readings = sum(prod(map(_readings, parts)) for _, parts in node.ways)
    return node.readings


def _entity_places(words: list[str]) -> list[int]:
    """For each word, how many entities stand before it."""
    places = []
    seen = 0
    for word in words:
        places.append(seen)
        seen += word == "[entity]"
    return places


def short_query(parsed: Parsed) -> str:
    """The query in the spelling of the two-column files."""
    clauses = " . ".join(" ".join(clause) for clause in parsed.clauses)
    return f"{parsed.head.replace('count(*)', 'count ( * )')} {{ {clauses} }}"
