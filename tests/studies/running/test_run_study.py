"""Studies run, go on after a kill with the same bytes, and go on past cells that fail."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from small_study import STUDY, TINY, Study, content, plan_of, run

pytest.importorskip("torch", reason="needs torch")

import torch

from recombine.errors import RecombineError
from recombine.models.seq2seq import seq2seq_family
from recombine.models.seq2seq.training import loop as loop_module
from recombine.models.seq2seq.training.train import Stack
from recombine.studies.cells import results as results_module
from recombine.studies.cells.results import read_outputs
from recombine.studies.running import run_study as run_module
from recombine.studies.running.run_study import Options, run_study

ROOT = Path(__file__).parents[3]


def test_results_are_stored_scored_and_skipped(study: Study, tmp_path: Path) -> None:
    ran = run(study(), tmp_path / "r")
    assert (ran.skipped, len(ran.records), ran.failed) == (0, 2, [])
    record = ran.records[0]
    assert orjson.loads((tmp_path / "r" / f"{record['key']}.json").read_bytes()) == record
    assert (record["name"], record["state"], record["seed"]) == ("tiny/random/0", "done", 0)
    assert [point[0] for point in record["curve"]] == [10, 20, 30]
    assert record["model"]["settings"]["steps"] == 30
    rows = read_outputs(tmp_path / "r", record)
    assert len(rows) == record["score"]["n"] == 4
    assert sum(row["correct"] for row in rows) == 4 * record["score"]["exact_match"]
    assert [path.name for path in (tmp_path / "r" / "work").iterdir()] == ["lock"]
    assert len(list((tmp_path / "r" / "timings").iterdir())) == 2
    again = run(study(), tmp_path / "r")
    assert (again.skipped, again.records) == (2, ())


def test_more_seeds_leave_what_is_there_alone(study: Study, tmp_path: Path) -> None:
    run(study(), tmp_path / "r")
    before = content(tmp_path / "r")
    ran = run(study(STUDY.replace("[0, 1]", "[0, 1, 2]")), tmp_path / "r")
    assert [record["seed"] for record in ran.records] == [2]
    assert before.items() < content(tmp_path / "r").items()


def test_only_some_cells(study: Study, tmp_path: Path) -> None:
    assert [r["name"] for r in run(study(), tmp_path / "r", only=("random/1",)).records] == ["tiny/random/1"]
    with pytest.raises(RecombineError, match="no cell of letters has nothing in its name"):
        run(study(), tmp_path / "r", only=("nothing",))


class Kill(BaseException):
    """Ends a run in the midst of it."""


def test_a_kill_before_any_write_changes_nothing(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run is ended before its first write, its second, and so on, and goes on each time."""
    path = study(STUDY.replace("curve = 10", "curve = 10\nstack = 1"))
    run(path, tmp_path / "whole")
    left = [0]

    def counted(real: Any) -> Any:
        def write(*arguments: Any) -> None:
            left[0] -= 1
            if left[0] < 0:
                raise Kill
            real(*arguments)

        return write

    for module in (results_module, run_module, seq2seq_family):
        monkeypatch.setattr(module, "write_whole", counted(module.write_whole))
    monkeypatch.setattr(loop_module, "save_checkpoint", counted(loop_module.save_checkpoint))
    plan = plan_of(path, tmp_path / "killed")
    kills = 0
    while True:
        left[0] = 1 + kills % 3
        try:
            run_study(plan, Options(checkpoint_seconds=0))
            break
        except Kill:
            kills += 1
            assert kills < 100
    assert kills > 5
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def test_kill_9_changes_nothing(study: Study, tmp_path: Path) -> None:
    path = study(STUDY.replace("steps = 30", "steps = 120").replace("curve = 10", "curve = 100"))
    code = "import sys; from small_study import run; run(__import__('pathlib').Path(sys.argv[1]), "
    code += "__import__('pathlib').Path(sys.argv[2]), checkpoint_seconds=0.05)"
    command = [sys.executable, "-c", code, str(path), str(tmp_path / "killed")]
    places = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    for least in (40, 140):
        process = subprocess.Popen(command, env=environment)
        while _step(tmp_path / "killed" / "work") < least and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert not list((tmp_path / "killed").glob("[0-9a-f]*.json"))
    run(path, tmp_path / "killed")
    run(path, tmp_path / "whole")
    assert content(tmp_path / "killed") == content(tmp_path / "whole")


def _step(work: Path) -> int:
    try:
        return max((int(path.read_bytes() or 0) for path in work.glob("*.step")), default=0)
    except FileNotFoundError:
        return 0


FAILING = f"""
name = "failing"
curve = 10
[[data]]
file = "letters.tsv"
[[split]]
name = "good"
by = "random"
train = 12
test = 4
[[split]]
name = "infeasible"
by = "length:target"
max_length = 1
[[split]]
name = "hole"
file = "hole.json"
[[split]]
name = "empty"
file = "empty.json"
[[model]]
name = "tiny"
{TINY}
[[model]]
name = "wild"
{TINY}
rate = 1e30
"""


def test_others_go_on_when_a_cell_fails(study: Study, tmp_path: Path) -> None:
    path = study(FAILING)
    (tmp_path / "hole.json").write_text('{"train": [0, 1, 4, 5], "test": [12, 13]}')
    (tmp_path / "empty.json").write_text(
        '{"train": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], "test": []}'
    )
    ran = run(path, tmp_path / "r")
    states = {record["name"]: record["state"] for record in ran.records}
    assert states.pop("tiny/good/0") == "done"
    assert set(states.values()) == {"failed"}
    errors = {record["name"]: record["error"] for record in ran.failed}
    assert errors["tiny/infeasible/0"].startswith("cell tiny/infeasible/0: ")
    assert errors["tiny/empty/0"] == "cell tiny/empty/0: the test part is empty; give another split"
    assert errors["tiny/hole/0"].startswith("cell tiny/hole/0: 2 symbols of the test part are not in train, such as ")
    assert errors["wild/good/0"].startswith("cell wild/good/0: the loss is not a number at step 10")
    again = run(path, tmp_path / "r")
    assert (len(again.records), len(again.failed), again.skipped) == (0, 7, 8)


def test_symbols_that_train_lacks_can_be_kept(study: Study, tmp_path: Path) -> None:
    path = study(FAILING.replace('name = "failing"', 'name = "failing"\nunseen = "keep"'))
    (tmp_path / "hole.json").write_text('{"train": [0, 1, 4, 5], "test": [12, 13]}')
    (tmp_path / "empty.json").write_text('{"train": [0], "test": []}')
    assert run(path, tmp_path / "r", only=("tiny/hole",)).records[0]["state"] == "done"


def test_memory_that_is_short_is_halved_and_named(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(study(), tmp_path / "whole")
    real = Stack.train

    def train(stack: Stack, until: int) -> None:
        if len(stack.replicas) > 1 or stack.replicas[0].name.endswith("/1"):
            raise torch.OutOfMemoryError
        real(stack, until)

    monkeypatch.setattr(Stack, "train", train)
    ran = run(study(), tmp_path / "r")
    assert [record["state"] for record in ran.records] == ["done", "failed"]
    assert ran.failed[0]["error"].startswith("cell tiny/random/1: out of memory; lower batch_tokens")
    monkeypatch.undo()
    mended = run(study(), tmp_path / "r", retry=True)
    assert [record["name"] for record in mended.records] == ["tiny/random/1"]
    assert mended.failed == []


def test_two_runs_in_one_place_are_refused(study: Study, tmp_path: Path) -> None:
    plan = plan_of(study(), tmp_path / "r")
    with run_module._locked(tmp_path / "r" / "work"), pytest.raises(RecombineError, match="another run is at work"):
        run_study(plan)


def test_torch_that_is_missing_is_one_line(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else real(name))
    with pytest.raises(
        RecombineError, match=r"training needs torch, which is not installed; install recombine\[neural\]"
    ):
        run(study(), tmp_path / "r")
    assert not list((tmp_path / "r").glob("[0-9a-f]*.json"))


def test_planning_does_not_load_torch(study: Study) -> None:
    code = "import sys; from recombine.studies.cells.plan import make_plan; make_plan(sys.argv[1]); "
    code += "assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, str(study())], check=True)


@pytest.mark.slow
def test_the_smoke_study_survives_three_kills(tmp_path: Path) -> None:
    """As `recombine study run` in two processes, killed at three random moments; within two minutes when not killed."""
    code = "from recombine.cli.verbs.studies.study import app; app()"
    command = [sys.executable, "-c", code, "run", str(ROOT / "studies" / "smoke.toml"), "--processes", "2", "--results"]
    began = time.monotonic()
    subprocess.run([*command, str(tmp_path / "whole")], check=True)
    whole = time.monotonic() - began
    from recombine.seeds import make_generator

    generator = make_generator(int(os.environ.get("SMOKE_SEED", "0")))
    for _ in range(3):
        process = subprocess.Popen([*command, str(tmp_path / "killed")])
        time.sleep(float(generator.uniform(0.05, 0.3)) * whole)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    subprocess.run([*command, str(tmp_path / "killed")], check=True)
    assert len(content(tmp_path / "whole")) == 19  # with the marker
    assert content(tmp_path / "killed") == content(tmp_path / "whole")
