"""Runs of words and of symbols, against texts that are counted by hand and by plain slices."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.errors import DefinitionError
from recombine.structures.compound_definition import CompoundDefinition
from recombine.structures.definition import Structures
from recombine.structures.features import Features
from recombine.structures.programs import tree_parts
from recombine.structures.programs.word_runs import runs, target_words

SONGS = [
    ("a", "SELECT name FROM song WHERE year >= 1999 AND title = 'red rain'"),
    ("b", "SELECT name FROM song WHERE year >= 2004 AND title = 'blue'"),
]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jump twice", ["jump", "twice"]),
        ("", []),
        ("  ", []),
        ("f(x,y)", ["f", "(", "x", ",", "y", ")"]),
        ("f ( x , y )", ["f", "(", "x", ",", "y", ")"]),
        ("{a} [b]; c", ["{", "a", "}", "[", "b", "]", ";", "c"]),
        ("a<=b != c=d", ["a", "<=", "b", "!=", "c", "=", "d"]),
        ("x = 'new york' and y", ["x", "=", "'new york'", "and", "y"]),
        ("x = 'it''s'", ["x", "=", "'it''s'"]),
        ('x = "a ""b"" (c)"', ["x", "=", '"a ""b"" (c)"']),
        ("it's", ["it", "'", "s"]),  # a quote that is not closed stands alone
        ("m.0f4 t1.name ?x :p $0 a-b", ["m.0f4", "t1.name", "?x", ":p", "$0", "a-b"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert target_words(text) == words


@given(st.text(alphabet="ab '\"()<=,\n", max_size=30))
def test_nothing_but_blanks_is_left_out(text: str) -> None:
    assert "".join("".join(target_words(text)).split()) == "".join(text.split())


def slow(words: list[str], definition: CompoundDefinition) -> dict[str, float]:
    """By slices of the words."""
    sizes = range(definition.low, definition.high + 1)
    found = Counter(" ".join(words[at : at + size]) for size in sizes for at in range(len(words) - size + 1))
    return {name: 1.0 if definition.value == "presence" else float(count) for name, count in found.items()}


TEXTS = st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=6)
DEFINITIONS = st.builds(
    lambda low, more, value: CompoundDefinition(low, low + more, value, kind="words"),
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from(["counts", "presence"]),
)


@given(TEXTS, DEFINITIONS)
def test_runs_are_slices(texts: list[list[str]], definition: CompoundDefinition) -> None:
    structures = Structures(compounds=definition)
    found = recombine.features([(str(n), " ".join(words)) for n, words in enumerate(texts)], f"tokens;{definition}")
    assert [found.compounds.row(n) for n in range(len(texts))] == [slow(words, definition) for words in texts]
    assert len(set(found.compounds.names)) == len(found.compounds.names)
    assert Structures.parse(str(structures)) == structures


def test_runs_by_hand() -> None:
    data = [("a", "J J W J J"), ("b", "W"), ("c", ""), ("d", "J J W J J")]
    counted = recombine.features(data, "words:2-3").compounds
    assert counted.row(0) == {"J J": 2.0, "J W": 1.0, "W J": 1.0, "J J W": 1.0, "J W J": 1.0, "W J J": 1.0}
    assert [counted.row(n) for n in (1, 2)] == [{}, {}]
    assert counted.row(3) == counted.row(0)
    present = recombine.features(data, "words:2-2,presence").compounds
    assert present.row(0) == {"J J": 1.0, "J W": 1.0, "W J": 1.0}
    assert recombine.features(data, "words:2-3,top=1").compounds.row(0) == {"J J": 2.0}
    assert recombine.features(data, "words:1-1").compounds.row(0) == {"J": 4.0, "W": 1.0}


def test_sizes_that_no_text_reaches() -> None:
    data = [("a", "J J W"), ("b", "W")]
    long = recombine.features(data, "words:3-32").compounds
    assert (list(long.names), long.row(0)) == (["J J W"], {"J J W": 1.0})
    none = recombine.features(data, "words:30-32").compounds
    assert none.shape == (2, 0)
    assert recombine.features([("a", ""), ("b", "")], "words:1-2").compounds.shape == (2, 0)


def test_words_need_no_language_and_go_with_tokens() -> None:
    structures = recombine.features([("a", "x ( y"), ("b", "y )")], "words:2-2").structures
    assert str(structures) == "atoms=tokens,presence;compounds=words:2-2,counts"


def test_runs_of_symbols_have_no_brackets_and_no_spelling() -> None:
    data = recombine.load(
        [("a", "answer(river(loc_2(m0)))"), ("b", "answer ( river ( loc_2 ( m0 ) ) )"), ("c", "answer ( m0 )")],
        language="funql",
    )
    found = recombine.features(data, "sequence:2-3")
    assert str(found.structures) == "atoms=symbols,presence;compounds=sequence:2-3,counts"
    named = {"answer river": 1.0, "river loc_2": 1.0, "loc_2 m0": 1.0, "answer river loc_2": 1.0, "river loc_2 m0": 1.0}
    assert [found.compounds.row(n) for n in range(3)] == [named, named, {"answer m0": 1.0}]
    present = recombine.load([("a", "f ( g ( x ) , g ( x ) )")], language="funql")
    assert recombine.features(present, "sequence:2-2").compounds.row(0) == {"f g": 1.0, "g x": 2.0, "x g": 1.0}
    assert recombine.features(present, "sequence:2-2,presence").compounds.row(0)["g x"] == 1.0
    assert recombine.features(present, "sequence:2-2,top=1").compounds.row(0) == {"g x": 2.0}


def test_literals_of_sequences_by_their_kinds() -> None:
    data = recombine.load(SONGS, language="sql")
    kept, typed, dropped = (
        recombine.features(data, f"sequence:2-2{option}").compounds
        for option in ("", ",literals=type", ",literals=drop")
    )
    assert kept.row(0) != kept.row(1)
    assert typed.row(0) == typed.row(1)
    assert any("<number>" in name for name in typed.names)
    assert not any("<" in name.replace(">=", "") for name in dropped.names)
    assert dropped.row(0) == dropped.row(1)


@pytest.mark.parametrize(
    "text",
    [
        "words:2-2,literals=type",
        "words:2-2,names=type",
        "words:2-2,weighted",
        "words:2-2,rules=all",
        "words:2",
        "words",
    ],
)
def test_what_words_do_not_have(text: str) -> None:
    with pytest.raises(DefinitionError):
        Structures.parse(text)


def same(one: Features, other: Features) -> None:
    assert tuple(one.names) == tuple(other.names)
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("indptr", "indices", "data"))


@pytest.mark.parametrize("kind", ["words", "sequence"])
def test_blocks_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = recombine.load(
        [(str(n), f"f ( g{n % 3} ( x ) , h{n % 4} ( g{n % 3} ( y{n % 2} ) ) )") for n in range(40)], language="funql"
    )
    whole = recombine.features(data, f"symbols;{kind}:2-4").compounds
    monkeypatch.setattr(tree_parts, "BLOCK", 7)
    same(recombine.features(data, f"symbols;{kind}:2-4").compounds, whole)


def test_symbols_of_one_text_do_not_meet_those_of_the_next() -> None:
    found = runs(
        np.array([0, 1, 1, 0]), np.array([0, 2, 2, 4]), ["a", "b"], np.arange(3), CompoundDefinition(2, 4, kind="words")
    )
    assert [found.row(n) for n in range(3)] == [{"a b": 1.0}, {}, {"b a": 1.0}]
