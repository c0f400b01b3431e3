"""The report of merges, on hand cases."""

from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.merges import Merges, find_merges
from recombine.languages.sparql.sparql import SPARQL
from recombine.languages.sql.sql import SQL
from recombine.tree import Tree


def test_groups_stand_in_the_order_of_the_programs() -> None:
    programs = [
        "select a from b",
        "select t1.c from d as t1",
        "SELECT a FROM b",
        "select e from f",
        "select d.c from d",
        "select a from b;",
        "select a from b\n",
    ]
    found = find_merges(programs, SQL)
    assert found == Merges(
        6,
        3,
        (("select a from b", "SELECT a FROM b", "select a from b;"), ("select t1.c from d as t1", "select d.c from d")),
    )
    assert str(found) == "6 distinct programs, 3 after normalisation (2 merged groups)"


def test_nothing_to_merge() -> None:
    words = Language("words", Tree, lambda tree: tree.label)
    assert find_merges(["a", "b", "a"], words) == Merges(2, 2, ())
    assert find_merges([], words) == Merges(0, 0, ())


def test_a_malformed_program_is_an_error() -> None:
    with pytest.raises(ProgramError, match="sparql program, column 1"):
        find_merges(["count ( * )"], SPARQL)
