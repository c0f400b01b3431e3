"""Running a study: what is done is skipped, the rest is trained in stacks, scored and stored.

The runs that tuned models are chosen by come first, then the cells with what was chosen.

Cells of one data set and equal settings go into one stack. Rounding may depend on who trains together, so a stack that
was begun is written down and finished with the same members: a run that was killed ends with the same bytes as one that
was not.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecombineError
from recombine.evaluation.answers.asked_answers import ANSWER, answer_to_learn
from recombine.files import make_folder, read_bytes, write_whole
from recombine.models.known import find_family
from recombine.models.task import TRAINED, CellOutcome, Task, TaskCell
from recombine.records.example import Example
from recombine.records.world import WorldReference, is_address
from recombine.studies.cells.digest import content_key
from recombine.studies.cells.read_record import FAILED
from recombine.studies.cells.results import read_result, store_outcome
from recombine.studies.cells.results_folder import claim_folder, clear_stack, iter_stacks, sweep
from recombine.studies.running.execute import iter_outcomes
from recombine.studies.running.watcher import current_watcher
from recombine.studies.tuning.held_back import HELD_BACK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell, StudyModel
    from recombine.studies.cells.plan import Plan
    from recombine.studies.running.watcher import Watcher


@dataclass(frozen=True)
class Options:
    """How to run."""

    only: tuple[str, ...] = ()
    processes: int = 1
    cluster: str | None = None
    device: str = ""
    threads: int = 1
    retry: bool = False
    checkpoint_seconds: float = 20.0


@dataclass(frozen=True)
class Ran:
    """What a run did: how many cells had a record already, and the records of the others."""

    skipped: int
    records: tuple[dict[str, Any], ...]
    failed_before: tuple[dict[str, Any], ...] = ()
    removed: tuple[str, ...] = ()
    """Files that an earlier run had left and that are of no use."""
    tuning: Ran | None = None
    """What it did before for models that are tuned; none where none is."""

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Records of cells and tuning runs that failed, now or before."""
        before = [] if self.tuning is None else self.tuning.failed
        return [*before, *self.failed_before, *(record for record in self.records if record["state"] == FAILED)]


def run_study(plan: Plan, options: Options | None = None, watcher: Watcher | None = None) -> Ran:
    """Run what is not done of a plan, followed by a watcher: the one given, or the one of these surroundings."""
    options = options or Options()
    watcher = watcher or current_watcher()
    work = plan.results / "work"
    claim_folder(plan.results, plan.study.name)
    with _locked(work):
        removed = sweep(plan.results)
        plan = plan.with_choices()
        tuning = (
            _run_cells(plan, runs, options, watcher, removed) if (runs := plan.tuning_cells(options.only)) else None
        )
        plan = plan.with_choices()
        ran = _run_cells(plan, plan.chosen(options.only), options, watcher, [] if tuning is not None else removed)
        if all(read_result(plan.results, cell.key) is not None for cell in plan.cells):
            shutil.rmtree(work / TRAINED, ignore_errors=True)
        return replace(ran, tuning=tuning, removed=(*(() if tuning is None else tuning.removed), *ran.removed))


def _run_cells(
    plan: Plan, chosen: Sequence[Cell], options: Options, watcher: Watcher | None, removed: Sequence[str]
) -> Ran:
    """Run what is not done of some cells; `removed` is what was removed before."""
    work, gone = plan.results / "work", list(removed)
    stored = {cell.key: record for cell in chosen if (record := read_result(plan.results, cell.key)) is not None}
    failed = {key: record for key, record in stored.items() if record["state"] == FAILED}
    if options.retry:
        stored = {key: record for key, record in stored.items() if key not in failed}
    waiting = [cell for cell in chosen if cell.key not in stored]
    check_models(cell.model for cell in waiting if not cell.problem)
    records = [
        store_outcome(plan.results, cell, plan.datasets[cell.data], CellOutcome(error=cell.problem))
        for cell in waiting
        if cell.problem
    ]
    begun, useless = _begun_stacks(plan, work)
    gone += useless
    stacks = _stacks(plan, [cell for cell in waiting if not cell.problem], begun, work)
    tasks = {name: _task(plan, name, cells, work, options) for name, cells in stacks.items()}
    if watcher is not None:
        if gone:
            watcher.removed(gone)
        watcher.begin(list(tasks.values()), len(stored))
        for record in records:
            watcher.stored(record)
    for task, outcomes in iter_outcomes(list(tasks.values()), processes=options.processes, cluster=options.cluster):
        for record in _store(plan, stacks[task.name], outcomes, retry=options.retry):
            records.append(record)
            if watcher is not None:
                watcher.stored(record)
        clear_stack(work, task.name)
    return Ran(len(stored), tuple(records), () if options.retry else tuple(failed.values()), tuple(gone))


def check_models(models: Iterable[StudyModel]) -> None:
    """Refuse models that cannot be trained on this machine, before anything is."""
    for model in {model.name: model for model in models}.values():
        family = find_family(model.preset)
        family.check()
        if family.check_files is not None:
            family.check_files(model.settings)


def _store(
    plan: Plan, cells: Sequence[Cell], outcomes: Sequence[CellOutcome], *, retry: bool
) -> Iterator[dict[str, Any]]:
    """Store what is not stored yet: a killed run may have stored some of a stack."""
    for cell, outcome in zip(cells, outcomes, strict=True):
        before = read_result(plan.results, cell.key)
        if before is None or (retry and before["state"] == FAILED):
            yield store_outcome(plan.results, cell, plan.datasets[cell.data], outcome)


# -- stacks -------------------------------------------------------------------------------------------------------


def _begun_stacks(plan: Plan, work: Path) -> tuple[dict[str, list[Cell]], list[str]]:
    """The stacks that were begun, and the files of those that are of no use now, which are removed."""
    cells = {cell.key: cell for cell in (*plan.tuning_cells(), *plan.cells)}
    begun: dict[str, list[Cell]] = {}
    removed = []
    for path in iter_stacks(work):
        try:
            keys = orjson.loads(read_bytes(path))
        except orjson.JSONDecodeError:
            keys = None
        if isinstance(keys, list) and keys and all(isinstance(key, str) and key in cells for key in keys):
            begun[path.stem] = [cells[key] for key in keys]
        else:  # of a study that reads otherwise now, or broken
            removed += [f"work/{path.name}", *clear_stack(work, path.stem)]
    return begun, removed


def _stacks(plan: Plan, waiting: Sequence[Cell], begun: dict[str, list[Cell]], work: Path) -> dict[str, list[Cell]]:
    """The stacks to run: those that were begun and have cells waiting, then new ones, which are written down."""
    wanted = {cell.key for cell in waiting}
    stacks = {name: cells for name, cells in begun.items() if wanted.intersection(cell.key for cell in cells)}
    placed = {cell.key for cells in stacks.values() for cell in cells}
    groups: dict[str, list[Cell]] = {}
    for cell in waiting:
        if cell.key not in placed:
            family = find_family(cell.model.preset)
            content = {"data": cell.data, "preset": cell.model.preset, "settings": dict(cell.model.settings)}
            content["unseen"] = cell.unseen
            groups.setdefault(content_key(content) if family.stacked else cell.key, []).append(cell)
    for group in groups.values():
        for start in range(0, len(group), plan.study.stack):
            stack = group[start : start + plan.study.stack]
            name = content_key({"cells": [cell.key for cell in stack]})
            write_whole(work / f"{name}.stack", orjson.dumps([cell.key for cell in stack]))
            stacks[name] = stack
    return stacks


def _task(plan: Plan, name: str, cells: Sequence[Cell], work: Path, options: Options) -> Task:
    dataset = plan.datasets[cells[0].data]
    made = []
    for cell in cells:
        if cell.split is not None:
            train, test = (tuple(cell.split.positions(dataset, part)) for part in ("train", cell.recipe.part))
            made.append(TaskCell(cell.name, train, test, cell.seed, dev_rows(cell, dataset)))
    return Task(
        name,
        cells[0].model.preset,
        cells[0].model.settings,
        _examples(dataset, texts_alone=find_family(cells[0].model.preset).texts_alone, match=plan.study.match),
        tuple(made),
        work.resolve(),
        language="" if dataset.language is None or plan.study.match == ANSWER else dataset.language.place,
        curve=plan.study.curve,
        sample=plan.study.sample,
        unseen=cells[0].unseen,
        match=plan.study.match,
        device=options.device,
        threads=options.threads,
        checkpoint_seconds=options.checkpoint_seconds,
        plugins=plan.plugins,
        world=_world(dataset),
    )


def _world(dataset: Dataset) -> WorldReference | None:
    """The world as others can find it: by its whole path."""
    world = dataset.world
    if not isinstance(world, WorldReference):
        place = getattr(world, "place", None)  # of a store that was made with the data
        return None if world is None or place is None else WorldReference(world.kind, str(place), world.digest)
    return world if is_address(world.path) else replace(world, path=str(Path(world.path).resolve()))


def dev_rows(cell: Cell, dataset: Dataset) -> tuple[int, ...]:
    """The rows that a cell's training may stop on; none where its family does not look at them.

    A tuning run stops on what it is judged on: when to stop is one more value that held-back train decides on.
    """
    split, part = cell.split, "dev" if cell.recipe.held_back is None else HELD_BACK
    if split is None or not split.parts.get(part) or not find_family(cell.model.preset).stops_on_dev:
        return ()
    return tuple(split.positions(dataset, part))


def _examples(dataset: Dataset, *, texts_alone: bool, match: str) -> tuple[Example, ...]:
    """The examples of a task; where texts are all that is wanted, nothing else is sent along.

    Where answers are compared, they stand in the place of targets for who sees texts alone.
    """
    if texts_alone and match == ANSWER:
        return tuple(Example(each.id, each.source, answer_to_learn(dataset, each)) for each in dataset)
    if texts_alone:
        return tuple(Example(example.id, example.source, example.target) for example in dataset)
    return tuple(dataset)


# -- the work folder ----------------------------------------------------------------------------------------------


def steps_done(work: Path, task: Task) -> int:
    """Steps times models that a task has done, as its checkpoints say."""
    steps = 0
    for path in work.glob(f"{task.name}*.step"):
        try:
            steps += int(path.read_bytes())
        except (OSError, ValueError):
            continue  # it went away as we looked: its stack is done
    return steps


@contextmanager
def _locked(work: Path) -> Iterator[None]:
    """One run at a time in a folder of results; the lock goes with the process, however it ends."""
    make_folder(work)
    try:
        import fcntl
    except ImportError:  # not a Unix: nothing guards against a second run
        yield
        return
    with (work / "lock").open("wb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RecombineError(f"another run is at work in {work.parent}", "wait for it, or end it") from None
        yield
