"""Each warning where it is due and where it just is not, in what verbs print, and on published splits."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import recombine
from recombine.cli.app import app
from recombine.measures.split_warnings import (
    HeldCompounds,
    few_compounds,
    longer,
    other_structures,
    saturated,
    split_warnings,
    without_compounds_warnings,
)
from recombine.records.signature import Signature
from recombine.splits.made_to_be_hard import made_to_be_hard
from recombine.structures.definition import Structures
from recombine.structures.features import Features
from recombine.structures.kinds import Definition


def compounds(text: str) -> Definition:
    return Structures.parse(text).compounds


PAIRS = compounds("tree:2-2,counts")
CHAIN = " ( ".join(f"f{n}" for n in range(20)) + " ( a" + " )" * 20
"""Twenty compounds in each of 40 examples of train; 20 more hold none, and 30 of test hold one of their own."""
PLANTED = [
    *((f"walk {n}", "a") for n in range(20)),
    *((f"run {n}", CHAIN) for n in range(40)),
    *((f"walk and run and {n}", "g ( a )") for n in range(30)),
]


# -- each by itself ---------------------------------------------------------------------------------------------------


def test_the_ceiling_is_what_is_printed_as_one() -> None:
    assert str(saturated(0.9995, PAIRS)).startswith("D_C is 1.000: train has next to none of the compounds of test")
    assert saturated(0.9994, PAIRS) is None


def test_few_compounds_are_few_beside_a_random_test() -> None:
    # Half of two examples is tested. Each of 40 compounds is in both of them: a random test holds 3/4 of them, 30, and
    # 0.15 of these are 4.5.
    holders = np.full(40, 2)
    said = few_compounds(HeldCompounds(PAIRS, holders, tested=4, rows=2), "test", 1)
    assert str(said).startswith("test holds 4 of the 40 compounds there are, and a random part of its size about 30:")
    assert few_compounds(HeldCompounds(PAIRS, holders, tested=5, rows=2), "test", 1) is None


def test_rare_compounds_are_not_expected_of_a_small_test() -> None:
    # Each example has a compound of its own: a test of one of them holds all that it can, however many there are.
    rows = Features.from_rows([{str(n): 1} for n in range(100)])
    held = HeldCompounds.of(PAIRS, rows, [7])
    assert (held.tested, held.rows, held.holders.tolist()) == (1, 100, [1] * 100)
    assert few_compounds(held, "test", 1) is None


def test_entries_that_repeat_are_no_more_than_the_data() -> None:
    rows = Features.from_rows([{str(n): 1.0 for n in range(10)}, {"0": 1.0, "10": 0.0}])
    held = HeldCompounds.of(PAIRS, rows, [1, 1, 1])
    assert (held.tested, held.holders.tolist()) == (1, [2, 1, 0, *[1] * 8]), "10 stands after 1, and weighs nothing"
    said = few_compounds(held, "dev", 3)
    assert str(said).startswith("dev holds 1 of the 10 compounds there are, and a random part of its size about 10:")


def test_a_third_without_compounds() -> None:
    values = {"train": 30, "test": 10, "without_compounds": {"train": 10, "test": 3}}
    (said,) = without_compounds_warnings(values, PAIRS)
    assert said.startswith("33% of train (10 of 30 examples) hold no compound")
    assert without_compounds_warnings({**values, "without_compounds": {"train": 9, "test": 3}}, PAIRS) == []
    (said,) = without_compounds_warnings({**values, "without_compounds": {"train": 0, "test": 4}}, PAIRS)
    assert said.startswith("40% of test (4 of 10 examples)")
    assert without_compounds_warnings({"train": 30, "test": 10}, PAIRS) == []


def lengths(**numbers: int) -> Any:
    """Counts of texts by words: `three=19` are 19 texts of three words."""
    return np.array([numbers.get(name, 0) for name in ("none", "one", "two", "three", "four", "five", "six")])


def test_a_third_longer_on_average() -> None:
    train = lengths(three=10)
    said = longer({"source": (train, train), "target": (train, lengths(two=5, six=5))}, "test")  # 4 words on average
    assert said is not None
    assert "(targets 1.33 times as many words on average, 50% above 95% of train's)" in said
    assert said.endswith("--length-ratio target=0.9:1.1 (--by mcd and tmcd)")
    both = longer({"source": (train, lengths(four=9)), "target": (train, lengths(four=9))}, "test")
    assert "(sources 1.33 times as many words on average, 100% above 95% of train's; targets 1.33 times" in str(both)
    assert str(both).endswith("--length-ratio 0.9:1.1 (--by mcd and tmcd)")
    # 3.9 words on average; as long as the longest of train, which are one in ten.
    train = lengths(two=1, three=8, four=1)
    assert longer({"source": (train, lengths(three=1, four=9))}, "test") is None


def test_a_quarter_longer_than_95_percent() -> None:
    train = lengths(three=19, six=1)  # 95 % have at most three words
    said = longer({"source": (train, lengths(three=6, four=2))}, "test")
    assert "(sources 1.03 times as many words on average, 25% above 95% of train's)" in str(said)
    assert longer({"source": (train, lengths(three=7, four=2))}, "test") is None
    assert longer({"source": (lengths(three=18, six=2), lengths(three=6, four=2))}, "test") is None
    assert (
        longer({"source": (lengths(none=3), lengths(one=1)), "target": (lengths(one=1), lengths(none=1))}, "") is None
    )


@pytest.mark.parametrize(
    ("definition", "ways"),
    [
        ("dag:2-9,counts", ": smaller compounds (dag:2-4), all rules (rules=all), weighted"),
        ("dag:2-4,weighted,rules=all,top=40", ": smaller compounds (dag:2-3), no top=40"),
        ("path:1-2,counts", ": smaller compounds (path:1-1)"),
        ("tree:2-2,counts", ""),
        ("local:3", ": smaller ones (local:2)"),
        ("local:2", ""),
    ],
)
def test_what_else_to_take(definition: str, ways: str) -> None:
    assert other_structures(compounds(definition)) == "take other --structures" + ways
    if "(" in ways and not ways.startswith(": smaller ones"):
        compounds(ways.partition("(")[2].partition(")")[0] + ",counts")  # what is named can be read


# -- all of them ------------------------------------------------------------------------------------------------------


def planted(by: str) -> tuple[recombine.Dataset, recombine.Split]:
    data = recombine.load(PLANTED, language="functional")
    parts = {"train": data.ids[:60], "test": data.ids[60:]}
    return data, recombine.Split(parts, data.name, data.hash, Signature.of(by=by), reading=data.reading)


def test_all_at_once() -> None:
    data, split = planted("tmcd")
    measured = recombine.measure(data, split)
    beginnings = (
        "D_C is 1.000:",
        "test holds 1 of the 21 compounds there are, and a random part of its size about 21:",
        "33% of train (20 of 60 examples) hold no compound",
        "test is longer than train (sources 2.50 times as many words on average, 100% above 95% of train's)",
    )
    assert len(measured["warnings"]) == 4
    for said, beginning in zip(measured["warnings"], beginnings, strict=True):
        assert said.startswith(beginning)
    page = recombine.report({"hard": split}, data=data)
    assert page.not_measured == [*measured["warnings"], *measured["not_measured"]]
    text = unescape(page.page.decode()).replace("D<sub>C</sub>", "D_C")
    assert all(f'<p class="missing">{said}.</p>' in text for said in measured["warnings"])
    made = recombine.measure(*planted("random"))
    assert "warnings" not in made.to_dict()


def test_a_line_for_each(tmp_path: Path) -> None:
    path, hard = tmp_path / "mine.jsonl", tmp_path / "hard.json"
    path.write_text("".join(json.dumps({"source": a, "target": b}) + "\n" for a, b in PLANTED))
    # Atoms of test must be in train, so what is found is no split of above.
    words = ["split", str(path), "--language", "functional", "--by", "tmcd", "--test", "15", "--effort", "0.1"]
    found = json.loads(CliRunner().invoke(app, [*words, "--json", "-o", str(hard)]).stdout)["warnings"]
    assert "test holds 1 of the 21 compounds" in found[0]
    printed = CliRunner().invoke(app, words).stdout.split("\n")
    assert [line for line in printed if line in found] == found
    measure = ["measure", str(path), str(hard), "--language", "functional"]
    assert json.loads(CliRunner().invoke(app, [*measure, "--json"]).stdout)["warnings"] == found
    printed = CliRunner().invoke(app, measure).stdout.split("\n")
    assert [line for line in printed if line in found] == found


def test_without_structures_lengths_alone_are_known() -> None:
    values = {"train": 9, "test": 3, "against": "test"}
    (said,) = split_warnings(values, {"source": (lengths(three=9), lengths(four=3))}, ())
    assert said.startswith("test is longer than train")


# -- published splits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "split", "hard"),
    [
        ("scan", "mcd1", True),
        ("scan", "addprim_jump", False),
        ("geoquery/funql", "tmcd_1", True),
        ("geoquery/funql", "length_1", False),
        ("cfq/mcd1", "published", True),
        ("spider/xsp", "published", False),
    ],
)
def test_which_published_splits_are_made_to_be_hard(data: str, split: str, hard: bool) -> None:
    assert made_to_be_hard(Signature.of(data=f"{data}@0123", by="predefined", split=split)) == hard


SCAN_LENGTHS = {
    "mcd1": "(targets 1.47 times as many words",
    "mcd2": "(sources 1.20 times as many words on average, 37%",
}
"""The targets of MCD1 and the sources of MCD2 are longer in test, as the length ratios of `docs/table3.md` have it."""


@pytest.mark.shared_data
@pytest.mark.parametrize("name", SCAN_LENGTHS)
def test_the_published_splits_of_scan_are_longer(
    name: str, scan: recombine.Dataset, scan_features: Any, data_dir: Path
) -> None:
    (said,) = recombine.measure(scan, f"scan/{name}", structures=scan_features)["warnings"]
    assert SCAN_LENGTHS[name] in said


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("data", "split", "against"),
    [
        *(("geoquery/funql", name, "test") for name in ("standard", "template_1", "length_1", "tmcd_1")),
        *(("spider/ssp", name, "test") for name in ("random_1", "template_1", "length_1", "tmcd_1")),
        ("cfq/mcd1", "published", "dev"),
    ],
)
def test_other_published_splits_have_none(data: str, split: str, against: str, data_dir: Path) -> None:
    assert "warnings" not in recombine.measure(data, split, against=against).to_dict()


def test_warnings_of_several_kinds() -> None:
    """Few compounds are said of the kind that has few; remedies are those of all kinds."""
    words = "G G G G"
    data = recombine.load(
        [(str(n), f"f ( {words} a{n} )") for n in range(20)] + [(f"b{n}", "g ( b )") for n in range(20)]
    )
    structures = Structures.parse("words:2-6 & words:2-2,presence,top=4")
    features = recombine.features(data, structures)
    split = recombine.split(data, by="random", train=20, test=20, seed=1)
    rows = {name: [data.index[key] for key in split.parts[name]] for name in ("train", "test")}
    whole, top = HeldCompounds.by_kind(features, rows["test"])
    assert (whole.named, top.named) == (" words:2-6,counts", " words:2-2,presence,top=4")
    said = few_compounds(HeldCompounds(whole.definition, np.full(40, 2), 4, 2, whole.named), "test", 1)
    assert str(said).startswith("test holds 4 of the 40 compounds words:2-6,counts there are, and a random part")
    definitions = whole.definition, top.definition
    assert str(saturated(1.0, *definitions)).endswith(
        "take other --structures: smaller compounds (words:2-4), no top=4"
    )
    values = {"train": 30, "test": 10, "without_compounds": {"train": 10, "test": 3}}
    (warned,) = without_compounds_warnings(values, *definitions)
    assert warned.startswith("33% of train (10 of 30 examples) hold no compound of some kind, and D_C says nothing")
