"""Every text comes back from a tokenizer exactly, or is said not to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.models.pretrained.local_checkpoint import load_tokenizer
from recombine.models.pretrained.settings import FineTuningSettings
from recombine.models.pretrained.texts.spelling import LETTERS, Spelling
from recombine.models.pretrained.texts.text import Text

# Spider and CFQ have such; `{`, `}`, `<`, `\`, `^`, `~` are not in T5's vocabulary.
PROGRAMS = [
    "SELECT count(*) WHERE {\n?x0 a ns:film.director .\n}",
    "select t1.a from b as t1 where t1.c <= 5 and t1.d like '%§l%'",
    "  two  blanks,\ta tab and a tail ",
    "\\x ^ y ~ z | w ` v § u",
    "now => @org.schema.Person </s> <pad> <unk> é漢",
    "",
]


def lossy(texts: Sequence[str]) -> list[str]:
    """As a small vocabulary over lower-case letters, digits and few others, single blanks and no ends of lines."""
    kept = set("abcdefghijklmnopqrstuvwxyz0123456789()_,.% ")
    return ["".join(x for x in " ".join(text.lower().split()) if x in kept) for text in texts]


@given(st.lists(st.text(), max_size=3))
def test_what_is_spelled_comes_back(texts: list[str]) -> None:
    spelling = Spelling(lossy)
    assert spelling.mark == "%"
    for text, (spelled, exact) in zip(texts, spelling.spell_checked(texts), strict=True):
        assert exact
        assert lossy([spelled]) == [spelled]
        assert spelling.read(spelled) == text


def test_codes_are_distinct() -> None:
    assert len(set(LETTERS.values()) | {"m", "x"}) == len(LETTERS) + 2


def test_a_tokenizer_that_can_write_no_mark_is_found_out() -> None:
    spelling = Spelling(lambda texts: ["".join(x for x in text if x.isalpha()) for text in texts])
    assert spelling.mark == ""
    assert spelling.spell_checked(["ab", "a{b"]) == [("ab", True), ("a{b", False)]


@pytest.mark.parametrize("name", ["t5", "bart", "gpt2", "bert"])
def test_programs_come_back_from_tokenizers(checkpoints: dict[str, Path], name: str) -> None:
    text = Text(load_tokenizer(checkpoints[name]), FineTuningSettings(epochs=1), ends=name != "gpt2")
    counted: Counter[str] = Counter()
    ids = text.targets(PROGRAMS, counted)
    back = [text.read(row) for row in ids]
    exact = [one == program for one, program in zip(back, PROGRAMS, strict=True)]
    if name == "bert":  # with no mark in its vocabulary, what is lost is counted
        assert counted["targets_not_exact"] == exact.count(False) == len(PROGRAMS) - 1
    else:
        assert back == PROGRAMS
        assert counted["targets_not_exact"] == 0


def test_t5_is_never_given_what_it_lacks(checkpoints: dict[str, Path]) -> None:
    tokenizer = load_tokenizer(checkpoints["t5"])
    text, counted = Text(tokenizer, FineTuningSettings(epochs=1), ends=True), Counter[str]()
    assert text.spelling.mark == "§"
    rows = text.sources(["a { b }", "a < b"], counted, ends=True)
    assert counted["sources_with_unknown"] == 0
    assert all(tokenizer.unk_token_id not in row for row in rows)
    assert tokenizer.unk_token_id in tokenizer("a { b }").input_ids


def test_a_tokenizer_without_a_mark_counts_what_it_lacks(checkpoints: dict[str, Path]) -> None:
    text, counted = Text(load_tokenizer(checkpoints["bert"]), FineTuningSettings(epochs=1), ends=True), Counter[str]()
    text.sources(["jump", "jump {", "hop"], counted, ends=True)
    assert counted["sources_with_unknown"] == 2
