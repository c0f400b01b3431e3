"""A split prints short, shows itself, and writes itself in the form it was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import DerivationError, InfeasibleError, SizeError, UnknownNameError
from recombine.records.split import Split
from recombine.workbench.split import SplitResult

PAIRS = [(f"{verb} {word}", f"{verb.upper()} {word.upper()}") for verb in ("jump", "run") for word in "abcdefghij"]


def test_a_split_prints_short() -> None:
    split = recombine.split(PAIRS, by="random", test=5)
    assert repr(split) == "<SplitResult: records by random: train 15, test 5>"
    plain = Split({"train": ("a",) * 9999, "test": ()}, "d", "h", recombine.Signature.of(seed=1))
    assert repr(plain) == "<Split: d: train 9,999, test 0>"
    assert split.train[0] not in repr(split)


def test_a_notebook_shows_a_table() -> None:
    shown = recombine.split([("<b>", "<i>"), ("c", "d")], by="random", test=1)._repr_html_()
    assert shown.startswith("<table><caption>records by random: train 1, test 1</caption>")
    assert "not_measured" in shown
    assert "<b>" not in shown


def test_it_equals_the_split_of_its_file(tmp_path: Path) -> None:
    split = recombine.split(PAIRS, by="random", test=5)
    split.write(tmp_path / "s.json")
    again = recombine.load_split(PAIRS, tmp_path / "s.json")
    assert (again == split, split == again, type(again)) == (True, True, Split)
    assert split != recombine.split(PAIRS, by="random", test=5, seed=1)
    assert split.with_measured({}) != split
    assert isinstance(split.with_measured({}), SplitResult)


def test_the_form_is_that_asked_for(tmp_path: Path) -> None:
    split = recombine.split(PAIRS, by="random", test=5, format="nqg")
    split.write(tmp_path / "lines.json")
    rows = orjson.loads((tmp_path / "lines.json").read_bytes())
    ids = [example.id for example in recombine.load(PAIRS)]
    assert [ids[row] for row in rows["test"]] == list(split.test)
    split.write(tmp_path / "ours.json", form="ours")
    assert orjson.loads((tmp_path / "ours.json").read_bytes())["form"] == "recombine-split/1"
    with pytest.raises(UnknownNameError, match="unknown split format 'nqgg'"):
        recombine.split("no such data", by="random", format="nqgg")  # refused before data is loaded


def test_sizes_may_be_texts() -> None:
    assert recombine.split(PAIRS, test="25%").sizes() == recombine.split(PAIRS, test=0.25).sizes()
    with pytest.raises(SizeError, match="cannot read the size 'much'"):
        recombine.split("no such data", test="much")


def test_best_effort_gives_the_best_and_says_what_it_misses() -> None:
    wish: dict[str, Any] = {"by": "template", "test": 4, "solvable": True, "language": "funql"}
    pairs = [(str(number), f"answer ( only_{number} ( m0 ) )") for number in range(8)]
    with pytest.raises(InfeasibleError) as error:
        recombine.split(pairs, **wish)
    best = recombine.split(pairs, **wish, best_effort=True)
    assert best.missed == error.value.problem
    assert best.to_dict()["missed"] == error.value.problem
    assert best == error.value.best
    assert best.measured["unseen_atom_examples"] > 0
    assert "missed" not in recombine.split(pairs, by="random", test=4).to_dict()


def test_a_search_needs_structures() -> None:
    with pytest.raises(DerivationError, match="records has neither derivations nor a known language"):
        recombine.split(PAIRS, by="mcd", test=5)


def test_a_note_is_part_of_the_result() -> None:
    assert recombine.split("scan", by="template", test=0.1).to_dict()["notes"] == [
        "the targets have no known language, so whole targets are the templates; name one with --language"
    ]
    assert recombine.split(PAIRS, by="random", test=5).notes == ()
