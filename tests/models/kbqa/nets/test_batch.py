"""The tables of a batch: which word stands where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.models.kbqa.few_questions import LINK, RELATIONS, SCHEMA, coded, straight, uneven_questions

from recombine.models.kbqa.arrays.codes import SYMBOLS
from recombine.models.kbqa.nets.batch import ABSENT, Batch
from recombine.models.kbqa.nets.prepared import Prepared

S = len(SYMBOLS)


class _Letters:
    """One piece a letter."""

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        return [[ord(letter) for letter in text] or [0] for text in texts]


def _batch(rows: list[int]) -> Batch:
    prepared = Prepared.of(SCHEMA, uneven_questions(), _Letters())
    return Batch.of(prepared, rows, [prepared.questions.vocabulary[row] for row in rows])


def test_tables_have_symbols_then_links_then_items() -> None:
    batch = _batch([0, 1])  # two links and items 0, 5, 6; one link and item 1
    assert batch.codes[0].tolist() == [*range(S), LINK, LINK + 1, S + 0, S + 5, S + 6]
    assert batch.codes[1].tolist() == [*range(S), LINK, ABSENT, S + 1, ABSENT, ABSENT]
    assert batch.known[1].tolist() == [True] * S + [True, False, True, False, False]


def test_places_are_where_codes_stand() -> None:
    batch = _batch([0, 1, 2, 3])
    question, place = np.nonzero(batch.known)
    codes = batch.codes[question, place]
    np.testing.assert_array_equal(batch.places(question, codes), place)


def test_a_word_that_a_question_lacks_has_no_place() -> None:
    batch = _batch([0, 1])
    code = coded(RELATIONS[0])[0]
    assert batch.places(np.array([0, 1]), np.array([code, code])).tolist() == [S + 2, ABSENT]


def test_targets_and_pieces() -> None:
    batch = _batch([0, 2])
    places, sizes = batch.targets(batch.prepared.questions.targets)
    assert sizes.tolist() == [len(straight(RELATIONS[0])), 0]
    assert places[0].tolist() == [1, 7, S + 2, S, 2]  # ( JOIN relation link )
    assert (places[1] == ABSENT).all()
    assert batch.sizes.tolist() == [len(batch.prepared.questions.texts[0]), 1]
