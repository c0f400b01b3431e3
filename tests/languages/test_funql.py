"""FunQL and the reader of calls under it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import ProgramError
from recombine.files import read_text
from recombine.languages.brackets import read_lists, render_calls, render_lists
from recombine.languages.funql import FUNQL
from recombine.tree import Tree

LABELS = st.sampled_from(["answer", "intersection", "city", "loc_2", "m0", "next_to_1"])
TREES = st.recursive(
    st.builds(Tree, LABELS), lambda below: st.builds(Tree, LABELS, st.lists(below, min_size=1, max_size=3).map(tuple))
)


def test_a_tree_by_hand() -> None:
    tree = FUNQL.parse("answer ( largest ( intersection ( city , loc_2 ( m0 ) ) ) )")
    inner = Tree("intersection", (Tree("city"), Tree("loc_2", (Tree("m0"),))))
    assert tree == Tree("answer", (Tree("largest", (inner,)),))
    assert (tree.size(), tree.depth()) == (6, 5)
    assert FUNQL.parse("answer(largest(intersection(city,loc_2(m0))))") == tree


@given(TREES)
def test_what_is_written_is_read(tree: Tree) -> None:
    assert FUNQL.parse(FUNQL.render(tree)) == tree


@given(TREES)
def test_lists_are_read_back(tree: Tree) -> None:
    assert read_lists(render_lists(tree), language="lists") == tree


@given(TREES.filter(lambda tree: bool(tree.children)), st.data())
def test_a_bracket_dropped_or_doubled_is_refused(tree: Tree, data: st.DataObject) -> None:
    words = render_calls(tree).split()
    places = [place for place, word in enumerate(words) if word in "()"]
    place = data.draw(st.sampled_from(places))
    for broken in (words[:place] + words[place + 1 :], [*words[:place], words[place], *words[place:]]):
        with pytest.raises(ProgramError, match=r"FunQL program, column \d+: "):
            FUNQL.parse(" ".join(broken))


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "an empty program"),
        ("answer ( city", 7, "not closed"),
        ("answer ( city ) )", 16, "a closing bracket too many"),
        ("answer ( )", 9, "an argument is missing"),
        ("answer ( city , )", 16, "an argument is missing"),
        ("( city )", 0, "no name before it"),
        ("answer , city", 7, "a comma outside"),
        ("answer ( city ) state", 16, "after a closing bracket"),
        ('answer ( "city )', 9, "a string that does not end"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem) as caught:
        FUNQL.parse(text)
    assert caught.value.position == position


@pytest.mark.parametrize("text", ["( a", "a )", "( )", "a b", "( a ) b", "( a ( ) )"])
def test_mistakes_in_lists(text: str) -> None:
    with pytest.raises(ProgramError, match="column"):
        read_lists(text, language="lists")


def test_only_what_is_equal_is_merged() -> None:
    one, other = "intersection ( city , loc_2 ( m0 ) )", "intersection ( loc_2 ( m0 ) , city )"
    assert FUNQL.normalise(FUNQL.parse(one)) == FUNQL.normalise(FUNQL.parse(other))
    one, other = "exclude ( city , capital )", "exclude ( capital , city )"
    assert FUNQL.normalise(FUNQL.parse(one)) != FUNQL.normalise(FUNQL.parse(other))


def test_templates() -> None:
    assert FUNQL.render(FUNQL.anonymise(FUNQL.parse("answer ( loc_2 ( m1 ) )"))) == "answer ( loc_2 ( ENTITY ) )"


@pytest.mark.shared_data
def test_every_program_of_geoquery_reads_back(data_dir: Path) -> None:
    lines = read_text(data_dir / "geoquery" / "geo_dataset.tsv").splitlines()
    programs = {line.split("\t")[1] for line in lines}
    assert len(programs) == 289
    for program in programs:
        assert FUNQL.render(FUNQL.parse(program)) == program
