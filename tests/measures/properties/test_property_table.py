"""Named properties come from files, are said with primitives, and a fault names the file and the entry."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import RecombineError, UnknownNameError
from recombine.measures.properties.predicate import parse_predicate
from recombine.measures.properties.property_table import property_table


def expanded(text: str, path: Path | None = None) -> str:
    return str(property_table(path).expanded(parse_predicate(text)))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("has:quant", "op:all,most,some,none,all_same"),
        ("has:num:3 | ans:3", "arg:3 | ans:3"),
        ("ans:num & ans:attr", "answer:number & tpl:QUERYATTR"),
        ("has:sameattr:color", "op:all_same[color] | place:eq:2:query_attr[color]"),
        ("!has:sameattr", "!(op:all_same | place:eq:2:query_attr)"),
        ('has:num:"a & b"', 'arg:"a & b"'),
        ("under:count:distinct & tag:a=b", "under:count:distinct & tag:a=b"),
    ],
)
def test_meanings(text: str, meaning: str) -> None:
    assert expanded(text) == meaning


def test_the_set_ups_of_the_paper_are_all_there() -> None:
    # COVR, tables 7 and 8: 12 with 500 examples, 10 with none; the code's 65 pairs are the last one in another way.
    presets = property_table().presets
    assert sum(each.few_shot == 500 for each in presets.values()) == 12
    assert sum(each.few_shot == 0 for each in presets.values()) == 10 + 1
    assert property_table().preset(" COVR:RM/V ") == presets["covr:rm/v"]
    # The number filtered there of 250,000.
    filtered = {"covr:has-quant": 33_300, "covr:has-num-3-ans-3": 11_800, "covr:rm/v": 42_700, "covr:program": 41_000}
    assert {name: round((presets[name].paper or 0) * 250_000) for name in filtered} == filtered


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("has:qant", "has:quant"),
        ("has:quant:al", "has:quant:all"),
        ("rmv", "rm/v"),
        ("undr:a:b", "under:A:B"),
        ("covr:has-qant", "covr:has-quant"),
    ],
)
def test_an_unknown_property_names_the_nearest(text: str, near: str) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown property '{text}'; did you mean '{near}'"):
        expanded(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("under:a", "under:a names 1 things; write under:A:B"),
        ("op:a:b", "op:a:b names 2 things; write op:NAME, and in quotes what has a colon in it"),
        ("place:a:0:b", "names no place; write place:A:N:B"),
        ("tag:level", "tag:level names no tag with its value"),
        ("tag:=3", "names no tag with its value"),
        ("graph:w", "unknown shape of graph 'w'"),
        ("answer:nummer", "unknown kind of answer 'nummer'; did you mean 'number'"),
        ("has:count & covr:program", "'covr:program' is a whole split and no property"),
    ],
)
def test_primitives_are_checked(text: str, problem: str) -> None:
    with pytest.raises(RecombineError, match=problem.replace("(", r"\(")):
        expanded(text)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[properties]\n"my:deep" = "under:count:with_relation & !my:or"\n"my:*" = "op:{}"\n'
        '"my:any" = "my:all | my:some"\n[presets."my:split"]\nheld_out = "my:any"\nfew_shot = 3\n'
    )
    assert expanded("my:deep", path) == "under:count:with_relation & !op:or"
    assert expanded("my:any & has:count", path) == "(op:all | op:some) & op:count"
    table = property_table(path)
    assert table.presets["my:split"].few_shot == 3
    name, _, digest = table.own.partition("@")
    assert name == "mine.toml"
    path.write_text(path.read_text() + "\n# changed\n")
    assert property_table(path).own not in (table.own, "")
    assert len(digest) == 16
    assert property_table().own == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[properties", "is no TOML"),
        ("x = 1", "x: is no table of properties"),
        ('[properties]\n"a" = 1', "a: is no text"),
        ('[properties]\n"a & b" = "op:x"', "a & b: is no name of a property"),
        ('[properties]\n"a" = "(op:x"', "a: the predicate, column 1: this bracket is not closed"),
        ('[properties]\n"a" = "has:qant"', "a: unknown property 'has:qant'; did you mean 'has:quant'"),
        ('[properties]\n"a" = "b"\n"b" = "!a"', "a: the property '[ab]' is said with itself"),
        ('[properties]\n"has:quant" = "op:x"', "has:quant: there is such a property already"),
        ('[presets."covr:rm/v"]\nheld_out = "op:x"', "covr:rm/v: there is such a preset already"),
        ("[presets.a]\nfew_shot = 3", "a: has to say either held_out or draw"),
        ('[presets.a]\nheld_out = "op:x"\nfew_shot = -3', "a: few_shot is -3"),
        ('[presets.a]\nheld_out = "op:x"\nfew = 3', "a: has 'few'; known: held_out"),
        ('[presets.a]\ndraw = "program"\nshare = 0.5', "a: draws 'program'; draw programs or pairs"),
    ],
)
def test_faults_of_a_file(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(RecombineError, match=problem) as caught:
        property_table(path)
    assert "mine.toml" in str(caught.value)


def test_nothing_is_run(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[properties]\n"a" = "__import__(1)"')
    with pytest.raises(RecombineError, match="an operator is missing here"):
        property_table(path)
