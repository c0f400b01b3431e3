"""A score by groups."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.groups.axes import answer_labels, check_axes, relation_labels
from recombine.evaluation.groups.form_shape import FormShape
from recombine.evaluation.groups.group import groups_of
from recombine.evaluation.match.judge import Tally, Verdict
from recombine.evaluation.statistics.intervals import wilson

RIGHT, WRONG, MALFORMED, ABSTAINED, UNSUPPORTED = Verdict
VERDICTS = {
    "exact_match": [RIGHT, WRONG, MALFORMED, ABSTAINED, WRONG],
    "strict": [RIGHT, RIGHT, MALFORMED, ABSTAINED, UNSUPPORTED],
}
LABELS = ["zero-shot", "i.i.d.", "zero-shot", "i.i.d.", "zero-shot"]


def test_groups_have_every_metric() -> None:
    iid, zero = groups_of(LABELS, VERDICTS, [1.0, 0.5, 0.0, 0.0, 0.25], order=["i.i.d.", "compositional", "zero-shot"])
    assert (iid.label, iid.n, zero.label, zero.n) == ("i.i.d.", 2, "zero-shot", 3)
    assert iid.tallies["strict"] == Tally(right=1, wrong=0, malformed=0, abstained=1)
    assert zero.tallies["strict"] == Tally(right=1, wrong=0, malformed=1, abstained=0, unsupported=1)
    assert zero.f1 == 1.25 / 3
    record = zero.to_record()
    assert (record["group"], record["n"]) == ("zero-shot", 3)
    assert record["strict"] == {
        "accuracy": 1 / 3,
        "interval": list(wilson(1, 3)),
        "right": 1,
        "wrong": 0,
        "malformed": 1,
        "abstained": 0,
        "unsupported": 1,
    }
    assert record["answer_f1"] == {"mean": 1.25 / 3, "interval": list(wilson(1.25, 3))}


def test_no_entry_is_left_out() -> None:
    groups = groups_of(LABELS, VERDICTS, order=["zero-shot"])
    assert [group.label for group in groups] == ["zero-shot", "i.i.d."]
    assert sum(group.n for group in groups) == len(LABELS)
    assert groups[0].f1 is None
    assert "answer_f1" not in groups[0].to_record()


def test_labels_that_do_not_fit() -> None:
    with pytest.raises(OptionError, match="not of the same entries"):
        groups_of(["a"], VERDICTS)


def test_labels() -> None:
    assert relation_labels([FormShape(number, "none") for number in (0, 1, 3, 4, 9)]) == ["0", "1", "3", "4+", "4+"]
    assert answer_labels([0, 1, 2, 50, None]) == ["0", "1", ">1", ">1", "unknown"]


def test_what_can_be_asked_for() -> None:
    assert check_axes("answers, level") == ("answers", "level")
    assert check_axes(["level", "function,level"]) == ("level", "function")
    with pytest.raises(UnknownNameError, match="did you mean 'level'"):
        check_axes("levels")
    with pytest.raises(OptionError, match="nothing is named"):
        check_axes("level,")


def test_unsupported_counts_as_an_output_that_is_not_right() -> None:
    tally = Tally.of([RIGHT, UNSUPPORTED, ABSTAINED, MALFORMED])
    assert (tally.n, tally.outputs, tally.accuracy, tally.precision) == (4, 3, 0.25, 1 / 3)
