"""Properties sorted by what they cost, and labels by fields and predicates."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.groups.axes import check_axes, order_of
from recombine.evaluation.groups.entry_fields import field_labels
from recombine.evaluation.groups.property_differences import property_differences
from recombine.evaluation.statistics.intervals import newcombe, wilson
from recombine.records.dataset import Dataset
from recombine.records.example import Example


def test_the_greatest_loss_comes_first_and_gains_last() -> None:
    right = [False, False, True, True, True, True, False, True]
    holds = {
        "gain": [False, False, True, True, True, True, False, False],  # 4 of 4 against 1 of 4
        "fails": [True, True, False, False, False, False, True, False],  # 0 of 3 against 5 of 5
        "some": [True, True, True, False, False, False, False, False],  # 1 of 3 against 4 of 5
        "all": [True] * 8,
        "none": [False] * 8,
    }
    found = property_differences(holds, right, {"tpl:X": "no field"})
    assert [row.name for row in found.rows] == ["fails", "some", "gain"]
    assert [row.difference for row in found.rows] == [-1.0, pytest.approx(1 / 3 - 4 / 5), 0.75]
    assert found.rows[0].interval == newcombe((0, 5), (3, 5))
    record = found.to_record()
    assert record["rows"][0]["with"] == {"accuracy": 0.0, "interval": list(wilson(0, 3)), "n": 3, "right": 0}
    assert record["rows"][0]["without"]["right"] == 5
    assert record["of_all_or_none"] == ["all", "none"]
    assert record["not_asked"] == {"tpl:X": "no field"}


def test_of_equal_losses_the_property_of_more_entries_comes_first() -> None:
    found = property_differences({"a": [True, False, False], "b": [True, True, False]}, [True, True, True])
    assert [row.name for row in found.rows] == ["b", "a"]


def test_newcombe() -> None:
    # Newcombe (1998), table II, method 10: 56/70 less 48/80 is 0.0524 to 0.3339; 9/10 less 3/10 is 0.1705 to 0.8090;
    # 10/10 less 0/10 is 0.6075 to 1.
    for right, n, low, high in (
        ((56, 48), (70, 80), 0.0524, 0.3339),
        ((9, 3), (10, 10), 0.1705, 0.8090),
        ((10, 0), (10, 10), 0.6075, 1.0),
    ):
        assert newcombe(right, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("asked", "axes"),
    [
        ("template", ("template",)),
        ("tag:kind,template", ("tag:kind", "template")),
        ("property:has:quant | ans:3,properties", ("property:has:quant | ans:3", "properties")),
        ("property:op:all,some,level", ("property:op:all,some", "level")),
        (["template", "property:op:all,some"], ("template", "property:op:all,some")),
    ],
)
def test_what_is_asked_for(asked: str | list[str], axes: tuple[str, ...]) -> None:
    assert check_axes(asked) == axes


def test_what_is_not_known_is_said_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'template'"):
        check_axes("templat")
    with pytest.raises(OptionError, match="nothing is named"):
        check_axes("property:")
    with pytest.raises(OptionError, match="nothing is named"):
        check_axes("template,")


def test_who_has_a_property_comes_before_who_has_not() -> None:
    assert order_of("property:has:quant") == ("has:quant", "not has:quant")
    assert order_of("tag:kind") == ()


def test_labels_by_a_field() -> None:
    values: list[dict[str, object]] = [{"kind": True}, {"kind": 3}, {"kind": None}, {"other": "x"}]
    data = Dataset.of("made", [Example(str(n), "?", "", context=each) for n, each in enumerate(values)])
    assert field_labels(data, data.ids, "kind") == ["true", "3", "unknown", "unknown"]
    with pytest.raises(UnknownNameError, match="unknown field of the examples of made 'kin'; did you mean 'kind'"):
        field_labels(data, data.ids, "kin")
