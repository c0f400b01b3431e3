"""Reading facts: the reader of Prolog facts and the typed relations over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import InputFileError, MissingDataError, RecordError
from recombine.kb.geoquery.geobase import (
    Border,
    City,
    Country,
    HighLow,
    Lake,
    load_geobase,
    parse_geobase,
    read_geobase,
)
from recombine.kb.geoquery.prolog_facts import Fact, iter_facts

TEXT = """% made up
city('north', 'no', 'st. ann''s', 1.5e+3).  /* two
lines */ lake(blue,12.5,
  ['north','south']).
border('north','no',[]).
highlow(north, no, 'tip', 812, 'pit', -3).
"""


def test_facts_by_hand() -> None:
    facts = parse_geobase(TEXT)
    assert facts.city == (City("north", "no", "st. ann's", 1500),)
    assert facts.lake == (Lake("blue", 12.5, ("north", "south")),)
    assert facts.border == (Border("north", "no", ()),)
    assert facts.highlow == (HighLow("north", "no", "tip", 812, "pit", -3),)
    assert sum(facts.counts().values()) == 4


def test_lines_are_counted_through_comments_and_breaks() -> None:
    assert [(fact.relation, fact.line) for fact in iter_facts(TEXT)] == [
        ("city", 2),
        ("lake", 3),
        ("border", 5),
        ("highlow", 6),
    ]


def test_numbers_without_a_fraction_are_whole() -> None:
    (fact,) = iter_facts("n(51.7e+3, 0.5, -85, 2e0).")
    assert fact == Fact("n", (51700, 0.5, -85, 2), 1)
    assert [type(number) for number in fact.arguments] == [int, float, int, int]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n\nlake(blue, 1, []) lake", r"line 3: lake stands where '\.' belongs"),
        ("lake(blue, 1, [).", r"line 1: \) stands where a name or a number belongs"),
        ("lake(blue, 1, [a b]).", r"line 1: b stands where ',' belongs"),
        ("lake(blue,\n1,", r"line 2: the end of the file stands where a name or a number belongs"),
        ("lake('blue", r"line 1: a name that does not end"),
        ("lake(X, 1, []).", r"line 1: 'X' is no part of a fact"),
        (":- dynamic lake/3.", r"line 1: ':' is no part of a fact"),
        ("'lake'(blue).", r"line 1: 'lake' stands where the name of a relation belongs"),
        ("lake(f(blue)).", r"line 1: \( stands where '\)' belongs"),
        ("lake(blue, 1e999, []).", r"line 1: 1e999 stands where a number of this machine belongs"),
        ("lake(blue, 1, []).\npond(blue).", r"line 2: unknown relation 'pond'; known: state, city"),
        ("lake(blue, 1).", r"line 1: 'lake' has 2 arguments where 3 belong; give: name, area, states"),
        ("lake(blue, big, []).", r"line 1: the area of 'lake' is a name where a number belongs"),
        ("lake(blue, 1, red).", r"line 1: the states of 'lake' is a name where a list of names belongs"),
        ("lake(1, 1, []).", r"line 1: the name of 'lake' is a number where a name belongs"),
    ],
)
def test_what_is_no_fact_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(RecordError, match=f"made up, {problem}"):
        parse_geobase(text, path="made up")


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "facts.pl"
    path.write_text("country('usa',307890000,9826675).")
    assert read_geobase(path).country == (Country("usa", 307890000, 9826675),)
    path.write_text("% nothing\n")
    with pytest.raises(InputFileError, match="has no facts"):
        read_geobase(path)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"geoquery/geobase\.pl"):
        load_geobase()


@pytest.mark.shared_data
def test_every_line_of_geobase_is_a_fact(data_dir: Path) -> None:
    facts = load_geobase()
    lines = (data_dir / "geoquery" / "geobase.pl").read_text().splitlines()
    counted: dict[str, int] = {}
    for line in lines:
        name = line.partition("(")[0]
        counted[name] = counted.get(name, 0) + 1
    assert facts.counts() == counted
    assert sum(counted.values()) == len(lines) == 698
    assert facts.city[0] == City("alabama", "al", "birmingham", 284413)
    assert facts.state[-1].name == "wyoming"
    assert facts.state[-1].population == 469557
    assert facts.river[0].states[-2:] == ("louisiana", "louisiana")
