"""Cells taken to another machine and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from small_study import STUDY, Study, plan_of, run

pytest.importorskip("torch", reason="needs torch")

from recombine.errors import RecombineError
from recombine.models.seq2seq import run as elsewhere
from recombine.studies.running.export_study import collect_study, export_study

BOTH = STUDY.replace("[[model]]", '[[split]]\nname = "hole"\nfile = "hole.json"\n[[model]]', 1)


def train(folder: Path) -> Path:
    out = folder / "out"
    options = ["--out", str(out), "--work", str(folder / "work"), "--curve", "10", "--sample", "4", "--device", "cpu"]
    assert elsewhere.main([str(folder), *options]) == 0
    return out


def test_what_comes_back_is_what_is_trained_here(study: Study, tmp_path: Path) -> None:
    path = study(BOTH)
    (tmp_path / "hole.json").write_text('{"train": [0, 1, 4, 5], "test": [12, 13]}')
    plan = plan_of(path, tmp_path / "there")
    assert export_study(plan, tmp_path / "folder").folders == {str(tmp_path / "folder"): 4}
    out = train(tmp_path / "folder")
    made = collect_study(plan, tmp_path / "folder", out)
    assert (len(made.records), made.done_before, made.unknown) == (4, 0, ())
    here = run(path, tmp_path / "here")
    mine, theirs = ({record["name"]: record for record in records} for records in (here.records, made.records))
    for name in ("tiny/random/0", "tiny/random/1"):
        assert mine[name]["score"] == theirs[name]["score"]
        assert mine[name]["key"] == theirs[name]["key"]
        assert [point[0] for point in theirs[name]["curve"]] == [10, 20, 30]
    assert theirs["tiny/hole/0"]["error"] == mine["tiny/hole/0"]["error"]
    assert collect_study(plan, tmp_path / "folder", out).done_before == 2


def test_names_do_not_matter_and_content_does(study: Study, tmp_path: Path) -> None:
    export_study(plan_of(study(), tmp_path / "r"), tmp_path / "folder")
    out = train(tmp_path / "folder")
    renamed = plan_of(study(STUDY.replace('"tiny"', '"other"')), tmp_path / "renamed")
    assert [r["name"] for r in collect_study(renamed, tmp_path / "folder", out).records] == [
        "other/random/0",
        "other/random/1",
    ]
    changed = plan_of(study(STUDY.replace("steps = 30", "steps = 31")), tmp_path / "changed")
    assert collect_study(changed, tmp_path / "folder", out).unknown == ("tiny/random/0", "tiny/random/1")
    assert not list((tmp_path / "changed").glob("[0-9a-f]*.json"))


def test_splits_of_the_same_rows_each_get_their_results(study: Study, tmp_path: Path) -> None:
    plan = plan_of(study(), tmp_path / "r")
    split, dataset = plan.cells[0].split, plan.datasets[plan.cells[0].data]
    assert split is not None
    rows = {part: split.positions(dataset, part) for part in ("train", "test")}
    (tmp_path / "again.json").write_text(json.dumps(rows))
    twice = STUDY.replace("[[model]]", '[[split]]\nname = "again"\nfile = "again.json"\n[[model]]', 1)
    plan = plan_of(study(twice), tmp_path / "twice")
    names = {"tiny/random/0", "tiny/random/1", "tiny/again/0", "tiny/again/1"}
    assert len({cell.key for cell in plan.cells}) == 4
    export_study(plan, tmp_path / "folder")
    out = train(tmp_path / "folder")
    made = collect_study(plan, tmp_path / "folder", out)
    assert {record["name"] for record in made.records} == names
    assert (len(made.records), made.done_before) == (4, 0)
    assert collect_study(plan, tmp_path / "folder", out).done_before == 4
    renamed = plan_of(study(twice.replace('"tiny"', '"other"')), tmp_path / "renamed")
    made = collect_study(renamed, tmp_path / "folder", out)
    assert {record["name"] for record in made.records} == {name.replace("tiny", "other") for name in names}


def test_other_data_is_refused(study: Study, tmp_path: Path) -> None:
    export_study(plan_of(study(), tmp_path / "r"), tmp_path / "folder")
    path = study()
    (tmp_path / "letters.tsv").write_text("source\ttarget\n" + "".join(f"a{n}\tb\n" for n in range(16)))
    with pytest.raises(RecombineError, match="its data is not that of letters"):
        collect_study(plan_of(path, tmp_path / "s"), tmp_path / "folder", tmp_path / "folder")


def test_what_is_done_is_left_out(study: Study, tmp_path: Path) -> None:
    run(study(), tmp_path / "r", only=("random/0",))
    made = export_study(plan_of(study(), tmp_path / "r"), tmp_path / "folder")
    assert made.left_out == {"done already": 1}
    assert [cell["name"] for cell in json.loads((tmp_path / "folder" / "study.json").read_text())["cells"]] == [
        "tiny/random/1"
    ]
    run(study(), tmp_path / "r")
    with pytest.raises(RecombineError, match="nothing to export: 2 done already"):
        export_study(plan_of(study(), tmp_path / "r"), tmp_path / "folder")
    with pytest.raises(RecombineError, match="has no results"):
        collect_study(plan_of(study(), tmp_path / "r"), tmp_path / "folder", tmp_path)


@pytest.mark.parametrize("name", ["study.json", "data.npz"])
def test_files_of_others_are_not_overwritten(name: str, study: Study, tmp_path: Path) -> None:
    plan = plan_of(study(), tmp_path / "r")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text('{"mine": 1}')
    with pytest.raises(RecombineError, match=f"{name}: is not of an export, and would be overwritten"):
        export_study(plan, tmp_path / "mine")
    assert (tmp_path / "mine" / name).read_text() == '{"mine": 1}'
    assert [path.name for path in (tmp_path / "mine").iterdir()] == [name]
    export_study(plan, tmp_path / "folder")
    export_study(plan, tmp_path / "folder")  # one of its own is written again


TUNED = STUDY.replace("steps = 30", "steps = 10").replace("[0, 1]", "[0]") + "tune = {rate = [0.5, 2.0]}\n"
PLAIN = STUDY[STUDY.index("[[model]]") :].replace('"tiny"', '"plain"').replace("steps = 30", "steps = 8")


def test_tuning_runs_are_exported_first_and_then_the_cells(study: Study, tmp_path: Path) -> None:
    path, there, place = study(TUNED + PLAIN), tmp_path / "there", tmp_path / "folder"
    first = export_study(plan_of(path, there), place)
    assert first.folders == {str(place / "tuning"): 2, str(place / "cells"): 1}
    assert first.left_out == {"wait for what their tuning runs choose: collect those, and export again": 1}
    assert [
        json.loads((place / kind / "study.json").read_text())["notes"]["unseen"] for kind in ("tuning", "cells")
    ] == [
        "keep",
        "fail",
    ]
    made = collect_study(plan_of(path, there), place / "tuning", train(place / "tuning"))
    assert (len(made.records), made.unknown) == (2, ())
    assert collect_study(plan_of(path, there), place / "cells", train(place / "cells")).records[0]["name"] == (
        "plain/random/0"
    )
    second = export_study(plan_of(path, there), tmp_path / "second")
    assert second.folders == {str(tmp_path / "second"): 1}
    assert second.left_out == {"tuning runs done already": 2, "done already": 1}
    made = collect_study(plan_of(path, there), tmp_path / "second", train(tmp_path / "second"))
    here = {record["name"]: record for record in run(path, tmp_path / "here").records}
    (record,) = made.records
    mine = here[record["name"]]
    assert (record["key"], record["score"], record["model"]) == (mine["key"], mine["score"], mine["model"])
    with pytest.raises(RecombineError, match="nothing to export: 2 tuning runs done already, 2 done already"):
        export_study(plan_of(path, there), tmp_path / "third")
