"""Tasks run one after another, in processes, or on a cluster; outcomes come as they are ready.

Processes and clusters are joblib's; a cluster is dask's, named by the address of its scheduler. Where a worker dies,
its task is run again, from its last checkpoint where that can be seen; a task that keeps killing workers fails, and
the others go on.
"""

from __future__ import annotations

import importlib.util
import os
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.models.known import find_family
from recombine.models.task import CellOutcome, Task
from recombine.plugins import load_same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TRIES = 3


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task; whatever goes wrong in it is the reason why its cells failed."""
    try:
        for plugin in task.plugins:
            load_same(plugin)
        task.work.mkdir(parents=True, exist_ok=True)
        return find_family(task.preset).train_cells(task)
    except Exception as error:
        # A cell may fail in any way; the study goes on and says so.
        reason = str(error) if isinstance(error, RecombineError) else f"{type(error).__name__}: {error}"
        return [CellOutcome(error=f"cell {cell.name}: {' '.join(reason.split())}") for cell in task.cells]


def iter_outcomes(
    tasks: Sequence[Task], *, processes: int = 1, cluster: str | None = None
) -> Iterator[tuple[Task, list[CellOutcome]]]:
    """Each task with its outcomes, in any order."""
    if cluster is None and (processes <= 1 or not tasks):
        yield from ((task, run_task(task)) for task in tasks)
        return
    if cluster is None:
        tasks = [replace(task, coordinator=os.getpid()) for task in tasks]
    with _backend(cluster) as options:
        waiting = dict(enumerate(tasks))
        for _ in range(TRIES):
            try:
                for number, outcomes in _parallel(waiting, processes, options):
                    yield waiting.pop(number), outcomes
            except _deaths():
                continue
            if not waiting:
                return
        yield from _one_by_one(waiting, options)


def _one_by_one(waiting: dict[int, Task], options: dict[str, Any]) -> Iterator[tuple[Task, list[CellOutcome]]]:
    """Tasks alone, so that one that kills its worker is known by name."""
    for number, task in waiting.items():
        try:
            yield from ((task, outcomes) for _, outcomes in _parallel({number: task}, 1, options))
        except _deaths():
            problem = "its worker was killed each time; it may be out of memory"
            yield task, [CellOutcome(error=f"cell {cell.name}: {problem}") for cell in task.cells]


def _parallel(
    tasks: dict[int, Task], processes: int, options: dict[str, Any]
) -> Iterator[tuple[int, list[CellOutcome]]]:
    import joblib

    # One process would be this one, which a task that kills its worker must not be.
    run = joblib.Parallel(n_jobs=max(2, processes), return_as="generator_unordered", batch_size=1, **options)
    yield from run(joblib.delayed(_numbered)(number, task) for number, task in list(tasks.items()))


def _numbered(number: int, task: Task) -> tuple[int, list[CellOutcome]]:
    return number, run_task(task)


def _deaths() -> tuple[type[BaseException], ...]:
    """What is raised where a worker died."""
    from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

    deaths: tuple[type[BaseException], ...] = (BrokenProcessPool, TerminatedWorkerError)
    if importlib.util.find_spec("distributed") is not None:
        from distributed.scheduler import KilledWorker

        deaths = (*deaths, KilledWorker)
    return deaths


@contextmanager
def _backend(cluster: str | None) -> Iterator[dict[str, Any]]:
    """The options that tell joblib where to run."""
    _need("joblib", "more than one process")
    if cluster is None:
        yield {"backend": "loky"}
        return
    _need("distributed", "a cluster")
    import joblib
    from distributed import Client

    try:
        client = Client(cluster, timeout="10s")
    except (OSError, ValueError) as error:
        raise RecombineError(f"no scheduler answers at {cluster} ({error})", "check the address") from error
    with client, joblib.parallel_config(backend="dask"):
        yield {}


def _need(module: str, what: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise RecombineError(f"{what} needs {module}, which is not installed", "install recombine[cluster]")
