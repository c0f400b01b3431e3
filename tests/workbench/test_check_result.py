"""What `check` and `measure` give from Python."""

from __future__ import annotations

import recombine

PAIRS = [("jump", "JUMP"), ("walk", "WALK"), ("jump twice", "JUMP JUMP")]


def test_whether_a_split_passed() -> None:
    split = recombine.split(PAIRS, test=1)
    checked = recombine.check(PAIRS, split)
    assert checked.passed
    assert checked.not_checked
    assert "no problems in what was checked" in repr(checked)
    assert not recombine.check(PAIRS, split, strict=True).passed
    wrong = recombine.check(PAIRS, split, test=2)
    assert (wrong.passed, wrong["problems"]) == (False, ["test has 1 entries, not 2"])
    assert str(wrong).startswith("test has 1 entries, not 2")


def test_measured_values_are_a_mapping() -> None:
    split = recombine.split(PAIRS, test=1)
    measured = recombine.measure(PAIRS, split)
    assert {**measured} == split.measured
    assert measured == split.measured
    assert "compound_divergence" not in measured
    assert str(measured) == "train 2, test 1; against test"
    assert measured._repr_html_().startswith("<table><caption>train 2, test 1; against test</caption>")
