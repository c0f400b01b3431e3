"""Quick reading gives what parsing gives, and leaves to the language what it cannot read."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recombine.errors import ProgramError, RecordError
from recombine.languages.covr import COVR
from recombine.languages.functional import FUNCTIONAL
from recombine.languages.funql import FUNQL
from recombine.languages.language import Language
from recombine.records.example import Example
from recombine.structures.programs.distinct_programs import parse_programs
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.structures.programs.program_arrays import ProgramArrays, program_arrays, read_arrays
from recombine.structures.programs.quick_programs import quick_read
from recombine.tree import Tree
from small_programs import sample_programs, trees


def same(one: ProgramArrays, other: ProgramArrays) -> bool:
    return one.symbols == other.symbols and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("starts", "labels", "parents", "lefts")
    )


def both(texts: list[str], language: Language, tokenisation: str = "tree") -> tuple[ProgramArrays, ProgramArrays]:
    rows = [Example(str(number), "", text) for number, text in enumerate(texts)]
    slow = program_arrays(parse_programs(rows, language, data="mine"), tokenisation=tokenisation)
    return read_arrays(rows, language, data="mine", tokenisation=tokenisation), slow


@pytest.mark.parametrize("tokenisation", ["tree", "published"])
def test_programs_of_many_kinds(tokenisation: str) -> None:
    texts = [
        *sample_programs(50),
        "dog",
        "query_attr [ color ] ( with_relation ( scene ( ) , playing with , find ( dog ) ) )",
        "f ( a ( ) , b c ( ) , d )",
        "f(a,b)",  # no blanks: left to the language
        'f ( "a ( b" , c )',  # a string: left to the language
        "dog",
    ]
    quick, slow = both(texts, FUNCTIONAL, tokenisation)
    assert same(quick, slow)
    assert "" not in quick.symbols


def refused(text: str) -> bool:
    try:
        FUNCTIONAL.parse(text)
    except ProgramError:
        return True
    return False


TOKENS = ["a", "b", "[", "]", "(", ")", ",", '"', "f(", "a()", "( )"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.sampled_from(TOKENS), max_size=9).map(" ".join), min_size=1, max_size=4))
@example(["a ( b )", "a ( )", "a [ b ] ( a )"])
@example(["a ( b [ a ] )", "b ( a ) a"])
def test_what_is_read_is_what_the_language_reads(texts: list[str]) -> None:
    found = quick_read(texts, FUNCTIONAL)
    if found is None:  # a run of words that is no label, such as `a [ b`: the language must refuse a program
        assert any(map(refused, texts))
        return
    flat, read = found
    for place, text in enumerate(texts):
        if read[place]:
            one = flat.taken(np.array([place]))
            assert [one.texts[label] for label in one.labels] == [n.label for n in FUNCTIONAL.parse(text).iter_nodes()]
            assert one.children.tolist() == [len(n.children) for n in FUNCTIONAL.parse(text).iter_nodes()]
        else:
            assert len(flat.taken(np.array([place])).labels) == 0


def test_errors_name_the_record() -> None:
    good, bad = "exists ( find ( dog ) )", "exists ( find ( dog ) , 2 )"
    for texts in ([good, bad], [good, bad, bad], [good, "exists ( find ( dog )"], [good, "scene ( dog ) )"]):
        with pytest.raises(RecordError, match="mine, example 1: "):
            both(texts, COVR)
        rows = [Example(str(number), "", text) for number, text in enumerate(texts)]
        with pytest.raises(RecordError, match=r"mine(, |: 2 of 3 records .*: )example 1: "):
            read_arrays(rows, COVR, data="mine")


def test_other_languages_are_parsed() -> None:
    assert quick_read(["answer ( city ( m0 ) )"], FUNQL) is None
    assert same(*both(["answer ( city ( m0 ) )"], FUNQL))


def test_a_language_with_another_tree_is_not_guessed() -> None:
    odd = Language("functional", lambda text: Tree(text), lambda tree: tree.label)
    assert quick_read(["f ( a )"], odd) is None
    assert read_arrays([Example("0", "", "f ( a )")], odd, data="mine").words(0) == ["f ( a )"]


@given(st.lists(trees(), min_size=1, max_size=4), st.lists(trees(), max_size=3))
def test_flat_trees_come_apart_and_together(one: list[Tree], two: list[Tree]) -> None:
    joined = FlatTrees.of(one).joined(FlatTrees.of(two))
    order = np.array([len(one) + len(two) - 1, 0, 0])
    taken = joined.taken(order).rooted("top")
    every = [*one, *two]
    expected = FlatTrees.of([Tree("top", (every[place],)) for place in order])
    assert taken.starts.tolist() == expected.starts.tolist()
    assert taken.children.tolist() == expected.children.tolist()
    assert [taken.texts[n] for n in taken.labels] == [expected.texts[n] for n in expected.labels]


@pytest.mark.shared_data
def test_real_programs(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "covr_text" / "examples.jsonl.gz").read_bytes()).splitlines()
    texts = [orjson.loads(line)["target"] for line in lines]
    found = quick_read(texts, COVR)
    assert found is not None
    assert found[1].all()
    assert same(*both(texts, COVR, "published"))
