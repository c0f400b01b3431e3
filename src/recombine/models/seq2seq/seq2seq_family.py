"""Sequence-to-sequence models as a family; in a study, cells of equal settings are trained as one stack."""

from __future__ import annotations

import importlib.util
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.models.check_settings import check_settings
from recombine.models.device import choose_device, device_name
from recombine.models.family import Family
from recombine.models.seq2seq.export import ExportedCell, Study, make_study
from recombine.models.seq2seq.presets import PRESETS, find_preset
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.task import CellOutcome, Task
from recombine.models.torch_task import check_parent, threads
from recombine.options import options_of
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.models.seq2seq.parser import Seq2Seq
    from recombine.models.seq2seq.training.loop import Loop
    from recombine.options import Option
    from recombine.records.example import Example
    from recombine.records.world import World


def check_torch() -> None:
    """Refuse where torch is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise RecombineError(
            "training needs torch, which is not installed",
            "install recombine[neural], or `study export` the cells to a machine that has it",
        )


# -- settings -----------------------------------------------------------------------------------------------------


def options(preset: str) -> list[Option]:
    """The declared settings with the defaults of a preset."""
    usual = PRESETS[preset]
    return [replace(option, default=getattr(usual, option.name)) for option in options_of(Seq2SeqSettings)]


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes; their types are checked."""
    made = find_preset(preset, **changes).to_dict()
    check_settings(changes, {name: getattr(PRESETS[preset], name) for name in changes})
    return made


# -- one parser ---------------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> Seq2Seq:
    """A parser of these settings."""
    check_torch()
    from recombine.models.seq2seq.parser import Seq2Seq

    return Seq2Seq(Seq2SeqSettings.from_dict(settings), seed, device)


def fit(parser: Seq2Seq, examples: Sequence[Example], world: World | None) -> None:
    """Train to the last step, and say how far it is."""
    del world
    with bar("training", counts="steps") as update:

        def tell(step: int, steps: int, loss: float) -> None:
            if update is not None:
                update(step, steps, f"loss {loss:.3f}")

        parser.fit([(example.source, example.target) for example in examples], tell)


def save(parser: Seq2Seq, folder: Path, signature: str) -> None:
    """Write a parser to a folder."""
    from recombine.models.seq2seq.parser import save as write

    write(parser, folder, signature=signature)


def load(folder: Path, device: str) -> Seq2Seq:
    """The parser in a folder."""
    if importlib.util.find_spec("torch") is None:
        raise RecombineError(f"{folder}: needs torch, which is not installed", "install recombine[neural]")
    from recombine.models.seq2seq.parser import load as read

    return read(folder, device=device)


def _signature(parser: Seq2Seq, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    changed = FAMILY.changed(preset, settings, leave_out=["steps"])
    return {"model": preset, "steps": parser.settings.steps, **changed, "model_seed": seed}


def _facts(parser: Seq2Seq) -> dict[str, Any]:
    return {"steps": parser.settings.steps, "symbols": len(parser.vocabulary) - 2}


def _describe(value: Mapping[str, Any]) -> str:
    return f"{value['steps']:,} steps on {value['examples']:,} examples, {value['symbols']:,} symbols"


# -- cells of a study ---------------------------------------------------------------------------------------------


def task_study(task: Task) -> Study:
    """The task as tensors."""
    splits = {cell.name: {"train": cell.train, "test": cell.test} for cell in task.cells}
    cells = [ExportedCell(cell.name, task.preset, cell.name, cell.seed) for cell in task.cells]
    return make_study(task.pairs(), splits, {task.preset: Seq2SeqSettings.from_dict(task.settings)}, cells)


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task. Cells that cannot be trained say why; where memory is short, halves go on alone."""
    study = task_study(task)
    failed: dict[str, CellOutcome] = {}
    for cell in study.cells if task.unseen == "fail" else ():
        try:
            study.check(cell)
        except RecombineError as error:
            failed[cell.name] = CellOutcome(error=str(error))
    good = [cell for cell in study.cells if cell.name not in failed]
    with threads(task.threads):
        outcomes = {**failed, **(_train_good(task, study, good) if good else {})}
    return [outcomes[cell.name] for cell in task.cells]


def _train_good(task: Task, study: Study, cells: list[ExportedCell]) -> dict[str, CellOutcome]:
    from recombine.models.seq2seq.training.halving import train_halving
    from recombine.models.seq2seq.training.loop import Loop

    def note_step(name: str, steps: int) -> None:
        write_whole(task.work / f"{name}.step", str(steps).encode())

    loop = Loop(
        study,
        task.work,
        choose_device(task.device),
        curve=task.curve,
        sample=task.sample,
        pause=task.checkpoint_seconds,
        look=lambda: check_parent(task),
        stepped=note_step,
    )
    outcomes = train_halving(
        task.work,
        task.name,
        cells,
        lambda name, members: _train_cells(loop, name, members),
        lambda _, cell, problem: {cell.name: CellOutcome(error=problem)},
    )
    return outcomes or {}  # a study has no deadline


def _train_cells(loop: Loop, name: str, cells: list[ExportedCell]) -> dict[str, CellOutcome] | None:
    """The outcomes of cells that are trained together."""
    import torch

    from recombine.models.seq2seq.training.loop import broken_at, train_stack

    trained = train_stack(loop, name, cells)
    if trained is None:
        return None
    study = loop.study
    began = time.monotonic()
    predicted = trained.stack.predict([study.splits[cell.split]["test"] for cell in cells], study.target.shape[1])
    seconds = trained.seconds + time.monotonic() - began
    notes = {"steps": trained.stack.step, "device": device_name(loop.device), "torch": torch.__version__}
    outcomes = {}
    for cell, outputs in zip(cells, predicted, strict=True):
        curve = tuple(
            (step, loss if abs(loss) < float("inf") else None, share) for step, loss, share in trained.curves[cell.name]
        )
        texts = tuple(" ".join(study.vocabulary[s] for s in row if s > 1) for row in outputs.tolist())
        outcomes[cell.name] = CellOutcome(texts, curve, notes, seconds / len(cells))
        broken = broken_at(trained.curves[cell.name])
        if broken is not None:
            problem = f"cell {cell.name}: the loss is not a number at step {broken}; lower the rate, or clip gradients"
            outcomes[cell.name] = replace(outcomes[cell.name], outputs=(), error=problem)
    return outcomes


FAMILY = Family(
    name="seq2seq",
    title="sequence-to-sequence models from scratch",
    presets=lambda: list(PRESETS),
    options=options,
    complete=settings_of,
    check=check_torch,
    make=make,
    fit=fit,
    save=save,
    load=load,
    form="recombine-seq2seq-parser",
    signature=_signature,
    facts=_facts,
    describe=_describe,
    run_task=run_task,
    stacked=True,
    revision=1,
)
