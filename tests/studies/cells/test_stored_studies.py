"""The results that come with the source are found, on the splits that stand beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.models.known import find_family
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.read_record import read_object, read_record, read_rows
from recombine.studies.cells.stored_cells import iter_records
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.tables.summary import read_results

STUDIES = Path(__file__).parents[3] / "studies"
NEEDS_DATA = pytest.mark.shared_data


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("scan_table4", 60),
        ("scan_figure2", 94),
        ("covr_adversarial", 35),
        ("scan_published_splits", 117),
        ("scan_training_size", 270),
        ("scan_primitives", 10),
        pytest.param("geoquery_splits", 45, marks=NEEDS_DATA),
        pytest.param("geoquery_encoders", 86, marks=NEEDS_DATA),
        pytest.param("atis_templates", 10, marks=NEEDS_DATA),
        pytest.param("spider_ssp", 10, marks=[NEEDS_DATA, pytest.mark.filterwarnings("ignore:the schemas of")]),
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


@pytest.mark.parametrize(("name", "cells"), [("cfq_table4", 16), ("cfq_figure2", 2), ("cfq_training_size", 24)])
def test_stored_cells_of_much_generated_data(name: str, cells: int) -> None:
    """As far as can be seen without the questions, which take long to make: records are of cells of the study."""
    study, results = read_study_file(STUDIES / f"{name}.toml"), STUDIES / "results" / name
    recipes = [recipe.content() for table in study.split for recipe in iter_recipes(table, study.seeds)]
    models = {model.label: find_family(model.preset).settings(model.preset, model.changes) for model in study.model}
    records = [read_record(path) for path in iter_records(results)]
    assert len(records) >= cells
    for record in records:
        assert record["state"] == "done", record["name"]
        assert record["split"]["recipe"] in recipes
        assert record["model"]["settings"] == models[record["model"]["name"]]
        assert record["seed"] in study.seeds
        assert record.get("unseen", "fail") == study.unseen
        kept = read_object(results / "splits" / f"{record['split']['key']}.json.gz")
        assert {part: len(rows) for part, rows in kept["rows"].items()} == record["split"]["sizes"]
        assert kept["measured"] == record["split"]["measured"]
        assert record["data"].endswith(f"@{kept['data_hash'][:8]}")
        rows = read_rows(results / f"{record['key']}.jsonl.gz")
        assert len(rows) == record["score"]["n"] == record["split"]["sizes"][record["part"]]
        assert sum(row["correct"] for row in rows) == round(record["score"]["exact_match"] * len(rows))
    assert len({record["name"] for record in records}) == len(records)
