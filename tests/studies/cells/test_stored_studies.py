"""The results that come with the source are found, on the splits that stand beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.summary import read_results

STUDIES = Path(__file__).parents[3] / "studies"
NEEDS_DATA = pytest.mark.shared_data


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("scan_table4", 60),
        ("scan_figure2", 81),
        ("covr_adversarial", 35),
        ("scan_published_splits", 117),
        ("scan_training_size", 234),
        pytest.param("geoquery_splits", 45, marks=NEEDS_DATA),
        pytest.param("cfq_mcd1", 18, marks=NEEDS_DATA),
    ],
)
def test_stored_cells_are_found_and_their_splits_are_there(name: str, cells: int) -> None:
    """The key of a cell holds the ids of its split: a record is found only where the split is the one trained on."""
    plan = make_plan(STUDIES / f"{name}.toml", make=False)
    found = read_results(plan)
    assert sum(result.state == "done" for result in found) >= cells
    assert not [result.cell.name for result in found if result.state == "failed"]
    assert plan.unmade() == []
    assert dict(plan.migrated.left) == {}
    for result in found:
        if result.record is not None and result.cell.split is not None:
            assert result.record["split"]["sizes"] == result.cell.split.sizes()
            assert result.record["split"]["measured"] == result.cell.split.measured
