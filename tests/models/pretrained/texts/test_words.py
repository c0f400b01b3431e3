"""Words of targets, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recombine.models.pretrained.texts.words import SPECIAL, Words, cut, join


@given(st.text(), st.booleans())
def test_words_join_to_the_text(text: str, blanks: bool) -> None:
    assert join(cut(text, blanks=blanks), blanks=blanks) == text


def test_words_follow_the_data() -> None:
    spaced = Words.of(["answer ( m0 )", "answer ( count ( m1 ) )"], 1)
    assert (spaced.blanks, spaced.known) == (True, ("(", ")", "answer", "count", "m0", "m1"))
    assert Words.of(["answer ( m0 )", "answer ( count ( m1 ) )"], 2).known == ("(", ")", "answer")
    tight = Words.of(["answer(m0, m1)"], 1)
    assert (tight.blanks, tight.known) == (False, (" ", "(", ")", ",", "answer", "m0", "m1"))
    assert not Words.of(["SELECT\nx"], 1).blanks


def test_a_word_that_looks_special_is_a_word() -> None:
    words = Words.of(["<end> <pad>"], 1)
    assert words.numbers() == {"<end>": 4, "<pad>": 5}
    assert len(words) == 6 == len(SPECIAL) + 2
