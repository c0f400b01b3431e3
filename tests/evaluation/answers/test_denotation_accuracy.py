"""Scores by answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.datasets.published.geoquery_corpus import load_geoquery_corpus
from recombine.errors import ProgramError, SizeError
from recombine.evaluation.answers.denotation_accuracy import (
    AnswerOutcome,
    GeoPair,
    denotation_accuracy,
    denotation_outcome,
)
from recombine.kb.geoquery.geobase import load_geobase, parse_geobase
from recombine.kb.geoquery.geography import Geography
from recombine.languages.funql_rewrite import rewrite_funql

MATCHES = (AnswerOutcome.MATCH, AnswerOutcome.EMPTY_MATCH)
FACTS = """
state(west, we, port, 1000000, 500, 1, port, bay, c, d).
state(mid, mi, hub, 400000, 100, 2, hub, b, c, d).
city(west, we, port, 600000).  city(west, we, bay, 150000).  city(mid, mi, hub, 150001).
river(long, 900, [west, mid]).  river(short, 100, [west]).
border(west, we, [mid]).  border(mid, mi, [west]).
country(land, 1400000, 600).
"""
WORLD = Geography.of(parse_geobase(FACTS))
WEST, MID = {"m0": "stateid('west')"}, {"m0": "stateid('mid')"}

# Right, predicted, entities of both, and what becomes of the prediction.
CASES = [
    ("answer ( largest ( state ) )", "answer ( largest_one ( area_1 , state ) )", None, AnswerOutcome.MATCH),
    (
        "answer ( intersection ( river , loc_2 ( m0 ) ) )",
        "answer ( intersection ( traverse_2 ( m0 ) , river ) )",
        WEST,
        AnswerOutcome.MATCH,
    ),
    ("answer(state(next_to_2(stateid('mid'))))", "answer ( next_to_1 ( m0 ) )", MID, AnswerOutcome.MATCH),
    ("answer ( largest ( state ) )", "answer ( smallest ( state ) )", None, AnswerOutcome.DIFFERENT),
    ("answer ( population_1 ( m0 ) )", "answer ( area_1 ( m0 ) )", WEST, AnswerOutcome.DIFFERENT),
    (
        "answer ( loc_1 ( river ) )",
        "answer ( intersection ( state , loc_1 ( river ) ) )",
        None,
        AnswerOutcome.DIFFERENT,
    ),
    ("answer ( count ( state ) )", "answer ( state )", None, AnswerOutcome.DIFFERENT),
    ("answer ( lake )", "answer ( mountain )", None, AnswerOutcome.EMPTY_MATCH),
    ("answer ( lake )", "answer ( state )", None, AnswerOutcome.DIFFERENT),
    ("answer ( state )", "answer ( state", None, AnswerOutcome.MALFORMED),
    ("answer ( state )", "", None, AnswerOutcome.MALFORMED),
    ("answer ( state )", "state", None, AnswerOutcome.NOT_EXECUTING),
    ("answer ( state )", "answer ( m0 )", None, AnswerOutcome.NOT_EXECUTING),
    ("answer ( m0 )", "answer ( m1 )", WEST, AnswerOutcome.NOT_EXECUTING),
    ("answer ( state )", "answer ( states )", None, AnswerOutcome.NOT_EXECUTING),
]


@pytest.mark.parametrize(("gold", "prediction", "entities", "outcome"), CASES)
def test_outcomes(gold: str, prediction: str, entities: dict[str, str] | None, outcome: AnswerOutcome) -> None:
    assert denotation_outcome(GeoPair(gold, prediction, entities), WORLD) is outcome
    matches = outcome in MATCHES
    if outcome not in (AnswerOutcome.MALFORMED, AnswerOutcome.NOT_EXECUTING):
        assert (denotation_outcome(GeoPair(prediction, gold, entities), WORLD) in MATCHES) is matches
    assert denotation_outcome(GeoPair(gold, gold, entities), WORLD) in MATCHES


def test_counts() -> None:
    found = denotation_accuracy([GeoPair(*case[:3]) for case in CASES], WORLD)
    assert (found.pairs, found.matched, found.matched_empty) == (15, 4, 1)
    assert (found.malformed, found.not_executing) == (2, 4)
    assert found.accuracy == 4 / 15
    assert str(found) == "26.7 % of 15 answers match (1 of them empty), 2 malformed, 4 not executing"


def test_a_right_program_must_run() -> None:
    with pytest.raises(ProgramError, match="'states' does not stand for a set"):
        denotation_outcome(GeoPair("answer(states)", "answer(state)"), WORLD)


def test_an_entity_that_is_none_is_not_the_predictions_fault() -> None:
    with pytest.raises(ProgramError, match="where an entity belongs"):
        denotation_outcome(GeoPair("answer(state)", "answer(m0)", {"m0": "state"}), WORLD)


def test_no_pairs() -> None:
    with pytest.raises(SizeError, match="no pairs"):
        denotation_accuracy([], WORLD)


@pytest.mark.shared_data
def test_gold_against_gold_and_against_the_next(data_dir: Path) -> None:
    world = Geography.of(load_geobase())
    rewritten = [rewrite_funql(example.program) for example in load_geoquery_corpus()]
    golds = [(str(found), found.entities) for found in rewritten]
    same = denotation_accuracy([GeoPair(gold, gold, entities) for gold, entities in golds], world)
    assert (same.pairs, same.matched, same.malformed, same.not_executing) == (880, 880, 0, 0)
    # A wrong program seldom matches: here that of the line 100 further on, run with this line's entities.
    shifted = [GeoPair(gold, golds[(i + 100) % 880][0], entities) for i, (gold, entities) in enumerate(golds)]
    assert denotation_accuracy(shifted, world).accuracy < 0.1
