"""Entities that satisfy a query are drawn evenly, and answers are those of pyoxigraph."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from small_store import as_oxigraph
from tiny_world import DIRECT, DIRECTED, EDIT, FEMALE, GENDER, SPOUSE, WRITE, made, tiny_store

from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.grounding import local_query
from recombine.kb.grounding.local_engine import LocalEngine
from recombine.kb.grounding.local_query import LocalQuery
from recombine.kb.grounding.query_sparql import substitutions_query
from recombine.kb.grounding.query_terms import query_terms
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore

ALONE = made("M0 a people.person", f"M0 {GENDER} {FEMALE}")
ONE = made(f"M0 {DIRECT} ?x0", "?x0 a film.film", f"?x0 {DIRECTED} ?x1", "?x1 a film.actor")
TWO = made(f"M0 {DIRECT} M1", f"M0 {WRITE} M2")
BETWEEN = made(f"?x0 {DIRECT} M1", f"?x0 {WRITE} M0", "?x0 a people.person")
DEEP = made(f"?x0 {DIRECT} M1", f"?x0 {SPOUSE} ?x1", f"?x1 {WRITE} M0", "FILTER ( ?x0 != ?x1 )")
PARALLEL = made(f"M0 {DIRECT} M1", f"M0 {WRITE} M1", f"M1 {DIRECTED} M0")
CIRCLE = made(f"M0 {DIRECT} M2", f"M0 {DIRECT} M3", f"M1 {DIRECT} M2", f"M1 {DIRECT} M3")
MARRIED = made(f"M0 {SPOUSE} M1", "FILTER ( M0 != M1 )", f"M0 {DIRECT} ?x0", f"M1 {WRITE} ?x0")
APART = made("M0 a film.actor", "M1 a film.actor")
OPEN = made("?x0 a people.person", f"?x0 {DIRECT} M0", f"?x0 {EDIT} ?x1", f"?x1 {DIRECTED} M1", asks="?x0")
EVEN = {"alone": ALONE, "one": ONE, "two": TWO, "between": BETWEEN, "deep": DEEP, "parallel": PARALLEL,
        "married": MARRIED, "apart": APART, "open": OPEN}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    return tiny_store(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def engine(store: EmbeddedStore) -> LocalEngine:
    return LocalEngine(store)


@pytest.fixture(scope="module")
def facts(store: EmbeddedStore) -> OxigraphStore:
    return as_oxigraph(store)


def asked(engine: LocalEngine, question: MadeQuestion, **options: bool) -> LocalQuery:
    return engine.asked(question.query, query_terms(question.query), **options)


def all_combinations(engine: LocalEngine, facts: OxigraphStore, question: MadeQuestion) -> set[tuple[int, ...]]:
    """Every combination of entities with names of their own that pyoxigraph finds."""
    placeholders = query_terms(question.query).placeholders
    rows = facts.select(substitutions_query(question.query, placeholders, facts.profile, limit=10**6)).rows
    named = set(engine.names.unambiguous.tolist())
    ids = {tuple(engine.store.ids(row).tolist()) for row in rows}
    return {row for row in ids if set(row) <= named}


@pytest.mark.parametrize("name", EVEN)
def test_every_combination_is_as_likely(engine: LocalEngine, facts: OxigraphStore, name: str) -> None:
    question = EVEN[name]
    there = all_combinations(engine, facts, question)
    query = asked(engine, question)
    draws = 60 * len(there)
    assert 1 < len(there) < 400
    rng = np.random.default_rng(1)
    drawn = Counter(tuple(query.draw(rng).values()) for _ in range(draws))  # type: ignore[union-attr]
    assert set(drawn) == there
    # The sum of squares is about as many as there are combinations; five standard deviations above is far off.
    square = sum((drawn[each] - 60) ** 2 / 60 for each in there)
    assert square < len(there) + 5 * (2 * len(there)) ** 0.5
    assert query.searches == 0


def test_a_circle_is_found_by_search_where_draws_fail(
    engine: LocalEngine, facts: OxigraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = all_combinations(engine, facts, CIRCLE)
    monkeypatch.setattr(local_query, "DRAWS", 0)
    query = asked(engine, CIRCLE)
    drawn = {tuple(query.draw(np.random.default_rng(seed)).values()) for seed in range(300)}  # type: ignore[union-attr]
    assert query.searches == 300
    assert drawn <= there
    assert len(drawn) > len(there) / 3


def test_what_has_no_solution_is_found_to_have_none(engine: LocalEngine) -> None:
    many = made(
        *(f"M{n} {SPOUSE} M9" for n in range(2)), "FILTER ( M0 != M9 )", "FILTER ( M1 != M9 )"
    )  # one spouse each
    assert asked(engine, many).draw(np.random.default_rng(1)) == "unsatisfiable"
    assert asked(engine, made("M0 a film.actor", "M0 a film.film")).draw(np.random.default_rng(1)) == "unsatisfiable"


def test_a_search_that_ended_is_not_called_unsatisfiable(engine: LocalEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_query, "BUDGET", 3)
    monkeypatch.setattr(local_query, "DRAWS", 0)
    assert asked(engine, CIRCLE).draw(np.random.default_rng(1)) == "search_ended"


TANGLED = made(f"?x0 {DIRECT} ?x1", f"?x0 {WRITE} ?x2", f"?x1 {DIRECTED} ?x3", f"?x3 {EDIT} ?x2", f"?x0 {DIRECT} M0",
               asks="?x0")  # fmt: skip
TOLD_APART = made(f"?x0 {DIRECT} M0", f"?x1 {WRITE} M0", "FILTER ( ?x0 != ?x1 )", f"?x0 {EDIT} ?x2", asks="?x0")
FROM_ENTITY = made(f"?x0 {DIRECT} M0", "FILTER ( ?x0 != M1 )", f"M1 {WRITE} M0", asks="?x0")
NO_ENTITY = made("?x0 a film.film", f"?x0 {DIRECTED} ?x1", "?x1 a film.actor", asks="?x0")
SELF = made(f"?x0 {SPOUSE} ?x0", f"?x0 {DIRECT} M0", asks="?x0")
OPEN_QUESTIONS = {"open": OPEN, "tangled": TANGLED, "told apart": TOLD_APART, "from entity": FROM_ENTITY,
                  "no entity": NO_ENTITY, "self": SELF}  # fmt: skip


@pytest.mark.parametrize("name", OPEN_QUESTIONS)
def test_answers_are_those_of_pyoxigraph(engine: LocalEngine, facts: OxigraphStore, name: str) -> None:
    from tiny_world import recomputed

    question = OPEN_QUESTIONS[name]
    query = asked(engine, question)
    for seed in range(20):
        entities = query.draw(np.random.default_rng(seed))
        assert isinstance(entities, dict)
        ids = {placeholder: engine.id_of(each) for placeholder, each in entities.items()}
        expected = recomputed(facts, question, ids)
        assert expected
        assert tuple(map(engine.id_of, query.answers(entities) or ())) == expected


@pytest.mark.parametrize("name", [*EVEN, "circle"])
def test_truth_is_that_of_pyoxigraph_also_for_entities_at_random(
    engine: LocalEngine, facts: OxigraphStore, name: str
) -> None:
    from tiny_world import recomputed

    question = EVEN.get(name, CIRCLE)._replace(
        query=EVEN.get(name, CIRCLE).query._replace(head="SELECT count(*) WHERE")
    )
    query = asked(engine, question)
    rng = np.random.default_rng(2)
    truths = Counter()  # type: Counter[bool]
    for _ in range(60):
        entities = query.draw(rng)
        assert isinstance(entities, dict)
        for placeholder in [None, *entities]:
            if placeholder is not None:
                entities = {**entities, placeholder: int(rng.choice(engine.names.unambiguous))}
            ids = {each: engine.id_of(entity) for each, entity in entities.items()}
            holds = query.holds(entities)
            assert holds == (recomputed(facts, question, ids) == ("Yes",))
            truths[bool(holds)] += 1
    assert truths[True] >= 60
    assert truths[False] > 20


def test_an_index_of_other_stores_gives_the_same(engine: LocalEngine, facts: OxigraphStore, tmp_path: Path) -> None:
    other = LocalEngine(facts)
    one, two = (asked(each, TWO).draw(np.random.default_rng(5)) for each in (engine, other))
    assert isinstance(one, dict)
    assert isinstance(two, dict)
    assert [engine.id_of(each) for each in one.values()] == [other.id_of(each) for each in two.values()]
