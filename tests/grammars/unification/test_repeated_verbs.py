"""Verbs that are said twice: equal parts of one logical form, made in different places."""

from __future__ import annotations

from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set

PRODUCED = (
    "What was produced by M0 , produced , executive produced , and produced by and produced by M1 , "
    "and edited by M2 and M3"
)
INFLUENCED = "Was M0 influenced by M1 and influenced by and influenced by M2 , M3 , M4 , M5 , and M6"
QUESTIONS = (PRODUCED, INFLUENCED)
OTHERS = (
    "What was produced by M0",
    "Was M0 produced by and produced by M1",
    "Was M0 influenced by and influenced by M1",
)


def test_a_verb_that_is_said_three_times() -> None:
    query = QuestionParser(read_rule_set("cfq")).parse(INFLUENCED).query
    assert query.clauses == [["M0", "influence.influence_node.influenced_by", f"M{number}"] for number in range(1, 7)]


def test_what_was_parsed_before_does_not_decide() -> None:
    rules = read_rule_set("cfq")
    parser = QuestionParser(rules)
    for question in OTHERS:
        parser.parse(question)
    for question in QUESTIONS:
        fresh = QuestionParser(rules)
        assert parser.graph(parser.parse(question)) == fresh.graph(fresh.parse(question))
