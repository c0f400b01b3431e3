"""Trains the cells of an exported folder, in pieces if need be.

    python -m recombine.models.pictures.run FOLDER --out DIR --work DIR --minutes 9 [--cells TEXT,TEXT] [--stack 8]

The detector and the grounding are trained once, or taken from WORK or STAGES where they are stored under the same key.
Cells of one kind are then trained together in stacks. Checkpoints and finished stacks go to WORK; when the minutes are
over, training stops after a checkpoint, and the same command goes on from there, also after the process was killed. OUT
gets `predictions.npz` (by cell, the number of the answer to each row of its test rows), `results.json` (what happened)
and the weights asked for. Exit code 0: all done; 3: time was over.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import OptionError, RecombineError
from recombine.files import write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.exported_folder import folder_parser
from recombine.models.pictures.arrays.array_file import read_arrays, write_arrays
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.study_folder import PictureCell, PictureStudy, read_study
from recombine.models.pictures.training.loop import Loop, clear_checkpoints
from recombine.models.pictures.training.shuffled import shuffled_pictures
from recombine.models.pictures.training.stack import Replica
from recombine.models.pictures.training.stage_store import save_stage, stage_key
from recombine.models.pictures.training.stages import Stages
from recombine.models.pictures.training.train_questions import QuestionStack, train_questions
from recombine.models.seq2seq.training.halving import train_halving

if TYPE_CHECKING:
    from collections.abc import Sequence

RESERVE = 12.0
"""Seconds kept for predictions, a checkpoint and writing."""
SHUFFLED = "/shuffled"
"""What follows the name of a cell for its answers with the pictures of other questions."""


@dataclass
class Run:
    """What all stacks of a run share."""

    study: PictureStudy
    stages: Stages
    loop: Loop
    work: Path
    out: Path
    device: str
    keep: Sequence[str] = ()
    """Weights of cells are written whose name has one of these in it."""
    shuffle: Sequence[str] = ()
    """Cells are asked with shuffled pictures too whose name has one of these in it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, train, write."""
    options = _parse(arguments)
    began = time.monotonic()
    study = read_study(options.folder)
    for folder in (options.out, options.work):
        folder.mkdir(parents=True, exist_ok=True)
    device = choose_device(options.device)
    deadline = began + options.minutes * 60 - RESERVE
    loop = Loop(options.work, pause=options.checkpoint * 60, deadline=deadline, say=_say, warn=_warn)
    _say(f"read in {time.monotonic() - began:.1f} s")
    stages = Stages(study, options.work, options.stages, loop, device)
    run = Run(study, stages, loop, options.work, options.out, device, _texts(options.keep), _texts(options.shuffle))
    wanted = _texts(options.cells)
    cells = [cell for cell in study.cells if not wanted or any(text in cell.name for text in wanted)]
    done = True
    for name, stack in stacks_of(study, cells, options.stack):
        done &= run_stack(run, name, stack)
        write_results(run)
    stages.copy_to(options.out, half=device.startswith("cuda"))
    write_results(run)
    _say(f"{'done' if done else 'time is over'}, {time.monotonic() - began:.0f} s")
    return 0 if done else 3


def _texts(text: str) -> list[str]:
    return [each for each in text.split(",") if each]


def _parse(arguments: Sequence[str] | None) -> Any:
    parser = folder_parser(__doc__)
    parser.add_argument("--stages", type=Path, default=None, help="a folder with stored stages to begin from")
    parser.add_argument("--checkpoint", type=float, default=5, help="minutes between checkpoints")
    parser.add_argument("--cells", default="", help="only cells with one of these texts in their name")
    parser.add_argument("--stack", type=int, default=8, help="most replicas trained together")
    parser.add_argument("--keep", default="", help="write the weights of cells with one of these texts in their name")
    parser.add_argument("--shuffle", default="", help="cells that are asked with shuffled pictures too")
    return parser.parse_args(arguments)


def _say(message: str) -> None:
    print(message, flush=True)


def _warn(message: str) -> None:
    print(f"error: {message}", file=sys.stderr, flush=True)


def settings_of(study: PictureStudy, cell: PictureCell) -> PictureSettings:
    """The settings of one cell."""
    return PictureSettings.from_dict({**study.settings, **cell.settings, "variant": cell.variant})


def check_cell(study: PictureStudy, cell: PictureCell) -> None:
    """Refuse a cell that cannot be trained or tested, by name."""
    for part in ("train", "test"):
        if len(study.rows.get(getattr(cell, part), ())) == 0:
            raise OptionError(f"cell {cell.name}: the {part} part is empty", "give another split")


def stacks_of(study: PictureStudy, cells: Sequence[PictureCell], most: int) -> list[tuple[str, list[PictureCell]]]:
    """Cells that can be trained together, at most so many, in the order of the first of each; names by settings."""
    kinds: dict[str, list[PictureCell]] = {}
    for cell in cells:
        settings = settings_of(study, cell).to_dict()
        if settings["variant"] == "randneg":
            settings["variant"] = "regions"
        kinds.setdefault(json.dumps(settings, sort_keys=True), []).append(cell)
    stacks = [
        (f"{alike[0].variant}-{number}", alike[start : start + most])
        for number, alike in enumerate(kinds.values())
        for start in range(0, len(alike), most)
    ]
    places = {cell.name: place for place, cell in enumerate(cells)}
    stacks.sort(key=lambda each: places[each[1][0].name])
    return [(f"{name}-{_digest(alike)}", alike) for name, alike in stacks]


def _digest(cells: Sequence[PictureCell]) -> str:
    return stage_key([cell.name for cell in cells])[:8]


def run_stack(run: Run, name: str, cells: list[PictureCell]) -> bool:
    """Train one stack, or its halves, as far as time allows; whether it is finished."""

    def train(part_name: str, members: list[PictureCell]) -> dict[str, Any] | None:
        return _run_cells(run, part_name, members)

    def give_up(part_name: str, cell: PictureCell, problem: str) -> dict[str, Any]:
        return _store(run, part_name, {}, {cell.name: problem})

    finished = train_halving(run.work, name, cells, train, give_up, run.loop.say, setting="batch")
    if finished is not None:
        clear_checkpoints(run.loop, name)  # of a stack that was halved in the midst of it
    return finished is not None


def _run_cells(run: Run, name: str, cells: list[PictureCell]) -> dict[str, Any] | None:
    """The results of cells trained together; a cell that cannot be trained is reported and left out."""
    path = run.work / f"{name}.json"
    if path.exists():
        stored: dict[str, Any] = json.loads(path.read_text())
        return stored
    good, failed = [], {}
    for cell in cells:
        try:
            check_cell(run.study, cell)
            good.append(cell)
        except RecombineError as error:
            failed[cell.name] = str(error)
    if run.loop.over:
        return None
    results: dict[str, Any] = {}
    if good:
        trained = _train(run, name, good)
        if trained is None:
            return None
        write_arrays(run.work / f"{name}.npz", _predictions(run, trained, good))
        _keep_weights(run, trained, good)
        results = {cell.name: _result(trained, place, cell) for place, cell in enumerate(good)}
    return _store(run, name, results, failed)


def _train(run: Run, name: str, cells: list[PictureCell]) -> QuestionStack | None:
    """Cells trained together on what their variant sees."""
    study, settings = run.study, settings_of(run.study, cells[0])
    ready = run.stages.ready(settings)
    if ready is None:
        return None
    features, pictures, start = ready
    none = np.zeros(0, dtype=np.int64)
    replicas = [
        Replica(
            cell.name,
            cell.seed,
            study.rows[cell.train].astype(np.int64),
            study.rows[cell.dev].astype(np.int64) if cell.dev else none,
        )
        for cell in cells
    ]
    return train_questions(
        features,
        pictures,
        study.questions,
        settings,
        words=len(study.words),
        answers=len(study.answers),
        replicas=replicas,
        start=start,
        device=run.device,
        loop=run.loop,
        name=name,
    )


def _predictions(run: Run, trained: QuestionStack, cells: list[PictureCell]) -> dict[str, Any]:
    """Answers by cell, and by `CELL/shuffled` where they were asked for."""
    rows = [run.study.rows[cell.test].astype(np.int64) for cell in cells]
    made = {cell.name: given for cell, given in zip(cells, trained.answer(rows), strict=True)}
    if any(text in cell.name for text in run.shuffle for cell in cells):
        with shuffled_pictures(trained.program):
            shuffled = trained.answer(rows)
        made |= {
            cell.name + SHUFFLED: given
            for cell, given in zip(cells, shuffled, strict=True)
            if any(text in cell.name for text in run.shuffle)
        }
    return made


def _keep_weights(run: Run, trained: QuestionStack, cells: list[PictureCell]) -> None:
    for place, cell in enumerate(cells):
        if any(text in cell.name for text in run.keep):
            metadata = {"cell": cell.name, "settings": json.dumps(settings_of(run.study, cell).to_dict())}
            path = run.out / f"{cell.name.replace('/', '-')}.safetensors"
            save_stage(path, trained.weights_of(place), metadata, half=run.device.startswith("cuda"))


def _result(trained: QuestionStack, place: int, cell: PictureCell) -> dict[str, Any]:
    curve = trained.progress.curves[cell.name]
    broken = any(not np.isfinite(loss) for _, loss, _ in curve)
    return {
        "state": "failed" if broken else "done",
        **({"error": f"cell {cell.name}: the loss is not a number"} if broken else {}),
        "steps": trained.stack.step,
        "seconds": round(trained.progress.seconds / len(trained.stack.replicas), 2),
        "replicas": len(trained.stack.replicas),
        "curve": curve,
        "best_step": trained.progress.best_steps[place],
        "dev": trained.progress.dev(cell.name),
        "outside": trained.outside[place],
    }


def _store(run: Run, name: str, results: dict[str, Any], failed: dict[str, str]) -> dict[str, Any]:
    """Keep the results of a stack, and report the cells that failed."""
    for cell, message in failed.items():
        run.loop.warn(message)
        results[cell] = {"state": "failed", "error": message}
    write_whole(run.work / f"{name}.json", json.dumps(results).encode())
    clear_checkpoints(run.loop, name)
    return results


def write_results(run: Run) -> None:
    """What the stacks left in WORK, as two files."""
    records: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    for path in sorted(run.work.glob("*.json")):
        records.update(json.loads(path.read_text()))
        if path.with_suffix(".npz").exists():
            arrays.update(read_arrays(path.with_suffix(".npz")))
    for name, given in arrays.items():
        _add_accuracy(run, records, name, given)
    write_arrays(run.out / "predictions.npz", arrays)
    record = {
        "device": device_name(run.device),
        "torch": torch.__version__,
        "stages": run.stages.notes,
        "cells": records,
    }
    write_whole(run.out / "results.json", json.dumps(record, indent=1).encode() + b"\n")


def _add_accuracy(run: Run, records: dict[str, Any], name: str, given: Any) -> None:
    """The share of right answers, in all and by template; with shuffled pictures in all."""
    cell = next((each for each in run.study.cells if each.name == name.removesuffix(SHUFFLED)), None)
    if cell is None:
        return
    rows = run.study.rows[cell.test]
    right = given == run.study.questions.answer[rows]
    if name.endswith(SHUFFLED):
        records[cell.name]["shuffled"] = round(float(right.mean()), 4)
        return
    template = run.study.questions.template[rows]
    records[cell.name]["test"] = round(float(right.mean()), 4)
    records[cell.name]["templates"] = {
        run.study.questions.templates[number]: round(float(right[template == number].mean()), 4)
        for number in np.unique(template).tolist()
        if number >= 0
    }


if __name__ == "__main__":
    sys.exit(main())
