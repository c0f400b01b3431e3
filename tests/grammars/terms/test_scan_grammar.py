"""SCAN's grammar: its size, its language, its derivations."""

from __future__ import annotations

from collections import Counter

import pytest

from recombine.grammars.terms.enumerate_terms import enumerate_terms
from recombine.grammars.terms.grammar import Grammar
from recombine.grammars.terms.read_grammar import packaged_grammar
from recombine.grammars.terms.sample_terms import sample_terms
from recombine.records.derivation import rule_kind


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return packaged_grammar("scan")


def test_thirty_eight_rules(grammar: Grammar) -> None:
    # CFQ paper, §5.3: "the total number of rules used in generating SCAN is only 38".
    assert Counter(map(rule_kind, grammar.rule_names())) == {"grammar": 18, "interpretation": 20}


@pytest.mark.parametrize(
    ("command", "actions"),
    [
        # The interpretation function of Lake & Baroni (2018), Figure 7.
        ("jump", "I_JUMP"),
        ("jump left", "I_TURN_LEFT I_JUMP"),
        ("turn right", "I_TURN_RIGHT"),
        ("turn opposite right", "I_TURN_RIGHT I_TURN_RIGHT"),
        ("jump opposite left", "I_TURN_LEFT I_TURN_LEFT I_JUMP"),
        ("turn around left", "I_TURN_LEFT I_TURN_LEFT I_TURN_LEFT I_TURN_LEFT"),
        ("run around right", "I_TURN_RIGHT I_RUN I_TURN_RIGHT I_RUN I_TURN_RIGHT I_RUN I_TURN_RIGHT I_RUN"),
        ("jump thrice", "I_JUMP I_JUMP I_JUMP"),
        ("walk and look twice", "I_WALK I_LOOK I_LOOK"),
        ("walk after look left", "I_TURN_LEFT I_LOOK I_WALK"),
    ],
)
def test_interpretation(command: str, actions: str, grammar: Grammar) -> None:
    (term,) = grammar.parse_forest(command).first(2)
    assert grammar.target(term) == actions


def test_rule_applications_of_one_command(grammar: Grammar) -> None:
    (term,) = grammar.parse_forest("jump opposite left twice").first(2)
    derivation = grammar.derivation(term)
    assert derivation.rules == (
        *("single", "twice", "opposite", "act", "jump", "left"),
        *("[[V twice]]", "[[U opposite left]]", "[[turn opposite left]]", "[[jump]]"),
    )
    # The meaning of "V twice" needs the rule `twice`; that of "U opposite left" is asked for by it and needs `left`,
    # the deepest rule it looks at; it asks for "turn opposite left" (first) and "jump" (second), which needs `jump`.
    assert set(derivation.edges) == {
        *((0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (3, 5, 2)),
        *((1, 6, 0), (6, 7, 1), (5, 7, 0), (7, 8, 1), (7, 9, 2), (4, 9, 0)),
    }


def test_u_left_does_not_apply_turn_left(grammar: Grammar) -> None:
    (term,) = grammar.parse_forest("jump left").first(2)
    assert "[[turn left]]" not in grammar.derivation(term).rules


def test_edges_are_minimal(grammar: Grammar) -> None:
    """No edge can be left out: there is no other way from its parent to its child."""
    for term in enumerate_terms(grammar)[::997]:
        derivation = grammar.derivation(term)
        for parent, child, slot in derivation.edges:
            others = [edge for edge in derivation.edges if edge != (parent, child, slot)]
            reached = {parent}
            for above, below, _ in sorted(others, key=lambda edge: edge[1]):
                if above in reached:
                    reached.add(below)
            assert child not in reached


def test_the_parser_gives_back_derivations(grammar: Grammar) -> None:
    terms = enumerate_terms(grammar)
    assert len(terms) == 20910
    for term in terms[::41]:
        assert list(grammar.parse_forest(grammar.source(term)).iter_terms()) == [term]
    for term in terms[::401]:
        assert term in set(grammar.parse_forest(grammar.target(term), "target").iter_terms())


@pytest.mark.slow
def test_the_parser_gives_back_every_derivation(grammar: Grammar) -> None:
    for term in enumerate_terms(grammar):
        assert list(grammar.parse_forest(grammar.source(term)).iter_terms()) == [term]


def test_target_derivations_are_complete(grammar: Grammar) -> None:
    """What the target parser finds is just the set of commands with that meaning."""
    by_target: dict[str, set[object]] = {}
    for term in enumerate_terms(grammar):
        by_target.setdefault(grammar.target(term), set()).add(term)
    for target in sorted(by_target)[::101]:
        assert set(grammar.parse_forest(target, "target").iter_terms()) == by_target[target]


def test_sampling_is_seeded(grammar: Grammar) -> None:
    assert sample_terms(grammar, 50, seed=3) == sample_terms(grammar, 50, seed=3)
    assert sample_terms(grammar, 50, seed=3) != sample_terms(grammar, 50, seed=4)
    assert set(sample_terms(grammar, 200, seed=3)) <= set(enumerate_terms(grammar))
