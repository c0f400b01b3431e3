"""Predicates are read as they are meant, written back, and refused with the column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.measures.properties.predicate import AllOf, AnyOf, Atom, Not, Part, Predicate, Word, parse_predicate

WORDS = st.builds(Word, st.text(max_size=4)) | st.builds(Word, st.sampled_from("*#"), st.booleans())
PARTS = st.builds(Part, st.lists(WORDS, min_size=1, max_size=3).map(tuple), st.booleans())
ATOMS = st.builds(Atom, st.lists(PARTS, min_size=1, max_size=3).map(tuple))
PREDICATES = st.recursive(
    ATOMS,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=6,
)


def flat(predicate: Predicate) -> Predicate:
    """The predicate with no & right inside &, and no | right inside |, which are written alike."""
    if isinstance(predicate, Atom):
        return predicate
    if isinstance(predicate, Not):
        return Not(flat(predicate.of))
    inner = [flat(each) for each in predicate.of]
    return type(predicate)(tuple(x for e in inner for x in (e.of if isinstance(e, type(predicate)) else (e,))))


@given(PREDICATES)
def test_what_is_written_is_read_back(predicate: Predicate) -> None:
    assert str(parse_predicate(str(predicate))) == str(predicate)
    assert flat(parse_predicate(str(predicate))) == flat(predicate)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a|b&c", "a | b & c"),  # & binds more tightly
        ("(a|b)&c", "(a | b) & c"),
        ("!a&b", "!a & b"),
        ("!(a&b)", "!(a & b)"),
        ("!!a", "!!a"),
        ("rm/v", "rm/v"),
        ("arg:next to & op:!=", 'arg:next to & op:"!="'),
        ('arg:"a & (b)"', 'arg:"a & (b)"'),
        (r'arg:"say \"a\""', r'arg:"say \"a\""'),
        ('arg:"*" | arg:*', 'arg:"*" | arg:*'),
        ('op:all_same["color"]', "op:all_same[color]"),
        (" place : all , some : 1 : ~find ", "place:all,some:1:~find"),
        ("tag:db_id=world_1", "tag:db_id=world_1"),
    ],
)
def test_texts(text: str, written: str) -> None:
    assert str(parse_predicate(text)) == written


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "an atom was expected and the end was found"),
        ("a & (b | c", 5, "this bracket is not closed"),
        ("(a", 1, "this bracket is not closed"),
        ("a & b) | c", 6, "this bracket was not opened"),
        ("a & & b", 5, "an atom was expected and '&' was found"),
        ("a |", 4, "an atom was expected and the end was found"),
        ("()", 2, r"an atom was expected and '\)' was found"),
        ("(a) b", 5, "an operator is missing here"),
        ("((a) b)", 6, "an operator is missing here"),
        ('arg:"x', 5, "this quote is not closed"),
        ("has::x", 5, "an atom was expected and ':' was found"),
        ("(" * 200 + "a", 102, "more than 100 brackets inside each other"),
    ],
)
def test_faults_name_the_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(OptionError, match=f"the predicate, column {column}: {problem}"):
        parse_predicate(text)
