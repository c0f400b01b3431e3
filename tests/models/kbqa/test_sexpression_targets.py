"""Targets in SPARQL are learned as S-expressions and given back as SPARQL; others are refused or counted."""

from __future__ import annotations

import pytest
from town import ONTO, entity, town

from recombine.errors import OptionError
from recombine.models.kbqa.sexpression_targets import in_language, sexpression_targets
from recombine.records.example import Example

SPARQL = f"SELECT DISTINCT ?x0 WHERE {{ ?x0 <{ONTO}library/author> {entity('Ada_Berg')} . }}"
SEXPRESSION = f"(JOIN <{ONTO}library/author> {entity('Ada_Berg')})"
UNION = f"SELECT ?x WHERE {{ {{ ?x <{ONTO}a> ?y }} UNION {{ ?x <{ONTO}b> ?y }} }}"


def test_sparql_becomes_an_sexpression_and_back() -> None:
    profile = town().profile
    made = sexpression_targets([Example.of("a", SPARQL), Example.of("b", UNION)], "sparql", profile)
    assert [each.target for each in made.questions] == [SEXPRESSION, UNION]
    assert made.refused == 1
    back = in_language(SEXPRESSION, "sparql", profile)
    assert sexpression_targets([Example.of("a", back)], "sparql", profile).questions[0].target == SEXPRESSION
    assert in_language(SEXPRESSION, "sexpression", profile) == SEXPRESSION


def test_what_has_no_sexpression_is_refused() -> None:
    with pytest.raises(OptionError, match="none of the 1 targets has an S-expression; see why with"):
        sexpression_targets([Example.of("b", UNION)], "sparql", town().profile)
    with pytest.raises(OptionError, match="the targets are in funql, and a parser over a knowledge base learns S-exp"):
        sexpression_targets([Example.of("b", "x")], "funql", town().profile)
