"""Cells whose splits are not at hand are found by what their records say."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson
import pytest

from recombine.cli.verbs.studies.study import app
from recombine.errors import InputFileError
from recombine.models.task import CellOutcome
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.tables.summary import read_results
from small_study import STUDY, Study


def store(path: Path, results: Path) -> Plan:
    """Store what an untrained model would give, and throw the splits away."""
    plan = make_plan(path, results)
    for cell in plan.cells:
        store_outcome(results, cell, plan.datasets[cell.data], CellOutcome(("A A",) * 4))
    shutil.rmtree(results / "splits")
    return plan


def test_results_are_found_without_their_splits(study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    made = store(path, results)
    found = make_plan(path, results, make=False)
    assert [cell.key for cell in found.cells] == [cell.key for cell in made.cells]
    assert [result.state for result in read_results(found)] == ["done", "done"]
    assert found.unmade() == ["random"]
    assert not (results / "splits").exists()
    first = read_results(found)[0]
    assert first.cell.split is None
    assert dict(first.sizes) == {"train": 12, "test": 4}
    assert first.measured["train"] == 12
    assert make_plan(path, results).unmade() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("steps = 30", "steps = 40"),
        ("train = 12", "train = 11"),
        ('by = "random"', 'by = "random"\nseeds = [3]'),
        ('name = "letters"', 'name = "letters"\nunseen = "keep"'),
        ("seeds = [0, 1]", "seeds = [7, 8]"),
    ],
)
def test_results_of_another_study_are_not(old: str, new: str, study: Study, tmp_path: Path) -> None:
    store(study(), tmp_path / "r")
    found = make_plan(study(STUDY.replace(old, new, 1)), tmp_path / "r", make=False)
    assert [result.state for result in read_results(found)] == ["to do", "to do"]


def test_what_is_kept_of_unseen_symbols_is_found_again(study: Study, tmp_path: Path) -> None:
    path = study(STUDY.replace('name = "letters"', 'name = "letters"\nunseen = "keep"', 1))
    store(path, tmp_path / "r")
    found = make_plan(path, tmp_path / "r", make=False)
    assert [result.state for result in read_results(found)] == ["done", "done"]


def test_status_says_which_splits_are_not_made(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import typer

    path = study()
    store(path, tmp_path / "r")
    command = typer.main.get_command(app)
    arguments = ["status", str(path), "--results", str(tmp_path / "r"), "--quiet"]
    command.main(args=[*arguments, "--json"], standalone_mode=False)
    value = orjson.loads(capsys.readouterr().out)
    assert (value["done"], value["to_do"], value["splits_not_made"]) == (2, 0, ["random"])
    command.main(args=arguments, standalone_mode=False)
    assert "splits not made here yet: 1 (random); results on them are found" in capsys.readouterr().out


def test_a_broken_record_is_said(study: Study, tmp_path: Path) -> None:
    path = study()
    made = store(path, tmp_path / "r")
    (tmp_path / "r" / f"{made.cells[0].key}.json").write_text("{")
    (tmp_path / "r" / "notes.json").write_text("[]")
    with pytest.raises(InputFileError, match="broken JSON"):
        make_plan(path, tmp_path / "r", make=False)
