"""Ratios and coverages by the fields of CFQ items."""

from __future__ import annotations

from typing import Any

import pytest

import recombine
from recombine.records.signature import Signature


def record(number: int, leaves: Any, constraints: int, template: str, pattern: str) -> dict[str, Any]:
    names = ("parseTreeLeafCount", "sparqlNumConstraints", "questionTemplate", "sparqlPattern")
    fields = dict(zip(names, (leaves, constraints, template, pattern), strict=True))
    return {"id": str(number), "source": f"s {number}", "target": f"t {number}", **fields}


ROWS = [record(0, 4, 1, "A", "P"), record(1, 8, 3, "B", "P"), record(2, 10, 4, "A", "Q"), record(3, 14, 4, "A", "R")]


def measured(rows: list[dict[str, Any]]) -> dict[str, Any]:
    data = recombine.load(rows)
    split = recombine.Split({"train": ("0", "1"), "test": ("2", "3")}, data.name, data.hash, Signature.of(by="hand"))
    return dict(recombine.measure(data, split).to_dict())


def test_by_hand() -> None:
    assert measured(ROWS)["item_fields"] == {
        "length_ratio": {"parseTreeLeafCount": 6 / 12, "sparqlNumConstraints": 2 / 4},
        "pattern_coverage": {"questionTemplate": 1.0, "sparqlPattern": 0.0},
    }


@pytest.mark.parametrize("bad", [None, "4", True])
def test_nothing_where_an_example_lacks_a_field(bad: object) -> None:
    assert "item_fields" not in measured([record(0, bad, 1, "A", "P"), *ROWS[1:]])
    assert "item_fields" not in measured([{"id": str(n), "source": f"s{n}", "target": "t"} for n in range(4)])
