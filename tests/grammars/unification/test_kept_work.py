"""What is kept for speed is what is made anew: graphs, counts, shapes, and conjunctions that resolution takes apart."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.grammars.unification import question_parser
from recombine.grammars.unification.data_item import complexity_measures, question_template
from recombine.grammars.unification.forms.logical_form import written
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.inference import derive
from recombine.grammars.unification.inference.derive import Derived
from recombine.grammars.unification.inference.inference import Inference
from recombine.grammars.unification.inference.shapes import SEALED, Seals
from recombine.grammars.unification.parsing.chart import PLACEHOLDER
from recombine.grammars.unification.question_parser import QuestionParser, Reading
from recombine.grammars.unification.rule_graph import JOIN
from recombine.grammars.unification.rules.rule import Literal
from recombine.grammars.unification.rules.rule_set import read_rule_set


@pytest.fixture(scope="module")
def questions() -> list[str]:
    """Questions of all levels; many parts of them are the same."""
    return [question.pattern for question in QuestionMaker("cfq").lot(5, 0, 100).questions]


@pytest.fixture(scope="module")
def rows(cfq: QuestionParser, questions: list[str]) -> list[Any]:
    """The query and the graph of each question."""
    return said(cfq, questions)


def said(parser: QuestionParser, questions: list[str]) -> list[Any]:
    made = []
    for question in questions:
        reading = parser.parse(question)
        made.append((reading.query, reading.logical_form, parser.graph_rows(reading)))
    return made


def sorted_rows(reading: Reading) -> list[list[str | int]]:
    """The graph of a reading by its definition: all nodes, then all edges, which are put in order."""
    grammar = list(reading.derived.iter_derived())
    applications = [each for part in reversed(grammar) for each in part.applications][::-1]
    calls: list[Any] = []

    def add(call: Any) -> None:
        for inner in call.calls:
            if inner not in calls:
                add(inner)
        if call not in calls:
            calls.append(call)

    add(reading.resolved)
    calls.reverse()
    facts = list(dict.fromkeys(fact for each in (*applications, *calls) for fact in each.facts))
    nodes = [None, *applications, *[part.origin for part in grammar], *calls, *facts]
    place = {node: number for number, node in enumerate(nodes)}
    needed = {need for each in applications for need in each.needs}
    edges = [(0, place[grammar[0].origin], 1), (0, place[calls[0]], 2)]
    edges += [(0, place[each], 3) for each in applications if each not in needed]
    edges += [(place[e], place[c], s) for e in applications for s, c in enumerate((*e.facts, *e.needs), start=1)]
    edges += [(place[c], place[inner], s) for c in calls for s, inner in enumerate((*c.facts, *c.calls), start=1)]
    numbers = iter(range(place[grammar[0].origin], place[calls[0]]))

    def walk(part: Derived) -> int:
        here = next(numbers)
        edges.extend((here, walk(inner), slot) for slot, inner in enumerate(part.parts, start=1))
        return here

    walk(grammar[0])
    names = [JOIN, *[each.rule for each in applications], *[part.origin.rule for part in grammar]]
    names += [*[call.rule for call in calls], *[f"knowledge:{written(fact)}" for fact in facts]]
    made: list[list[str | int]] = [[name] for name in names]
    for parent, child, slot in sorted(edges, key=lambda edge: (edge[1], edge[0], edge[2])):
        made[child] += (parent, slot)
    return made


def test_rows_are_those_of_the_sorted_graph(cfq: QuestionParser, questions: list[str]) -> None:
    for question in questions:
        reading = cfq.parse(question)
        assert cfq.graph_rows(reading) == sorted_rows(reading) == cfq.graph(reading).to_rows()


def test_counts_that_are_kept_are_those_of_the_tree(cfq: QuestionParser, questions: list[str]) -> None:
    rules = cfq.rules
    for question in questions:
        reading = cfq.parse(question)
        leaves: list[tuple[str, bool]] = []

        def walk(part: Derived, *, covered: bool, leaves: list[tuple[str, bool]] = leaves) -> None:
            rule = rules.grammar[part.number]
            if not covered and rule.left.category in rules.templates:
                leaves.append((f"[{rule.left.category}]", True))
                covered = True
            parts = iter(part.parts)
            for element in rule.right:
                if isinstance(element, Literal):
                    leaves.append((element.text, not covered))
                    leaves.append((PLACEHOLDER, False))
                else:
                    walk(next(parts), covered=covered)

        walk(reading.derived, covered=False)
        measures = complexity_measures(rules, reading)
        assert measures["parseTreeLeafCount"] == sum(text == PLACEHOLDER and not shown for text, shown in leaves)
        assert measures["parseTreeRuleCount"] == 1 + sum(1 for _ in reading.derived.iter_derived())
        words = " ".join(text for text, shown in leaves if shown)
        assert question_template(rules, reading.derived) == words[:1].upper() + words[1:]


def test_inference_on_forms_without_seals_is_the_same(
    questions: list[str], rows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoSeals(Seals):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.anywhere = self.below = frozenset()

    monkeypatch.setattr(derive, "Seals", NoSeals)
    open_forms = QuestionParser(read_rule_set("cfq"))
    assert said(open_forms, questions[:40]) == rows[:40]
    shapes = open_forms._engine.deriver._shapes.values()
    assert not any(SEALED in repr(shape.form) for shape in shapes)


def test_entities_and_descriptions_have_one_shape(cfq: QuestionParser) -> None:
    parser = QuestionParser(read_rule_set("cfq"))
    parser.parse("Did M0 direct a film")
    before = parser._engine.deriver.count_steps()
    parser.parse("Did M0 direct M1")
    new = parser._engine.deriver.count_steps() - before
    assert new == 0


def test_conjunctions_are_taken_apart_as_the_matcher_does(questions: list[str], rows: list[Any]) -> None:
    searching = QuestionParser(read_rule_set("cfq"))
    rules = [rule for some in searching._engine.resolution.by_function.values() for rule in some]
    assert sum(rule.taken is not None for rule in rules) == 3
    for rule in rules:
        rule.taken = None
    assert said(searching, questions) == rows


def test_what_is_kept_of_parts_is_what_is_done_anew(
    questions: list[str], rows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = []
    again = Inference._again
    monkeypatch.setattr(Inference, "_again", lambda self, *given: hits.append(1) or again(self, *given))
    assert said(QuestionParser(read_rule_set("cfq")), questions) == rows
    assert len(hits) > 100
    hits.clear()
    nothing_kept = QuestionParser(read_rule_set("cfq"))
    nothing_kept._engine.inference._memo = NeverKept()
    assert said(nothing_kept, questions) == rows
    assert not hits


class NeverKept(dict[Any, Any]):
    """A table that keeps nothing."""

    def __setitem__(self, key: Any, value: Any) -> None:
        """Keep nothing."""


def test_after_much_is_forgotten_all_is_the_same(
    questions: list[str], rows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_parser, "MOST_TERMS", 2000)
    forgetful = QuestionParser(read_rule_set("cfq"))
    counts = []
    forget = Inference.forget
    monkeypatch.setattr(Inference, "forget", lambda self: counts.append(1) or forget(self))
    assert said(forgetful, questions) == rows
    assert len(counts) > 2
