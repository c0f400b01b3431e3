"""Words of texts with their places, and what does not count in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.kb.linking.words import folded_words, split_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pokémon", "POKEMON"),
        ("Cafe\u0301", "café"),  # an accent as a character of its own
        ("Some Mother’s Son", "some mother's son"),
        ("Vol. 3 – Super", "vol. 3 - super"),
        ("Ann_Other", "ann other"),
        ("Straße", "STRASSE"),
        ("`quoted`", "'quoted'"),
    ],
)
def test_ways_of_writing_that_are_one(one: str, other: str) -> None:
    assert folded_words(one) == folded_words(other)


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("R.E.M.", "REM"), ("New York", "Newyork"), ("$", "!")])
def test_ways_of_writing_that_are_two(one: str, other: str) -> None:
    assert folded_words(one) != folded_words(other)


@settings(deadline=None)
@given(st.text(st.sampled_from("aBéßŁ3_ -–’'?.´\u0301\n"), max_size=12))
def test_words_stand_at_their_places(text: str) -> None:
    words = split_words(text)
    assert list(words.texts) == folded_words(text)
    before = 0
    for word, start, end in zip(*words, strict=True):
        assert before <= start < end <= len(text)
        assert folded_words(text[start:end]) == [word]
        assert not text[before:start].replace("_", "").strip() or not any(c.isalnum() for c in text[before:start])
        before = end
