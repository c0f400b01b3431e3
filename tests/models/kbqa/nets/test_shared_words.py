"""Words in common: weighed by hand, without mentions, and given to the network for items alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.models.kbqa.few_questions import SCHEMA, few_questions, uneven_questions  # noqa: E402

from recombine.models.kbqa.arrays.codes import SYMBOLS  # noqa: E402
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays  # noqa: E402
from recombine.models.kbqa.kbqa_settings import KbqaSettings  # noqa: E402
from recombine.models.kbqa.nets.batch import Batch  # noqa: E402
from recombine.models.kbqa.nets.kbqa_net import KbqaNet  # noqa: E402
from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder  # noqa: E402
from recombine.models.kbqa.nets.shared_words import SharedWords  # noqa: E402

ALL = np.arange(len(SCHEMA))
FILM, DIRECT = math.log(10 / 5), math.log(10 / 2)
"""Of nine items four have *film* and one has *directed*."""


def test_shares_of_weights_by_hand() -> None:
    shared = SharedWords(SCHEMA, few_questions(range(3)))  # the second: "directed by of Dune?"
    made = shared.measures(1, ALL)
    np.testing.assert_allclose(made[0], [DIRECT / (DIRECT + FILM), 2 * DIRECT / (2 * DIRECT + FILM), 1.0], rtol=1e-6)
    assert not made[1:].any()


def test_two_words_and_the_most_of_the_items_shown() -> None:
    questions = replace(few_questions(range(1)), texts=("which film directed Alien?",))
    shared = SharedWords(SCHEMA, questions)
    made = shared.measures(0, ALL)
    own, asked = FILM + DIRECT, FILM + DIRECT
    np.testing.assert_allclose(made[0], [1.0, 1.0, 1.0], rtol=1e-6)
    np.testing.assert_allclose(made[6], [1.0, 2 * FILM / (FILM + asked), FILM / own], rtol=1e-6)  # the class film
    # Without the relation, the class has the most.
    np.testing.assert_allclose(shared.measures(0, np.array([6, 8]))[:, 2], [1.0, 0.0])


def test_several_items_together_have_each_word_once() -> None:
    questions = replace(few_questions(range(1)), texts=("which film directed Alien?",))
    shared = SharedWords(SCHEMA, questions)
    written = math.log(10 / 2)
    both = (FILM + DIRECT + written) + (FILM + DIRECT)  # directed by and written by, and the question
    assert shared.likeness(0, [0, 1]) == pytest.approx(2 * (FILM + DIRECT) / both)
    assert shared.likeness(0, [0]) == pytest.approx(1.0)
    assert shared.likeness(0, []) == shared.likeness(0, [8]) == 0.0


def test_words_of_mentions_do_not_count() -> None:
    """The film is called *Pages*, and the question has no other word of an item."""
    one = few_questions(range(1))
    said = replace(one, texts=("who made Pages?",), link_texts=("Pages",))
    assert not SharedWords(SCHEMA, said).measures(0, ALL).any()
    assert SharedWords(SCHEMA, replace(said, link_texts=("Dune",))).measures(0, ALL)[5].all()


def test_a_schema_or_a_question_without_words() -> None:
    numbers = SchemaArrays(("12", "of"), ("12", "of"), np.zeros(2, np.uint8))
    assert not SharedWords(numbers, few_questions(range(1))).measures(0, np.arange(2)).any()
    silent = replace(few_questions(range(1)), texts=("",))
    assert SharedWords(SCHEMA, silent).measures(0, np.arange(0)).shape == (0, 3)


def _net(shared: bool) -> KbqaNet:
    torch.manual_seed(1)
    settings = KbqaSettings(width=8, word_width=8, shared_words=shared)
    return KbqaNet(ScratchEncoder(("film", "book"), 8), settings).eval()


def test_only_items_have_words_in_common() -> None:
    net = _net(shared=True)
    questions = uneven_questions()
    batch = Batch.of(net.prepare(SCHEMA, questions), [0, 3], [np.array([0, 5, 6]), np.array([3])])
    made = batch.shared
    items = len(SYMBOLS) + 2
    assert made.shape == (2, items + 3, 3)
    assert not made[:, :items].any()
    assert not made[1, items + 1 :].any()  # places that the second does not use
    shared = SharedWords(SCHEMA, questions)
    np.testing.assert_array_equal(made[0, items:], shared.measures(0, np.array([0, 5, 6])))
    np.testing.assert_array_equal(made[1, items], shared.measures(3, np.array([3]))[0])
    assert made[1, items].all()  # author of


def test_the_network_weighs_them_by_its_state() -> None:
    net = _net(shared=True)
    batch = Batch.of(net.prepare(SCHEMA, few_questions(range(2))), [1], [ALL])
    with torch.no_grad():
        encoded = net.encode(batch)
        before = net.start(encoded)[0][0, 0]
        assert net.common is not None
        net.common.weight.zero_()
        net.common.bias.copy_(torch.tensor([4.0, 0.0, 0.0]))
        after = net.start(encoded)[0][0, 0]
        net.common.bias.zero_()
        none = net.start(encoded)[0][0, 0]
    directed = len(SYMBOLS) + 1
    gained = (after - none) - (after - none)[0]
    assert gained[directed] == pytest.approx(4 * DIRECT / (DIRECT + FILM), rel=1e-5)
    assert torch.allclose(gained[torch.arange(len(gained)) != directed], torch.zeros(1), atol=1e-5)
    assert not torch.allclose(before, none)
    plain = _net(shared=False)
    assert plain.common is None
    assert plain.encode(Batch.of(plain.prepare(SCHEMA, few_questions(range(2))), [1], [ALL])).shared is None
