"""Processes and clusters give the bytes that one process gives, and tasks of workers that die are run again."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import RecombineError
from recombine.models.family import Family
from recombine.models.known import MODELS
from recombine.models.task import CellOutcome, Task, TaskCell
from recombine.records.example import Example
from recombine.studies.running import execute
from recombine.studies.running.execute import iter_outcomes, run_task
from small_study import STUDY, Study, content, run

pytest.importorskip("torch", reason="needs torch")
pytest.importorskip("joblib", reason="needs joblib")

TWO = STUDY.replace("curve = 10", "curve = 100\nstack = 1").replace("steps = 30", "steps = 60")
# Pools and clusters leave sockets and threads to be collected when they are closed.
pytestmark = pytest.mark.filterwarnings("ignore")


@contextmanager
def killing(work: Path, pids: Any) -> Iterator[list[int]]:
    """Kill one worker with SIGKILL as soon as a stack has made a few steps."""
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not over.is_set():
            if any(int(path.read_bytes() or 0) >= 20 for path in work.glob("*.step")):
                killed.append(pids()[0])
                os.kill(killed[0], signal.SIGKILL)
                return
            time.sleep(0.01)

    thread = threading.Thread(target=kill)
    thread.start()
    yield killed
    over.set()
    thread.join()


def children() -> list[int]:
    """The workers of joblib's pool."""
    from joblib.externals.loky import get_reusable_executor

    return sorted(get_reusable_executor(reuse=True)._processes)


def test_two_processes_and_a_killed_worker_change_nothing(study: Study, tmp_path: Path) -> None:
    path = study(TWO)
    run(path, tmp_path / "one")
    with killing(tmp_path / "two" / "work", children) as killed:
        ran = run(path, tmp_path / "two", processes=2, checkpoint_seconds=0)
    assert killed
    assert ran.failed == []
    assert content(tmp_path / "two") == content(tmp_path / "one")


def test_a_cluster_and_a_killed_worker_change_nothing(study: Study, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed]")
    path = study(TWO)
    run(path, tmp_path / "one")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            pids = sorted(client.run(os.getpid).values())
        with killing(tmp_path / "many" / "work", lambda: pids) as killed:
            ran = run(path, tmp_path / "many", cluster=cluster.scheduler_address, checkpoint_seconds=0)
    assert killed
    assert ran.failed == []
    assert content(tmp_path / "many") == content(tmp_path / "one")


def test_a_cluster_that_is_not_there_is_said(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed]")

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with pytest.raises(RecombineError, match="no scheduler answers at tcp://nowhere:1"):
        run(study(), tmp_path / "r", cluster="tcp://nowhere:1")


def test_what_is_not_installed_is_said(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = execute.importlib.util.find_spec
    monkeypatch.setattr(execute.importlib.util, "find_spec", lambda n: None if n == "joblib" else real(n))
    with pytest.raises(RecombineError, match=r"more than one process needs joblib.*install recombine\[cluster\]"):
        run(study(), tmp_path / "r", processes=2)


def test_a_family_of_ones_own_whose_error_is_the_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(task: Task) -> list[CellOutcome]:
        if task.name == "bad":
            raise ZeroDivisionError("by\nzero")
        return [CellOutcome(("x",))]

    family = Family(name="own", presets=lambda: ["mine"], make=lambda *_: None, run_task=train)
    monkeypatch.setitem(MODELS._things, "own", family)
    cells = (TaskCell("c", (0,), (0,), 0),)
    tasks = [Task(name, "mine", {}, [Example.of("a", "b")], cells, tmp_path) for name in ("bad", "good")]
    found = {task.name: outcomes for task, outcomes in iter_outcomes(tasks)}
    assert found["good"] == [CellOutcome(("x",))]
    assert found["bad"][0].error == "cell c: ZeroDivisionError: by zero"
    assert run_task(tasks[0]) == found["bad"]
