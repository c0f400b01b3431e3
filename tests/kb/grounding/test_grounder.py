"""Questions with entities and answers: even, true to the facts, and dropped for a reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from small_store import as_oxigraph
from tiny_world import DIRECT, FEMALE, GENDER, SPOUSE, WRITE, at_address, made, recomputed, tiny_facts, tiny_store

from recombine.errors import AnswerError, FormError, KnowledgeBaseError, OptionError, RecombineError
from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.endpoint.retries import Retries
from recombine.kb.grounding.grounded import Grounded, Ungrounded
from recombine.kb.grounding.grounder import Grounder
from recombine.kb.grounding.grounding_filters import GroundingFilters, read_grounding_filters
from recombine.kb.grounding.query_terms import query_terms
from recombine.kb.grounding.remote_engine import RemoteEngine
from recombine.kb.profiles.find_profile import find_profile

ACTED = made(f"M0 {DIRECT} ?x0", "?x0 a film.film", f"M0 {SPOUSE} M1", "FILTER ( M0 != M1 )")
CLOSED = (
    ACTED,
    made(f"M0 {DIRECT} M1", f"M0 {WRITE} M2"),
    made("M0 a film.actor"),
    made(f"M0 {GENDER} {FEMALE}"),
    made(f"M0 {DIRECT} ?x0", "?x0 film.film.directed_by ?x1", "?x1 a film.actor"),
)
OPENED = (
    made("?x0 a people.person", f"?x0 {DIRECT} M0", asks="?x0"),
    made(f"?x0 {DIRECT} M0", f"?x0 {WRITE} M1", asks="?x0"),
    made("?x0 a film.film", asks="?x0"),
)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    return tiny_store(tmp_path_factory.mktemp("tiny"))


def grounded(grounder: Grounder, question: MadeQuestion, seed: int) -> Grounded:
    answer = grounder.ground(question, np.random.default_rng(seed))
    assert isinstance(answer, Grounded), answer
    return answer


@pytest.mark.parametrize("question", [*CLOSED, *OPENED])
def test_answers_are_recomputed(store: EmbeddedStore, question: MadeQuestion) -> None:
    grounder, facts = Grounder(store), as_oxigraph(store)
    for seed in range(40):
        answer = grounded(grounder, question, seed)
        assert answer.answers == recomputed(facts, question, answer.entities)
        assert len(set(answer.entities.values())) == len(answer.entities)
        assert not {"m.0p0", "m.0p1", "m.0p2"} & set(answer.entities.values())  # one name for two, and none
        assert all(name.startswith(("Person", "Film")) for name in answer.names.values())


@pytest.mark.parametrize("question", CLOSED)
def test_yes_and_no_are_even(store: EmbeddedStore, question: MadeQuestion) -> None:
    grounder = Grounder(store)
    answers = [grounded(grounder, question, seed) for seed in range(400)]
    shares = Counter(answer.answers for answer in answers)
    assert 160 <= shares["Yes",] <= 240
    origins = {
        answer.answers: {each.origin for each in answers if each.answers == answer.answers} for answer in answers
    }
    assert origins["Yes",] == {"satisfying"}
    assert origins["No",] <= {"mixed", "generic"}


def test_a_no_is_mixed_of_two_substitutions_or_else_more_generic(store: EmbeddedStore) -> None:
    grounder = Grounder(store)
    origins = [
        {answer.origin for seed in range(40) if (answer := grounded(grounder, question, seed)).answers == ("No",)}
        for question in CLOSED[1:3]
    ]
    assert origins == [{"mixed"}, {"generic"}]


def test_a_generic_entity_is_of_a_type_of_the_one_it_replaces(store: EmbeddedStore) -> None:
    grounder = Grounder(store)
    for seed in range(40):
        answer = grounded(grounder, CLOSED[2], seed)  # "Was M0 a actor" of a film would be odd
        assert answer.entities["M0"].startswith("m.0p")


def test_the_same_state_of_the_generator_gives_the_same(store: EmbeddedStore) -> None:
    one, other = Grounder(store), Grounder(store)
    questions = [*CLOSED, *OPENED]
    first = [one.ground(question, np.random.default_rng(7)) for question in questions]
    again = [other.ground(question, np.random.default_rng(7)) for question in reversed(questions)]
    assert first == again[::-1]
    assert first == [one.ground(question, np.random.default_rng(7)) for question in questions]


def test_answers_have_names_or_ids(store: EmbeddedStore) -> None:
    answer = grounded(Grounder(store), made("?x0 a people.person", f"?x0 {GENDER} {FEMALE}", asks="?x0"), 1)
    names = dict(zip(answer.answers, answer.answer_names, strict=True))
    assert (names["m.0p1"], names["m.0p2"], names["m.0p4"]) == ("Ann Other", "m.0p2", "Person 4")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (made(f"M0 {DIRECT} M1", "M1 a people.person"), "unsatisfiable"),
        (made("?x0 a film.film", f"?x1 {DIRECT} ?x0"), "never_false"),
        (made("M0 a film.film", "M0 no.such.property M1"), "lacks:no.such.property"),
        (made("M0 a no.such.type"), "lacks:no.such.type"),
        (made("M0 a film.film", asks="M0"), "asks_nothing"),
        (made("M0 a film.film", "FILTER ( ?x0 != M0 )", asks="?x0"), "asks_nothing"),
        (made(f"M0 {SPOUSE} M1", "FILTER ( M0 != M1 )", f"M0 {GENDER} m_05zppz", "M0 called ann"), "lacks:called"),
    ],
)
def test_reasons(store: EmbeddedStore, question: MadeQuestion, reason: str) -> None:
    assert Grounder(store).ground(question, np.random.default_rng(1)) == Ungrounded(reason)


def test_entities_without_names_of_their_own_are_no_reason_to_call_a_question_unsatisfiable(tmp_path: Path) -> None:
    facts = (
        ':m.0a :likes :m.0b . :m.0c :likes :m.0d . :m.0a :type.object.name "A"@en . :m.0c :type.object.name "C"@en .'
    )
    grounder = Grounder(tiny_store(tmp_path, facts))
    assert grounder.ground(made("M0 likes M1"), np.random.default_rng(1)) == Ungrounded("no_unambiguous_names")


def test_a_property_that_always_holds_has_no_false_variant(tmp_path: Path) -> None:
    facts = "\n".join(
        f':m.0{a} a :thing ; :type.object.name "{a}"@en . ' + " ".join(f":m.0{a} :likes :m.0{b} ." for b in "xyz")
        for a in "xyz"
    )
    grounder = Grounder(tiny_store(tmp_path, facts))
    assert grounder.ground(made("M0 likes M1"), np.random.default_rng(1)) == Ungrounded("never_false")


def test_what_is_lacking_is_named(store: EmbeddedStore) -> None:
    properties, types = [DIRECT, "film.film.sequel", SPOUSE, "^ns:people.person.gender"], ["film.film", "film.writer"]
    assert Grounder(store).lacking(properties, types) == ["film.film.sequel", "film.writer"]
    with at_address(store) as remote:
        assert Grounder(remote).lacking(properties, types) == ["film.film.sequel", "film.writer"]


def test_names_of_a_table(store: EmbeddedStore) -> None:
    names = {"m.0p3": "Three", "m.0p4": "Same", "m.0p5": "Same", "m.0p6": "[Six]", "m.0p7": "Seven", "m.9": "Nobody"}
    grounder = Grounder(store, names=names)
    seen = {
        tuple(sorted(answer.names.items()))
        for seed in range(30)
        if isinstance(answer := grounder.ground(made("?x0 a film.film", f"M0 {DIRECT} ?x0", asks="?x0"),
                                                np.random.default_rng(seed)), Grounded)
    }  # fmt: skip
    assert seen <= {(("M0", "Three"),), (("M0", "Seven"),)}
    assert seen


def test_a_world_without_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"no entity has a name: no fact of type\.object\.name and rdfs:label"):
        Grounder(tiny_store(tmp_path, ":m.0a :likes :m.0b ."))


@pytest.mark.parametrize(
    ("clause", "problem"),
    [
        ("M0 likes+ M1", "the path 'likes\\+' has one of"),
        ("M0 likes//hates M1", "a step without a relation"),
        ("FILTER ( M0 < M1 )", "a filter that is not read"),
        ("a likes b", "a clause without a placeholder or variable"),
        ("M0 likes", "a clause of 2 words"),
    ],
)
def test_queries_that_are_not_read(store: EmbeddedStore, clause: str, problem: str) -> None:
    with pytest.raises(FormError, match=problem):
        Grounder(store).ground(made(clause), np.random.default_rng(1))


def test_filters_are_data(store: EmbeddedStore, tmp_path: Path) -> None:
    path = tmp_path / "filters.toml"
    path.write_text("[grounding]\nmost_answers = 3\nown_entity = true\n")
    assert read_grounding_filters(path) == GroundingFilters(3, own_entity=True)
    grounder = Grounder(store, filters=read_grounding_filters(path))
    assert grounder.ground(OPENED[2], np.random.default_rng(1)) == Ungrounded("filtered:most_answers")
    own = made(f"?x0 {GENDER} ?x1", f"M0 {GENDER} ?x1", f"?x0 {DIRECT} M1", f"M0 {DIRECT} M1", asks="?x0")
    reasons = {grounder.ground(own, np.random.default_rng(seed)) for seed in range(5)}
    assert reasons == {Ungrounded("filtered:own_entity")}
    path.write_text("[structural]\n")
    assert read_grounding_filters(path) == GroundingFilters()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[grounding]\nmost_answer = 3", "did you mean 'most_answers'"),
        ("[grounding]\nmost_answers = 0", "grounding.most_answers is 0; give a number"),
        ("[grounding]\nown_entity = 1", "grounding.own_entity is 1; give true or false"),
        ("grounding = 1", "'grounding' is no table"),
        ("grounding", "is no TOML"),
    ],
)
def test_filters_that_are_none(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "filters.toml"
    path.write_text(text)
    with pytest.raises(OptionError, match=problem):
        read_grounding_filters(path)


# -- by address --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [None, 7])
def test_behind_an_address_answers_are_the_same(store: EmbeddedStore, page: int | None) -> None:
    facts = as_oxigraph(store)
    with at_address(store, page=page) as remote:
        grounder = Grounder(remote)
        for question in (*CLOSED, *OPENED):
            answers = [grounded(grounder, question, seed) for seed in range(4 if page else 10)]
            for answer in answers:
                assert answer.answers == recomputed(facts, question, answer.entities)
                assert all(name.startswith(("Person", "Film")) for name in answer.names.values())
                assert len(set(answer.entities.values())) == len(answer.entities)
            if question.closed and not page:
                assert {answer.answers for answer in answers} == {("Yes",), ("No",)}


def test_behind_an_address_combinations_are_drawn_and_not_the_first(store: EmbeddedStore) -> None:
    question = made(f"M0 {DIRECT} M1", "?x0 a people.person", asks="?x0")
    with at_address(store) as remote:
        seen = {tuple(grounded(Grounder(remote), question, seed).entities.values()) for seed in range(12)}
    assert len(seen) > 6


def test_behind_an_address_names_of_two_are_not_used(tmp_path: Path) -> None:
    facts = tiny_facts().replace("Person 4", "Film 4")
    small = tiny_store(tmp_path, facts)
    with at_address(small) as remote:
        grounder = Grounder(remote)
        seen = {grounded(grounder, OPENED[0], seed).names["M0"] for seed in range(60)}
        assert seen == {f"Film {number}" for number in range(15)} - {"Film 4"}
        nobody = made("M0 a people.person", f"M0 {SPOUSE} ?x0", "FILTER ( M0 != ?x0 )", "?x0 a film.actor", asks="?x0")
        answers = {str(grounder.ground(nobody, np.random.default_rng(seed))) for seed in range(3)}
        assert not any("m.0p0'" in answer.partition("answers")[0] for answer in answers)


def test_reasons_behind_an_address(store: EmbeddedStore) -> None:
    with at_address(store) as remote:
        grounder = Grounder(remote)
        for question, reason in (
            (made(f"M0 {DIRECT} M1", "M1 a people.person"), "unsatisfiable"),
            (made("?x0 a film.film", "?x0 a film.actor", asks="?x0"), "unsatisfiable"),
            (made("M0 a no.such.type"), "lacks:no.such.type"),
            (made("?x0 a film.film", f"?x1 {DIRECT} ?x0"), "never_false"),
        ):
            assert grounder.ground(question, np.random.default_rng(1)) == Ungrounded(reason)
        assert Grounder(remote, names={}).ground(OPENED[0], np.random.default_rng(1)) == Ungrounded(
            "no_unambiguous_names"
        )


def test_few_rows_are_asked_for(store: EmbeddedStore) -> None:
    with at_address(store, max_rows=50) as remote:
        query = RemoteEngine(remote, most_rows=2).asked(OPENED[0].query, query_terms(OPENED[0].query))
        seen = [query.draw(np.random.default_rng(seed)) for seed in range(20)]
        assert len({str(each) for each in seen}) == 2


def test_an_address_where_nobody_listens() -> None:
    remote = EndpointStore("http://127.0.0.1:9/sparql", find_profile("freebase"), retries=Retries(0))
    with pytest.raises(AnswerError, match=r"http://127\.0\.0\.1:9/sparql: cannot be reached"):
        Grounder(remote).ground(OPENED[0], np.random.default_rng(1))


def test_a_late_endpoint_is_an_error_and_no_reason(store: EmbeddedStore) -> None:
    from broken_endpoint import endpoint

    with endpoint(lambda handler, _: handler.server.stopping.wait(3) and None) as server:
        remote = EndpointStore(server.address, find_profile("freebase"), time_out=0.2, retries=Retries(0))
        with pytest.raises(RecombineError, match="no whole answer"):
            Grounder(remote).ground(OPENED[0], np.random.default_rng(1))
