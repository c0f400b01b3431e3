"""Tuned studies: values are chosen on a part of train alone, stored with their runs, and the same each time."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

import recombine
from recombine.cli.app import app
from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models import known
from recombine.models.family import Family
from recombine.models.task import CellOutcome, Task
from recombine.options import Option
from recombine.pages.study.study_page import render_study
from recombine.studies.cells import results as results_module
from recombine.studies.cells.plan import make_plan
from recombine.studies.running import run_study as run_module
from recombine.studies.running.run_study import Options, run_study
from recombine.studies.tables.summary import read_results
from recombine.studies.tables.tuning_table import tuning_tables
from small_study import content, plan_of, run

KINDS = ["train"] * 20 + ["dev"] * 5 + ["test"] * 10
FILE = {kind: [row for row, each in enumerate(KINDS) if each == kind] for kind in ("train", "dev", "test")}
STUDY = """
name = "leak"
seeds = [0, 1]
[[data]]
file = "rows.tsv"
[[split]]
file = "split.json"
[[model]]
name = "m"
preset = "leaky"
tune = {on_train = [3, 5, 10], on_test = [false, true]}
"""


def answer(task: Task, row: int, seed: int) -> str:
    """Right on as many tenths of train as one setting says, less with seed 1, and on dev and test by the other."""
    kind, number, _ = task.examples[row].source.split()
    by_test = task.settings["on_test"] if kind != "train" else int(number) % 10 < task.settings["on_train"] - seed
    return task.examples[row].target if by_test else "wrong"


TASKS: list[Task] = []


def train(task: Task) -> list[CellOutcome]:
    TASKS.append(task)
    if task.settings["on_train"] == 0:
        raise RecombineError("the loss is no number", "take another value")
    return [
        CellOutcome(tuple(answer(task, row, cell.seed) for row in cell.test), ((1, 0.5, 0.25),), {"steps": 1}, 2.5)
        for cell in task.cells
    ]


@pytest.fixture(autouse=True)
def family(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A family whose models know what they are asked: `on_test` is better on dev and test only."""
    options = (
        Option("on_train", float, 1.0, "Tenths of train that are right."),
        Option("on_test", bool, False, "Whether all of dev and test is."),
    )
    made = Family(name="leaky", make=lambda *_: None, options=options, run_task=train, stops_on_dev=True)
    monkeypatch.setitem(known.MODELS._things, "leaky", made)
    TASKS.clear()
    yield
    TASKS.clear()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = [f"{kind} {number} x\tanswer {number}" for number, kind in enumerate(KINDS)]
    (tmp_path / "rows.tsv").write_text("\n".join(["source\ttarget", *rows]) + "\n")
    (tmp_path / "split.json").write_text(json.dumps({f"{kind}Idxs": rows for kind, rows in FILE.items()}))
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml"


def edited(path: Path, *changes: tuple[str, str]) -> Path:
    text = STUDY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return path


def chosen(path: Path, results: Path, **options: Any) -> dict[str, Any] | None:
    run(path, results, **options)
    (table,) = tuning_tables(plan_of(path, results))
    return None if table.chosen is None else dict(table.chosen)


# -- what is looked at ----------------------------------------------------------------------------------------------


def test_a_value_that_is_better_only_on_test_is_not_chosen(path: Path, tmp_path: Path) -> None:
    """All values of `on_test` are alike on train, so the first stays, though the other has all of dev and test."""
    assert chosen(path, tmp_path / "r") == {"on_train": 10, "on_test": False}
    results = read_results(plan_of(path, tmp_path / "r"))
    assert [result.accuracy for result in results] == [0.0, 0.0]
    turned = edited(path, ("[false, true]", "[true, false]"))
    assert chosen(turned, tmp_path / "r") == {"on_train": 10, "on_test": True}  # a tie, by the order written


def test_runs_see_rows_of_train_alone_and_stop_on_what_is_held_back(path: Path, tmp_path: Path) -> None:
    run(path, tmp_path / "r")
    tuning, cells = TASKS[:6], TASKS[6:]
    for task in tuning:
        (cell,) = task.cells
        assert sorted([*cell.train, *cell.test]) == FILE["train"]
        assert len(cell.test) == 4  # a fifth of 20
        assert cell.dev == cell.test
        assert task.unseen == "keep"
    assert len({task.cells[0].test for task in tuning}) == 1
    assert [(list(task.cells[0].train), list(task.cells[0].dev)) for task in cells] == [
        (FILE["train"], FILE["dev"])
    ] * 2
    assert {task.unseen for task in cells} == {"fail"}
    kept = {path.name: parts_of(path) for path in (tmp_path / "r" / "splits").iterdir()}
    assert sorted(map(sorted, kept.values())) == [["dev", "test", "train"], ["held_back", "train"]]


def parts_of(path: Path) -> list[str]:
    from recombine.files import read_bytes

    return list(orjson.loads(read_bytes(path))["rows"])


def test_share_and_seed_say_what_is_held_back(path: Path, tmp_path: Path) -> None:
    drawn = {}
    for how in ("share = 0.2", "share = 0.5", "seed = 3", "seeds = [0, 1]"):
        TASKS.clear()
        run(edited(path, ("[[model]]", f"[tune]\n{how}\n[[model]]")), tmp_path / "r")
        drawn[how] = TASKS[0].cells[0].test if TASKS else None
    assert [len(drawn[how] or ()) for how in ("share = 0.2", "share = 0.5", "seed = 3")] == [4, 10, 4]
    assert drawn["seed = 3"] != drawn["share = 0.2"]
    tables = tuning_tables(plan_of(path, tmp_path / "r"))
    assert [row.n for row in tables[0].rows] == [8] * 6
    # Seed 0 has been run; of the two seeds only the second was left.
    assert {cell.seed for task in TASKS[:6] for cell in task.cells} == {1}


def test_right_answers_of_all_seeds_are_counted_together(path: Path, tmp_path: Path) -> None:
    run(edited(path, ("[[model]]", "[tune]\nshare = 0.5\nseeds = [0, 1]\n[[model]]")), tmp_path / "r")
    (table,) = tuning_tables(plan_of(path, tmp_path / "r"))
    held = [row for row in FILE["train"] if row in TASKS[0].cells[0].test]
    expected = [sum(row % 10 < most - seed for row in held for seed in (0, 1)) for most in (3, 3, 5, 5, 10, 10)]
    assert [round(row.accuracy * row.n / 100) for row in table.rows if row.accuracy is not None] == expected
    assert [row.chosen for row in table.rows].index(True) == expected.index(max(expected))


# -- the same each time ---------------------------------------------------------------------------------------------


def test_a_tuned_study_gives_the_same_bytes_from_its_file(path: Path, tmp_path: Path) -> None:
    first, second = (run(path, tmp_path / name) for name in ("one", "two"))
    assert first.tuning is not None
    assert (len(first.tuning.records), len(first.records), first.failed) == (6, 2, [])
    assert second.records == first.records
    assert content(tmp_path / "one") == content(tmp_path / "two")
    again = run(path, tmp_path / "one")
    assert again.tuning is not None
    assert (again.tuning.skipped, again.skipped, again.records) == (6, 2, ())


def test_a_kill_before_any_write_changes_nothing(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(path, tmp_path / "whole")
    left = [0]

    def counted(real: Any) -> Any:
        def write(*arguments: Any) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            real(*arguments)

        return write

    for module in (results_module, run_module):
        monkeypatch.setattr(module, "write_whole", counted(module.write_whole))
    plan = plan_of(path, tmp_path / "killed")
    kills = 0
    while True:
        left[0] = 4 + kills % 3
        try:
            run_study(plan, Options())
            break
        except KeyboardInterrupt:
            kills += 1
            assert kills < 100
            if kills % 2:
                plan = plan_of(path, tmp_path / "killed")
    assert kills > 3
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
    assert [each.name for each in (tmp_path / "killed" / "work").iterdir()] == ["lock"]


def test_choices_are_found_without_the_splits(path: Path, tmp_path: Path) -> None:
    values = chosen(path, tmp_path / "r")
    shutil.rmtree(tmp_path / "r" / "splits")
    plan = make_plan(path, tmp_path / "r", make=False)
    assert [result.state for result in read_results(plan)] == ["done", "done"]
    assert [table.chosen for table in tuning_tables(plan)] == [values]


def test_a_cell_is_not_found_while_its_runs_are_to_do(path: Path, tmp_path: Path) -> None:
    run(path, tmp_path / "r")
    record = next(record for record in run(path, tmp_path / "other").tuning.records)  # type: ignore[union-attr]
    (tmp_path / "r" / f"{record['key']}.json").unlink()
    for make in (True, False):
        results = read_results(make_plan(path, tmp_path / "r", make=make))
        assert [result.state for result in results] == ["to do", "to do"]
    ran = run(path, tmp_path / "r")
    assert ran.tuning is not None
    assert (len(ran.tuning.records), len(ran.records), ran.skipped) == (1, 0, 2)


# -- keys and records -----------------------------------------------------------------------------------------------


def test_the_choice_stands_in_the_record_with_its_runs(path: Path, tmp_path: Path) -> None:
    ran = run(path, tmp_path / "r")
    tuned = ran.records[0]["model"]["tuned"]
    assert tuned["chosen"] == {"on_train": 10, "on_test": False}
    assert tuned["grid"] == [["on_train", [3, 5, 10]], ["on_test", [False, True]]]
    assert (tuned["share"], tuned["seed"], tuned["seeds"], tuned["revision"]) == (0.2, 0, [0], 1)
    for trial in tuned["trials"]:
        for key in trial["runs"]:
            record = orjson.loads((tmp_path / "r" / f"{key}.json").read_bytes())
            assert record["curve"] == [[1, 0.5, 0.25]]
            assert record["score"]["n"] == trial["n"] == 4
            assert round(record["score"]["exact_match"] * 4) == trial["right"]
            assert record["part"] == "held_back"
            assert {*record["split"]["sizes"]} == {"train", "held_back"}
            timing = orjson.loads((tmp_path / "r" / "timings" / f"{key}.json").read_bytes())
            assert timing["seconds"] == 2.5
            assert "seconds" not in record
    assert ran.records[0]["model"]["settings"] == {"on_train": 10, "on_test": False}


@pytest.mark.parametrize(
    "change",
    [
        ("[3, 5, 10]", "[5, 3, 10]"),
        ("[3, 5, 10]", "[5, 10]"),
        ("on_train = [3, 5, 10], on_test = [false, true]", "on_test = [false, true], on_train = [3, 5, 10]"),
        ("[[model]]", "[tune]\nshare = 0.3\n[[model]]"),
        ("[[model]]", "[tune]\nseed = 1\n[[model]]"),
        ("[[model]]", "[tune]\nseeds = [1]\n[[model]]"),
        ("tune = {on_train = [3, 5, 10], on_test = [false, true]}", "on_train = 10"),
    ],
    ids=["order of values", "values", "order of settings", "share", "seed", "seeds", "not tuned"],
)
def test_what_decides_on_the_choice_is_in_the_key(change: tuple[str, str], path: Path, tmp_path: Path) -> None:
    """Also where the chosen values are the same."""
    before = {record["key"] for record in run(path, tmp_path / "r").records}
    after = run(edited(path, change), tmp_path / "r")
    assert {record["model"]["settings"]["on_train"] for record in after.records} <= {10}
    assert not before & {record["key"] for record in after.records}
    assert len(after.records) == 2


def test_the_default_of_tune_is_what_is_written_out(path: Path, tmp_path: Path) -> None:
    run(path, tmp_path / "r")
    ran = run(edited(path, ("[[model]]", "[tune]\nshare = 0.2\nseed = 0\nseeds = [0]\n[[model]]")), tmp_path / "r")
    assert (ran.skipped, ran.records) == (2, ())


def test_models_whose_grids_overlap_share_runs(path: Path, tmp_path: Path) -> None:
    second = '[[model]]\nname = "n"\npreset = "leaky"\ntune = {on_train = [5, 7]}\n'
    path.write_text(STUDY + second)
    ran = run(path, tmp_path / "r")
    assert ran.tuning is not None
    assert len(ran.tuning.records) == 7
    assert len(ran.records) == 4


def test_only_the_tunings_of_chosen_cells_are_run(path: Path, tmp_path: Path) -> None:
    path.write_text(STUDY + '[[model]]\nname = "plain"\npreset = "leaky"\n')
    ran = run(path, tmp_path / "r", only=("plain",))
    assert ran.tuning is None
    assert [record["name"] for record in ran.records] == ["plain/split/0", "plain/split/1"]


# -- values that fail -----------------------------------------------------------------------------------------------


def test_a_value_that_fails_is_out_and_said(path: Path, tmp_path: Path) -> None:
    failing = edited(path, ("[3, 5, 10], on_test = [false, true]", "[0, 3]"))
    ran = run(failing, tmp_path / "r")
    assert [record["name"] for record in ran.failed] == ["m,on_train=0/split,held_back=0.2/0"]
    assert [record["state"] for record in ran.records] == ["done", "done"]
    (table,) = tuning_tables(plan_of(failing, tmp_path / "r"))
    assert [(row.state, row.chosen) for row in table.rows] == [("failed", False), ("done", True)]
    assert "the loss is no number" in table.rows[0].error
    assert [record["name"] for record in run(failing, tmp_path / "r").failed] == ["m,on_train=0/split,held_back=0.2/0"]
    retried = run(failing, tmp_path / "r", retry=True)
    assert retried.tuning is not None
    assert (retried.tuning.skipped, len(retried.tuning.records), retried.skipped) == (1, 1, 2)


def test_where_all_fail_the_cells_fail_with_the_reason(path: Path, tmp_path: Path) -> None:
    failing = edited(path, ("on_train = [3, 5, 10]", "on_train = [0]"))
    ran = run(failing, tmp_path / "r")
    assert [record["state"] for record in ran.records] == ["failed", "failed"]
    assert (
        "all 2 combinations of its tuning failed, the first: cell m,on_train=0,on_test=False/"
        in ran.records[0]["error"]
    )
    assert tuning_tables(plan_of(failing, tmp_path / "r"))[0].chosen is None


def test_a_train_part_of_one_example_cannot_be_tuned_on(path: Path, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text(json.dumps({"trainIdxs": [0], "devIdxs": [], "testIdxs": [1]}))
    ran = run(path, tmp_path / "r")
    assert "train has 1 different examples, and nothing can be held back" in ran.records[0]["error"]
    assert TASKS == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("on_train = [3, 5, 10]", "of_train = [3, 5]"), "number 1: unknown setting 'of_train'"),
        (("on_train = [3, 5, 10]", 'on_train = [3, "x"]'), "number 1: .*on_train.*x"),
        (("on_train = [3, 5, 10]", "on_train = 3"), "'on_train' is 3"),
        (("tune = {", "on_train = 2\ntune = {"), "number 1: on_train is both set and tuned; leave out one"),
        (("[[model]]", "[tune]\nshare = 1.0\n[[model]]"), "'share' is 1.0"),
        (("[[model]]", "[tune]\nsharing = 0.5\n[[model]]"), "tune: unknown key 'sharing'; did you mean 'share'"),
        (("[[model]]", "[tune]\nseeds = [1, 1]\n[[model]]"), "seeds has the same number twice"),
        (("tune = {on_train = [3, 5, 10], on_test = [false, true]}", "[tune]\nseed = 1"), "no .*model.* has `tune`"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(change: tuple[str, str], problem: str, path: Path, tmp_path: Path) -> None:
    with pytest.raises((InputFileError, OptionError), match=problem) as caught:
        plan_of(edited(path, change), tmp_path / "r")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "r").exists()


# -- what people see ------------------------------------------------------------------------------------------------


def test_command_page_and_python_show_what_was_chosen(path: Path, tmp_path: Path) -> None:
    runner, results = CliRunner(), str(tmp_path / "r")
    before = runner.invoke(app, ["study", "status", str(path), "--results", results])
    assert before.stdout.count("to do") == 6 + 1
    done = runner.invoke(app, ["study", "run", str(path), "--results", results])
    assert done.exit_code == 0, done.output
    assert "6 tuning runs, 0 were there" in done.stdout
    assert [line.split()[-2:] for line in done.stdout.splitlines() if "on_train=10" in line] == [
        ["100.0", "chosen"],
        ["on_test=True", "100.0"],
    ]
    value = json.loads(runner.invoke(app, ["study", "status", str(path), "--results", results, "--json"]).stdout)
    (table,) = value["tuning"]
    assert table["chosen"] == {"on_train": 10, "on_test": False}
    assert [trial["chosen"] for trial in table["trials"]] == [False, False, False, False, True, False]
    assert recombine.study(path, results=results).status()["tuning"] == [table]
    again = json.loads(runner.invoke(app, ["study", "run", str(path), "--results", results, "--json"]).stdout)
    assert (again["tuning_ran"], again["tuning_skipped"], again["skipped"]) == (0, 6, 2)
    plan = make_plan(path, Path(results), make=False)
    page = render_study(plan, read_results(plan)).decode()
    assert page.count('class="chosen"') == 1
    assert "20 % held back, seed 0" in page


def test_a_study_with_no_tuned_model_says_nothing_of_it(path: Path, tmp_path: Path) -> None:
    plain = edited(path, ("tune = {on_train = [3, 5, 10], on_test = [false, true]}", ""))
    run(plain, tmp_path / "r")
    plan = make_plan(plain, tmp_path / "r", make=False)
    assert 'id="tuning"' not in render_study(plan, read_results(plan)).decode()
    shown = CliRunner().invoke(app, ["study", "status", str(plain), "--results", str(tmp_path / "r")])
    assert "tun" not in shown.stdout
