"""Records of the form recombine-cell/1 are brought over by their old keys, with what those left out looked up."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer

from recombine.cli.verbs.studies.study import app
from recombine.errors import InputFileError
from recombine.models import known
from recombine.models.task import CellOutcome
from recombine.splits.methods import SPLITTERS
from recombine.studies.cells import migrate_records as migration
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.tables.summary import read_results
from small_study import STUDY, Study

KEEP = STUDY.replace('name = "letters"', 'name = "letters"\nunseen = "keep"')
HOPELESS = STUDY.replace(
    "[[split]]", '[[split]]\nname = "hopeless"\nby = "length:target"\nmax_length = 1\n[[split]]', 1
)
# As the package gave them before the form recombine-cell/2, at commit c36b9d7, version 0.1.0.
OLD_KEYS = {
    STUDY: {
        "tiny/random/0": "93ac27b87c238161687f885928f9941f",
        "tiny/random/1": "2c18a7bf8a93c767fbcf697e9183956b",
    },
    KEEP: {
        "tiny/random/0": "616c1e859f473a4f38fcbfc83bcf7902",
        "tiny/random/1": "e31d9c962c65b873101cf92ffa48901c",
    },
    HOPELESS: {
        "tiny/hopeless/0": "a9ceed65a539c0fdb762e17d6fcef40f",
        "tiny/hopeless/1": "c79625cec3173b63c51b630762159412",
        "tiny/random/0": "93ac27b87c238161687f885928f9941f",
        "tiny/random/1": "2c18a7bf8a93c767fbcf697e9183956b",
    },
}
Change = Callable[[dict[str, Any]], dict[str, Any]]


def store_old(path: Path, results: Path, text: str = STUDY, change: Change = lambda record: record) -> Plan:
    """Store what an untrained model would give, and turn the files into those of the old form."""
    plan = make_plan(path, results)
    for cell in plan.cells:
        outcome = CellOutcome(("A A",) * 4, error=cell.problem)
        record = store_outcome(results, cell, plan.datasets[cell.data], outcome)
        old = OLD_KEYS[text][cell.name]
        for field, inner in (("split", "key"), ("model", "family"), ("model", "revision")):
            del record[field][inner]
        del record["predictions"]
        record = change({**record, "form": "recombine-cell/1", "key": old})
        for name in (f"{cell.key}.jsonl.gz", f"timings/{cell.key}.json"):
            if (results / name).exists():
                (results / name).rename(results / name.replace(cell.key, old))
        (results / f"{cell.key}.json").unlink()
        (results / f"{old}.json").write_bytes(orjson.dumps(record))
    return plan


def states(plan: Plan) -> list[str]:
    return [result.state for result in read_results(plan)]


@pytest.mark.parametrize("text", [STUDY, KEEP, HOPELESS], ids=["plain", "keep", "hopeless"])
def test_old_records_are_brought_over(text: str, study: Study, tmp_path: Path) -> None:
    path, results = study(text), tmp_path / "r"
    made = store_old(path, results, text)
    packed = (results / f"{OLD_KEYS[text]['tiny/random/0']}.jsonl.gz").read_bytes()
    waiting = make_plan(path, results, make=False)
    assert sorted(waiting.migrated.left) == sorted(f"{key}.json" for key in OLD_KEYS[text].values())
    assert set(states(waiting)) == {"to do"}
    plan = make_plan(path, results)
    assert sorted(plan.migrated.moved) == sorted(OLD_KEYS[text])
    assert plan.migrated.left == {}
    assert states(plan) == ["failed" if "hopeless" in cell.name else "done" for cell in plan.cells]
    assert [cell.key for cell in plan.cells] == [cell.key for cell in made.cells]
    names = {cell.key for cell in plan.cells}
    assert {path.stem for path in results.glob("[0-9a-f]*.json")} == names
    assert {path.stem for path in (results / "timings").iterdir()} == names
    first = next(result for result in read_results(plan) if result.cell.name == "tiny/random/0")
    assert (results / f"{first.cell.key}.jsonl.gz").read_bytes() == packed
    assert first.record is not None
    assert first.record["migrated"] == {"form": "recombine-cell/1", "key": OLD_KEYS[text]["tiny/random/0"]}
    again = make_plan(path, results)
    assert (again.migrated.moved, again.migrated.left) == ((), {})


def other_score(**fields: str) -> Change:
    from recombine.records.signature import Signature

    def change(record: dict[str, Any]) -> dict[str, Any]:
        signature = str(Signature.parse(record["score"]["signature"]).with_fields(**fields))
        return {**record, "score": {**record["score"], "signature": signature}}

    return change


def other_structures(record: dict[str, Any]) -> dict[str, Any]:
    measured = dict(record["split"]["measured"])
    measured["signature"] = measured["signature"].replace("|version", "|structures:tree|version")
    return {**record, "split": {**record["split"], "measured": measured}}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (other_score(language="funql"), "it was scored as funql, the data is unknown"),
        (other_score(outputs="predictions@00000000"), "its predictions are not those that were scored"),
        (other_structures, "tree were measured on its split, and no structures now"),
        (lambda r: {**r, "score": {**r["score"], "n": 5}}, "its predictions are not for the examples of the split"),
    ],
    ids=["language", "predictions", "structures", "examples"],
)
def test_what_the_old_key_left_out_is_looked_up(change: Change, reason: str, study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    store_old(path, results, change=change)
    before = sorted(results.iterdir())
    plan = make_plan(path, results)
    assert plan.migrated.moved == ()
    assert set(plan.migrated.left.values()) == {reason}
    assert states(plan) == ["to do", "to do"]
    assert sorted(results.iterdir()) == before


def test_records_of_another_study_stay_and_are_said(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "r"
    store_old(study(), results)
    path = study(STUDY.replace("steps = 30", "steps = 31"))
    command = typer.main.get_command(app)
    assert command.main(args=["migrate", str(path), "--results", str(results)], standalone_mode=False) == 1
    out = capsys.readouterr().out
    assert "93ac27b87c238161687f885928f9941f.json stays in the form recombine-cell/1: it is of no cell of this" in out
    assert "0 of 2 cells are done" in out
    assert len(make_plan(study(), results).migrated.moved) == 2


def test_a_raised_revision_does_not_take_old_records(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, results = study(), tmp_path / "r"
    store_old(path, results)
    with monkeypatch.context() as patch:
        patch.setattr(SPLITTERS["random"], "revision", 2)
        left = make_plan(path, results).migrated.left
        assert set(left.values()) == {"the method random has the revision 2 now"}
    family = known.find_family("cfq:transformer")
    with monkeypatch.context() as patch:
        patch.setitem(known.MODELS._things, family.name, replace(family, revision=2))
        left = make_plan(path, results).migrated.left
        assert set(left.values()) == {"the model family seq2seq has the revision 2 now"}
    assert len(make_plan(path, results).migrated.moved) == 2


class Kill(BaseException):
    """Ends a migration in the midst of it."""


@pytest.mark.parametrize("step", range(8))
def test_a_kill_leaves_one_of_both_whole(
    step: int, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, results = study(), tmp_path / "r"
    store_old(path, results)
    left = [step]

    def counted(real: Any) -> Any:
        def act(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise Kill
            return real(*arguments, **options)

        return act

    with monkeypatch.context() as patch:
        patch.setattr(migration, "_copy", counted(migration._copy))
        patch.setattr(migration, "write_whole", counted(migration.write_whole))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        with pytest.raises(Kill):
            make_plan(path, results)
    plan = make_plan(path, results)
    assert plan.migrated.left == {}
    assert states(plan) == ["done", "done"]
    names = {cell.key for cell in plan.cells}
    assert {path.name[:32] for path in results.glob("[0-9a-f]*")} == names


def test_another_result_of_the_same_cell_is_not_overwritten(study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    plan = store_old(path, results)
    for cell in plan.cells:
        store_outcome(results, cell, plan.datasets[cell.data], CellOutcome(("B B",) * 4))
    after = make_plan(path, results)
    assert {reason.partition(".json ")[2] for reason in after.migrated.left.values()} == {
        "is another result of the same cell"
    }
    rows = gzip.decompress((results / f"{plan.cells[0].key}.jsonl.gz").read_bytes()).splitlines()
    assert orjson.loads(rows[0])["prediction"] == "B B"


def test_a_broken_old_record_is_refused(study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    store_old(path, results, change=lambda record: {**record, "score": None})
    with pytest.raises(InputFileError, match="the cell is done, but there is no score"):
        make_plan(path, results)


def test_status_says_that_records_wait_and_migrate_brings_them(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, results = study(), tmp_path / "r"
    store_old(path, results)
    command = typer.main.get_command(app)
    here = [str(path), "--results", str(results)]
    command.main(args=["status", *here], standalone_mode=False)
    assert "records of an older form, not counted: 2; `recombine study migrate" in capsys.readouterr().out
    command.main(args=["migrate", *here, "--json"], standalone_mode=False)
    value = orjson.loads(capsys.readouterr().out)
    assert value == {"migrated": ["tiny/random/1", "tiny/random/0"], "left": {}, "cells": 2, "done": 2}
    command.main(args=["migrate", *here], standalone_mode=False)
    assert "all records are of the form recombine-cell/2" in capsys.readouterr().out


def test_a_run_brings_them_over_and_trains_nothing(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch", reason="needs torch")
    path, results = study(), tmp_path / "r"
    store_old(path, results)
    typer.main.get_command(app).main(args=["run", str(path), "--results", str(results)], standalone_mode=False)
    printed = capsys.readouterr()
    assert "2 records of the form recombine-cell/1 brought over to recombine-cell/2" in printed.err
    assert "0 cells run, 2 were there, 0 failed" in printed.out
