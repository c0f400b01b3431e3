"""Examples for a prompt: they cover the program's structures, larger ones first, no template twice."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.selection.select_coverage import CoverageSelector
from small_programs import sample_programs, structures_of

POOL = [
    "or ( exists ( find ( dog ) ) , eq ( a , b ) )",  # or > exists > find > dog
    "exists ( find ( dog ) )",
    "all ( find ( cat ) , scene ( ) )",
    "and ( all ( find ( cat ) , scene ( ) ) , eq ( a , b ) )",
    "count ( find ( cat ) )",
]
ASKED = "or ( exists ( find ( dog ) ) , all ( find ( cat ) , scene ( ) ) )"


def selector(pool: list[str], asked: str, definition: str = "local:4") -> CoverageSelector:
    return CoverageSelector(structures_of([*pool, asked], definition), pool)


def test_larger_structures_first() -> None:
    found = selector(POOL, ASKED).select(5, 2)
    # Structures of four nodes come first: <s> > or > exists > find and or > exists > find > dog are in row 0 alone; of
    # what is left, all > (find ~ scene()) and what is in it are in rows 2 and 3, and row 2 has <s> > all too.
    assert found.rows[0] == 0
    assert found.reasons[0] == "<s> > or > exists > find"
    assert found.rows[1] in (2, 3)
    assert found.note.startswith("no example holds <s> > or > all > find")


def test_a_second_round_fills_the_prompt() -> None:
    found = selector(POOL, ASKED).select(5, 5)
    assert sorted(found.rows) == [0, 1, 2, 3, 4]
    assert "only" not in found.note


def test_no_template_twice() -> None:
    pool = ["f ( a )", "f ( b )", "g ( f ( a ) )"]
    structures = structures_of([*pool, "f ( a )"])
    found = CoverageSelector(structures, ["F", "F", "G"]).select(3, 3)
    assert found.rows == (0, 2)
    assert found.note == "only 2 examples of other templates hold structures of the program"


def test_the_program_itself_is_not_shown() -> None:
    pool = ["f ( a )", "f ( b )", "g ( a )"]
    chosen = CoverageSelector(structures_of(pool), pool)
    assert 0 not in chosen.select(0, 2).rows
    asked = CoverageSelector(structures_of([*pool, "f ( a )"]), pool)
    assert 0 in asked.select(3, 1).rows
    assert 0 not in asked.select(3, 2, leave_out=[0]).rows


def test_nothing_to_show() -> None:
    found = selector(["f ( a )"], "x ( y )", "local:2").select(1, 1)
    assert found.rows == ()
    assert found.note == (
        "only 0 examples of other templates hold structures of the program; no example holds <s> > x, x > y"
    )


def test_every_structure_that_can_be_covered_is() -> None:
    pool = sample_programs(200)
    asked = sample_programs(230, seed=1)[-30:]
    structures = structures_of([*pool, *asked], "local:3")
    chosen = CoverageSelector(structures, pool)
    for place in range(len(pool), len(pool) + len(asked)):
        found = chosen.select(place, 30)
        shown = {int(c) for row in found.rows for c in structures.row(row)}
        known = {int(c) for row in range(len(pool)) for c in structures.row(row)}
        assert {int(c) for c in structures.row(place)} & known <= shown
        assert len(set(found.rows)) == len(found.rows)


def test_same_seed_same_rows() -> None:
    pool = sample_programs(100)
    chosen = CoverageSelector(structures_of(pool), pool)
    assert chosen.select(3, 5, seed=2) == chosen.select(3, 5, seed=2)


def test_templates_must_fit() -> None:
    with pytest.raises(OptionError, match="there are 2 templates and 1 programs"):
        CoverageSelector(structures_of(["f ( a )"]), ["a", "b"])
