"""Questions to logical forms, queries and rule application graphs, by the rules of one set (CFQ paper, K.2).

Of several readings the one is taken in which what is joined by "and" begins first: a phrase that could belong inside a
relative clause or after it belongs after it, and a verb that could belong to two lists of verbs belongs to the first.
Where that does not decide, the reading with the shortest constituents is taken, then the rule that stands first in the
files, then the division whose first part is shortest.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import DerivationError
from recombine.grammars.formalism import shortened
from recombine.grammars.unification.forms.logical_form import TEXT, Terms, written
from recombine.grammars.unification.forms.matching import FactTable
from recombine.grammars.unification.inference.derive import Deriver
from recombine.grammars.unification.inference.inference import Inference
from recombine.grammars.unification.parsing.chart import PLACEHOLDER, Chart
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.queries.query_text import normal_query
from recombine.grammars.unification.queries.resolution import Resolution, query_tokens
from recombine.grammars.unification.rule_graph import rule_graph, rule_rows
from recombine.grammars.unification.rules.rule import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.inference.derive import Derived
    from recombine.grammars.unification.parsing.chart import Node, Way
    from recombine.grammars.unification.parsing.question_text import Words
    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.grammars.unification.queries.resolution import Resolved
    from recombine.grammars.unification.rule_graph import Row
    from recombine.grammars.unification.rules.rule import GrammarRule, StartRule
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.records.derivation import Derivation

Tree = tuple[int, tuple["Tree", ...]]
"""A rule, by number, and what its parts are made of."""
MOST_TERMS = 200_000
"""When so many terms are kept, they are forgotten, so that memory does not grow with the number of questions."""
MOST_STEPS = 20_000
"""When so many steps of inference are kept, all is begun anew; some 25,000 generated questions take as many."""
MOST_WORDS = 200
"""The longest question that is read; the longest of CFQ has fewer than 60 words."""
JOINED = "And"
"""The function of logical forms that joins what "and" joins."""
_LATE = 100_000
"""A word of lateness counts for more than all lengths together."""
MOST_READINGS = 1000
"""So many readings are listed at most."""


class Reading(NamedTuple):
    """A question and what the rules make of it."""

    words: Words
    derived: Derived
    resolved: Resolved
    query: QueryText
    names: dict[str, str]
    """The variables of the logical form as the query names them."""
    readings: int
    """How many readings the question has in all."""

    @property
    def logical_form(self) -> str:
        """The logical form, with the names of the query."""
        return written(self.derived.form, self.names)


class _Engine:
    """Everything that remembers terms."""

    def __init__(self, rules: RuleSet) -> None:
        self.terms = terms = Terms()
        facts = [terms.again(rule.fact) for rule in rules.knowledge]
        table = FactTable(facts)
        order: dict[Term, int] = {}
        for fact in facts:
            if len(fact.args) == 2 and fact.args[1].op == TEXT:
                order.setdefault(fact.args[0], len(order))
        self.inference = Inference(rules.inference, table, terms, order)
        self.deriver = Deriver(rules.grammar, rules.inference, self.inference, facts, terms)
        self.resolution = Resolution(rules.resolution, table, terms)
        self.fact_names: dict[Term, str] = {}
        self._first = terms.all()

    def forget(self) -> None:
        """Forget all terms but those of rules and of what inference does with shapes."""
        shapes = list(self.deriver.forget())
        self.inference.forget()
        self.resolution.forget()
        self.terms.keep([*self._first, *shapes])


class QuestionParser:
    """Parses questions with the rules of one set.

    >>> from recombine.grammars.unification.rules.rule_set import read_rule_set
    >>> parser = QuestionParser(read_rule_set("cfq"))
    >>> reading = parser.parse("Who directed [Deadfall]?")
    >>> reading.logical_form
    'Person ⊓ ∃RolePair(FilmDirector, DirectedFilm).Entity(M0)'
    >>> reading.query.short()
    'SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.director.film M0 }'
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.chart = Chart(rules.grammar, rules.starts, rules.features)
        self._joins = frozenset(number for number, rule in enumerate(rules.grammar) if rule.form.op == JOINED)
        self._entities = [_entity_counts(rule) for rule in rules.grammar]
        self._engine = _Engine(rules)
        self._chosen = False
        """Whether a choice was made while a derivation was made."""

    def parse(self, question: str) -> Reading:
        """The reading of a question that is preferred; a text that has none is a `DerivationError`."""
        words = read_question(question)
        found = self._found(words, question)
        start, node = found[0] if len(found) == 1 else min(found, key=lambda pair: self._cost(pair[1]))
        self._chosen = len(found) > 1
        derived = self._derived(node, _entities_before(words.words))
        readings = sum(each.count_readings() for _, each in found) if self._chosen else 1
        return self._resolved(words, start, derived, readings)

    def read_tree(self, words: Words, start: StartRule, tree: Tree) -> Reading:
        """What a tree of rules is read as that makes words, and is their only reading."""
        self._make_room()
        return self._resolved(words, start, self._derived_tree(tree, [0]), 1)

    def iter_readings(self, question: str) -> Iterator[Reading]:
        """All readings of a question, the preferred one first, up to a thousand."""
        words = read_question(question)
        found = self._found(words, question)
        count = sum(each.count_readings() for _, each in found)
        before = _entities_before(words.words)
        ranked = sorted(
            islice(((cost, start, d) for start, node in found for cost, d in self._iter(node, before)), MOST_READINGS),
            key=lambda each: each[0],
        )
        for _, start, derived in ranked:
            yield self._resolved(words, start, derived, count)

    def graph(self, reading: Reading) -> Derivation:
        """The rule application graph of a reading that was just made."""
        return rule_graph(reading.derived, reading.resolved, self._engine.fact_names)

    def graph_rows(self, reading: Reading) -> list[Row]:
        """The same as files have it."""
        return rule_rows(reading.derived, reading.resolved, self._engine.fact_names)

    # -- from words to trees ---------------------------------------------------------------------------------------

    def _found(self, words: Words, question: str) -> list[tuple[StartRule, Node]]:
        self._make_room()
        if not words.words:
            raise DerivationError("an empty question", "leave it out")
        if len(words.words) > MOST_WORDS:
            raise DerivationError(
                f"a question of {len(words.words)} words: {shortened(question)}", f"{MOST_WORDS} are read at most"
            )
        unknown = not self.chart.vocabulary.issuperset(words.words)
        for place, word in enumerate(words.words if unknown else (), start=1):
            if word not in self.chart.vocabulary:
                near = get_close_matches(word, self.chart.vocabulary, n=3, cutoff=0.6)
                remedy = f"did you mean {' or '.join(map(repr, near))}?" if near else "no word of the rules is near it"
                raise DerivationError(f"{word!r}, word {place} of {shortened(question)}, is in no rule", remedy)
        found = self.chart.parse(words.words)
        if not found:
            raise DerivationError(
                f"the rules {self.rules.name} do not make {shortened(question)}", "each word is known, the order is not"
            )
        return found

    def _make_room(self) -> None:
        """Forget what is kept, where it is much."""
        if len(self._engine.terms) > MOST_TERMS:
            self._engine.forget()
            if len(self._engine.terms) > MOST_TERMS // 2 or self._engine.deriver.count_steps() > MOST_STEPS:
                self._engine = _Engine(self.rules)

    def _derived_tree(self, tree: Tree, entities: list[int]) -> Derived:
        """What a tree of rules makes; `entities` counts those that stand before what is still to come."""
        number, parts = tree
        first = entities[0]
        layout = self._entities[number]
        if layout is None:
            made = tuple([self._derived_tree(part, entities) for part in parts])
        else:
            below = iter(parts)
            several = []
            for count in layout:
                if count < 0:
                    several.append(self._derived_tree(next(below), entities))
                else:
                    entities[0] += count
            made = tuple(several)
        return self._engine.deriver.derived(number, made, first)

    def _derived(self, node: Node, before: list[int]) -> Derived:
        if len(node.ways) == 1:
            number, parts = node.ways[0]
        else:
            number, parts = self._best(node)
            self._chosen = True
        made = tuple([self._derived(part, before) for part in parts])
        return self._engine.deriver.derived(number, made, before[node.start])

    def _iter(self, node: Node, before: list[int]) -> Iterator[tuple[int, Derived]]:
        """Every derivation of a node with its cost."""
        for number, parts in node.ways:
            for chosen in product(*[list(islice(self._iter(part, before), MOST_READINGS)) for part in parts]):
                cost = self._own_cost(node, number) + sum(cost for cost, _ in chosen)
                made = tuple(derived for _, derived in chosen)
                yield cost, self._engine.deriver.derived(number, made, before[node.start])

    def _best(self, node: Node) -> Way:
        """The way of a node that is preferred."""

        def rank(way: Way) -> tuple[int, ...]:
            number, parts = way
            return self._own_cost(node, number) + sum(map(self._cost, parts)), number, *[part.end for part in parts]

        return min(node.ways, key=rank)

    def _cost(self, node: Node) -> int:
        """What counts against a node, made in the best way."""
        if node.cost < 0:
            node.cost = min(self._own_cost(node, number) + sum(map(self._cost, parts)) for number, parts in node.ways)
        return node.cost

    def _own_cost(self, node: Node, number: int) -> int:
        """Where something is joined, how late it begins; then, how long it is."""
        return node.end - node.start + (node.start * _LATE if number in self._joins else 0)

    def _resolved(self, words: Words, start: StartRule, derived: Derived, readings: int) -> Reading:
        call = self._engine.terms.make(start.function, (derived.form,))
        resolved = self._engine.resolution.resolved(call)
        names = {f"?E{place}": name for place, name in enumerate(words.entities)}
        query, final = normal_query(query_tokens(resolved), names)
        return Reading(words, derived, resolved, query, final, readings)


def _entity_counts(rule: GrammarRule) -> tuple[int, ...] | None:
    """How many entities each text on the right side names, -1 for a constituent; none where there are no entities."""
    counts = [part.text.split().count(PLACEHOLDER) if isinstance(part, Literal) else -1 for part in rule.right]
    return tuple(counts) if max(counts, default=0) > 0 else None


def _entities_before(words: list[str]) -> list[int]:
    """For each word, how many entities stand before it."""
    counts = []
    seen = 0
    for word in words:
        counts.append(seen)
        seen += word == PLACEHOLDER
    return counts
