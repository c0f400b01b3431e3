"""Exchanged words: everywhere alike, one for one, never those of the language, and drawn by the generator."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from tests.models.kbqa.many_relations import NAMES, SCHEMA, many_relations

from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.nets.batch import Batch
from recombine.models.kbqa.nets.prepared import Prepared
from recombine.models.kbqa.nets.words_of import words_of
from recombine.models.kbqa.training.exchanged_words import ExchangedWords

QUESTIONS = many_relations()


class Words:
    """Cuts texts into words and numbers them from 1 as they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def pieces(self, texts: list[str]) -> list[list[int]]:
        """The numbers of words."""
        return [[self.numbers.setdefault(word, len(self.numbers) + 1) for word in words_of(text)] for text in texts]


def _tables(prepared: Prepared) -> list[Ragged]:
    return [prepared.question_pieces, prepared.link_pieces, prepared.item_pieces]


@pytest.fixture(name="cut")
def _cut() -> tuple[Prepared, dict[str, int]]:
    words = Words()
    return Prepared.of(SCHEMA, QUESTIONS, words), words.numbers  # type: ignore[arg-type]


def test_one_word_for_one_everywhere(cut: tuple[Prepared, dict[str, int]]) -> None:
    prepared, _ = cut
    drawn = ExchangedWords(prepared, 1.0).draw(np.random.default_rng(3))
    pairs = set()
    for before, after in zip(_tables(prepared), _tables(drawn), strict=True):
        np.testing.assert_array_equal(before.begins, after.begins)
        pairs |= set(zip(before.values.tolist(), after.values.tolist(), strict=True))
    assert len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})
    assert 10 <= sum(old != new for old, new in pairs) <= 35
    # The table that joins all texts says the same.
    np.testing.assert_array_equal(np.concatenate([each.values for each in _tables(drawn)]), drawn.all_pieces.values)
    batch = Batch.of(drawn, [5, 7], [np.array([0, 1]), np.array([2])])
    np.testing.assert_array_equal(batch.pieces[0, : batch.sizes[0]], drawn.question_pieces[5])


def test_words_of_the_language_stay(cut: tuple[Prepared, dict[str, int]]) -> None:
    """What, has and of are in many questions, and so are the names here."""
    prepared, numbers = cut
    kept = [numbers[word] for word in ("what", "has", "of", "alien")]
    changed = set()
    words = ExchangedWords(prepared, 1.0)
    for seed in range(30):
        drawn = words.draw(np.random.default_rng(seed))
        for before, after in zip(_tables(prepared), _tables(drawn), strict=True):
            assert np.array_equal(np.isin(before.values, kept), np.isin(after.values, kept))
            changed |= set(before.values[before.values != after.values].tolist())
    assert changed == set(numbers.values()) - {*kept, *(numbers[name.lower()] for name in NAMES)}


def test_half_of_the_words_of_items_are_drawn_in_a_share_of_the_steps(cut: tuple[Prepared, dict[str, int]]) -> None:
    prepared, _ = cut
    words = ExchangedWords(prepared, 0.25)
    generator = np.random.default_rng(0)
    drawn = [words.draw(generator) for _ in range(400)]
    changed = [each for each in drawn if each is not prepared]
    assert 70 <= len(changed) <= 130
    assert len({tuple(each.item_pieces.values.tolist()) for each in changed}) > 20
    none = ExchangedWords(prepared, 0.0)
    before = np.random.default_rng(1)
    assert none.draw(before) is prepared
    assert before.random() == np.random.default_rng(1).random()  # nothing was drawn


def test_the_same_generator_draws_the_same(cut: tuple[Prepared, dict[str, int]]) -> None:
    one, two, other = (ExchangedWords(cut[0], 1.0).draw(np.random.default_rng(seed)) for seed in (4, 4, 5))
    np.testing.assert_array_equal(one.all_pieces.values, two.all_pieces.values)
    assert not np.array_equal(one.all_pieces.values, other.all_pieces.values)


def test_a_piece_that_stands_for_any_word_stays() -> None:
    class Unknown(Words):
        def pieces(self, texts: list[str]) -> list[list[int]]:
            return [[number - 1 for number in row] for row in super().pieces(texts)]

    prepared = Prepared.of(SCHEMA, QUESTIONS.take(range(40)), Unknown())  # type: ignore[arg-type]
    for seed in range(20):
        drawn = ExchangedWords(prepared, 1.0).draw(np.random.default_rng(seed))
        np.testing.assert_array_equal(drawn.all_pieces.values == 0, prepared.all_pieces.values == 0)
