"""Candidates scored as tries and one by one; padding changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.models.kbqa.few_questions import RELATIONS, SCHEMA, few_questions, uneven_questions  # noqa: E402

from recombine.models.kbqa.arrays.codes import SYMBOLS  # noqa: E402
from recombine.models.kbqa.inference.answer import answer  # noqa: E402
from recombine.models.kbqa.inference.in_parts import in_parts  # noqa: E402
from recombine.models.kbqa.inference.rank import rank, score_candidates, score_one_by_one  # noqa: E402
from recombine.models.kbqa.inference.trie_levels import node_depths, widest_levels  # noqa: E402
from recombine.models.kbqa.kbqa_settings import KbqaSettings  # noqa: E402
from recombine.models.kbqa.nets.kbqa_net import KbqaNet  # noqa: E402
from recombine.models.kbqa.nets.prepared import Prepared  # noqa: E402
from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder  # noqa: E402
from recombine.models.kbqa.nets.shared_words import SharedWords  # noqa: E402

SETTINGS = KbqaSettings(width=12, word_width=8)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "shared words"])
def net(request: pytest.FixtureRequest) -> KbqaNet:
    torch.manual_seed(3)
    made = KbqaNet(ScratchEncoder(("film", "book", "by", "who"), 8), replace(SETTINGS, shared_words=request.param))
    with torch.no_grad():
        for weight in made.parameters():
            weight.mul_(1.5)  # so that probabilities differ by much
    return made.eval()


@pytest.fixture(scope="module")
def prepared(net: KbqaNet) -> Prepared:
    return net.prepare(SCHEMA, uneven_questions())


ROWS = np.array([3, 0, 1])


def test_tries_score_what_each_candidate_alone_scores(net: KbqaNet, prepared: Prepared) -> None:
    for row, scores in zip(ROWS, score_candidates(net, prepared, ROWS), strict=True):
        leaves = prepared.questions.candidates.leaves(int(row))
        alone = score_one_by_one(net, prepared, int(row))
        np.testing.assert_allclose(scores[leaves], alone, rtol=0, atol=1e-5)
        np.testing.assert_allclose(score_one_by_one(net, prepared, int(row), at_once=4), alone, rtol=0, atol=1e-5)
        assert np.ptp(alone) > 0.1 or len(alone) == 1


def test_other_questions_of_a_batch_change_nothing(net: KbqaNet, prepared: Prepared) -> None:
    together = score_candidates(net, prepared, ROWS)
    for row, scores in zip(ROWS, together, strict=True):
        np.testing.assert_allclose(score_candidates(net, prepared, np.array([row]))[0], scores, rtol=0, atol=1e-5)


def test_scores_fall_along_a_path(net: KbqaNet, prepared: Prepared) -> None:
    for row, scores in zip(ROWS, score_candidates(net, prepared, ROWS), strict=True):
        parents = prepared.questions.candidates.parents[int(row)]
        below = parents >= 0
        assert (scores[below] <= scores[parents[below]]).all()
        assert (scores < 0).all()


def test_the_likeliest_candidate_is_the_answer(net: KbqaNet, prepared: Prepared) -> None:
    done: list[int] = []
    answers = rank(net, prepared, ranked=done.append)
    assert sum(done) == 3
    tries = prepared.questions.candidates
    for row in (0, 1, 3):
        alone = score_one_by_one(net, prepared, row)
        best = tries.path(row, int(tries.leaves(row)[np.argmax(alone)]))
        assert answers.codes[row].tolist() == best[:-1]
        assert answers.scores[row] == pytest.approx(alone.max(), abs=1e-5)
    assert not len(answers.codes[2])
    assert answers.scores[2] == -np.inf
    assert not answers.malformed.any()


def test_words_in_common_weigh_as_much_as_is_said(net: KbqaNet, prepared: Prepared) -> None:
    """The fourth question is for an author: of six candidates, two have the relation of the author of a book."""
    tries = prepared.questions.candidates
    alone = score_one_by_one(net, prepared, 3)
    paths = [tries.path(3, int(leaf))[:-1] for leaf in tries.leaves(3)]
    author = np.array([len(SYMBOLS) + RELATIONS.index("book.book.author") in path for path in paths])
    assert author.sum() == 2
    like = SharedWords(SCHEMA, prepared.questions).likeness(3, [RELATIONS.index("book.book.author")])
    book = SharedWords(SCHEMA, prepared.questions).likeness(3, [RELATIONS.index("book.book.pages")])
    assert like > book == 0.0
    for weight in (0.0, 0.5, 1000.0):
        judged = alone + weight * np.where(author, like, 0.0)
        answers = rank(net, prepared, overlap=weight, ranked=lambda _: None)
        assert answers.codes[3].tolist() == paths[int(np.argmax(judged))]
        assert answers.scores[3] == pytest.approx(alone[int(np.argmax(judged))], abs=1e-5)
    assert author[int(np.argmax(judged))]
    settings = replace(SETTINGS, overlap=1000.0)
    assert answer(net, SCHEMA, prepared.questions, settings, "cpu").codes[3].tolist() == answers.codes[3].tolist()


def test_small_batches_give_the_same(net: KbqaNet, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = few_questions(range(12))
    prepared = net.prepare(SCHEMA, questions)
    whole = rank(net, prepared, ranked=lambda _: None)
    monkeypatch.setattr("recombine.models.kbqa.inference.rank.NUMBERS", {"cpu": 1, "cuda": 1})
    single = rank(net, prepared, ranked=lambda _: None)
    np.testing.assert_array_equal(whole.codes.values, single.codes.values)
    np.testing.assert_allclose(whole.scores, single.scores, atol=1e-5)


def test_words_with_one_text_are_one_to_the_network(net: KbqaNet) -> None:
    """Input and output rows come from texts alone: a schema that has each item twice shares the probability."""
    from dataclasses import replace

    questions = few_questions(range(1, 3))
    twice = replace(SCHEMA, texts=(SCHEMA.texts[0], SCHEMA.texts[0], *SCHEMA.texts[2:]))
    prepared = net.prepare(twice, questions)
    scores = score_candidates(net, prepared, np.array([0]))[0]
    tries = questions.candidates
    by_form = {tuple(tries.path(0, int(leaf))): scores[leaf] for leaf in tries.leaves(0)}
    for form, score in by_form.items():
        swapped = tuple({13: 14, 14: 13}.get(code, code) for code in form)  # the first two items
        assert by_form[swapped] == pytest.approx(score, abs=1e-5)
    assert len({round(float(score), 3) for score in by_form.values()}) > 2


def test_answer_names_the_inference(net: KbqaNet) -> None:
    said: list[str] = []
    answers = answer(net, SCHEMA, uneven_questions(), SETTINGS, "cpu", say=said.append)
    assert (answers.codes.sizes > 0).tolist() == [True, True, False, True]
    assert said == ["4 questions, 1 without an answer, 0 malformed"]


def test_depths_and_widths() -> None:
    assert node_depths(np.array([-1, -1, 0, 1, 1, 4])).tolist() == [0, 0, 1, 1, 1, 2]
    tries = uneven_questions().candidates
    assert widest_levels(tries, np.array([1, 2])).tolist() == [1, 0]


def test_halves_where_memory_is_short() -> None:
    done: list[list[int]] = []

    def work(rows: np.ndarray) -> None:
        if len(rows) > 2:
            raise MemoryError
        done.append(rows.tolist())

    in_parts(np.arange(7), work)
    assert done == [[0], [1, 2], [3, 4], [5, 6]]

    def never(_: np.ndarray) -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        in_parts(np.arange(2), never)
