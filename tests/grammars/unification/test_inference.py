"""What inference does with a term depends on the term, and not on equal terms beside it or on questions before it."""

from __future__ import annotations

import pytest

from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set

BEFORE = (
    "Was M0 directed by a film director",
    "Was M0 edited and produced by a film director",
    "Was M0 directed by and edited by a film director",
    "Was M0 written by and produced by a film director",
    "Was M0 's editor 's spouse directed by and produced by M1",
)


@pytest.mark.parametrize(
    "question",
    [
        "Was M0 's editor 's spouse directed by , produced and produced by , written by , produced by , and produced "
        "by M1",
        "Was M0 directed by , written by , directed by , directed by , edited and produced by , and edited by a film "
        "director",
    ],
)
def test_a_verb_that_stands_twice_in_a_list(question: str) -> None:
    alone, later = (QuestionParser(read_rule_set("cfq")) for _ in range(2))
    for other in BEFORE:
        later.parse(other)
    graphs = [parser.graph(parser.parse(question)) for parser in (alone, later, later)]
    assert graphs[0] == graphs[1] == graphs[2]
