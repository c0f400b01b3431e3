"""Decks: every row once a pass, twins side by side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.models.pictures.training.deck import Deck


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=40), st.integers(0, 3))
def test_a_pass_has_every_row_and_parts_no_twins(pair: list[int], seed: int) -> None:
    rows, pairs = np.arange(100, 100 + len(pair)), np.array(pair)
    deck = Deck(rows, pairs, seed)
    dealt = deck.deal(0, deck.couples)
    assert set(dealt.reshape(-1).tolist()) == set(rows.tolist())
    assert dealt.size - len(rows) in (0, 1)
    couples = {frozenset(each) for each in dealt.tolist()}
    for number in set(pair) - {-1}:
        alike = rows[pairs == number].tolist()
        assert all(frozenset(alike[at : at + 2]) in couples for at in range(0, len(alike) - 1, 2))


def test_batches_go_on_into_the_next_pass() -> None:
    deck = Deck(np.arange(10), None, seed=1)
    whole = deck.deal(0, 15)
    assert (np.concatenate([deck.deal(start, 3) for start in range(0, 15, 3)]) == whole).all()
    assert sorted(whole[:5].reshape(-1)) == sorted(whole[5:10].reshape(-1)) == list(range(10))
    assert (whole[:5] != whole[5:10]).any()


def test_the_seed_decides() -> None:
    decks = [Deck(np.arange(50), None, seed).deal(0, 25).tolist() for seed in (0, 0, 1)]
    assert decks[0] == decks[1] != decks[2]


def test_nothing_to_train_on() -> None:
    with pytest.raises(OptionError, match="nothing to train on"):
        Deck(np.zeros(0, np.int64), None, 0)
