"""Questions of CFQ's rules grounded in the made-up world: the answers of pyoxigraph, and the graphs of placeholders."""

from __future__ import annotations

import numpy as np
import orjson
import pytest
from small_store import as_oxigraph
from tiny_world import at_address, recomputed

from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.film_world.film_world import film_world_store
from recombine.kb.grounding.grounded import Grounded
from recombine.kb.grounding.grounder import Grounder

Made = list[tuple[MadeQuestion, Grounded]]


@pytest.fixture(scope="module")
def maker() -> QuestionMaker:
    return QuestionMaker("cfq", max_level=25)


@pytest.fixture(scope="module")
def store() -> EmbeddedStore:
    return film_world_store(20_000)


@pytest.fixture(scope="module")
def made(maker: QuestionMaker, store: EmbeddedStore) -> Made:
    grounder = Grounder(store)
    answers = [
        (question, grounder.ground(question, np.random.default_rng((1, 0, place))))
        for place, question in enumerate(maker.lot(1, 0, 300).questions)
    ]
    return [(question, answer) for question, answer in answers if isinstance(answer, Grounded)]


def test_answers_are_those_of_pyoxigraph(made: Made, store: EmbeddedStore) -> None:
    facts = as_oxigraph(store)
    assert len(made) > 150
    assert {answer.origin for _, answer in made} == {"satisfying", "mixed", "generic"}
    for question, answer in made:
        assert answer.answers == recomputed(facts, question, answer.entities), question.pattern
        assert answer.answers


def test_a_graph_with_entities_is_that_with_placeholders(made: Made, maker: QuestionMaker) -> None:
    """The two differ in what the two rules of entities say, and not in the graph (L.3)."""
    for question, answer in made[:100]:
        words = [answer.entities.get(word, word) for word in question.pattern.split()]
        reading = maker.parser.parse(" ".join(words))
        assert maker.parser.graph(reading).to_rows() == orjson.loads(question.derivation)


def test_behind_an_address_answers_are_the_same(made: Made, store: EmbeddedStore) -> None:
    with at_address(store) as remote:
        for question, answer in made[:60]:
            assert answer.answers == recomputed(remote, question, answer.entities)  # type: ignore[arg-type]
