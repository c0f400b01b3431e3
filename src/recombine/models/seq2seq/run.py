"""Trains the cells of an exported folder, in pieces if need be.

    python -m recombine.models.seq2seq.run FOLDER --out DIR --work DIR --minutes 9 [--model NAME] [--cells TEXT]

Cells of one model are trained together in stacks. Checkpoints and finished parts go to WORK, a checkpoint every few
minutes, the last two kept; when the minutes are over, training stops after one. The same command goes on from there,
also after the process was killed. OUT gets, for each model, predictions
(`NAME.npz`, symbols by cell and part) and what happened (`NAME.json`: state, loss and accuracy along the way). Exit
code 0: all done; 3: time was over.
"""

from __future__ import annotations

import json
import re
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.exported_folder import folder_parser
from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.export import ExportedCell, packed, read_study, unpacked
from recombine.models.seq2seq.training.halving import train_halving
from recombine.models.seq2seq.training.loop import Loop, broken_at, clear_checkpoints, train_stack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.models.seq2seq.training.train import Stack

RESERVE = 25.0
"""Seconds kept for predictions, a checkpoint and writing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, train, write."""
    options = _parse(arguments)
    began = time.monotonic()
    kernels.ENABLED.difference_update(options.plain.split(","))
    study = read_study(options.folder)
    for folder in (options.out, options.work):
        folder.mkdir(parents=True, exist_ok=True)
    device = choose_device(options.device)
    deadline = began + options.minutes * 60 - RESERVE
    loop = Loop(
        study,
        options.work,
        device,
        curve=options.curve,
        sample=options.sample,
        pause=options.checkpoint * 60,
        deadline=deadline,
        say=_say,
        warn=_warn,
    )
    done = True
    for model in study.models:
        if options.model and options.model != model:
            continue
        cells = [c for c in study.cells if c.model == model and options.cells in c.name]
        stacks = [cells[i : i + options.stack] for i in range(0, len(cells), options.stack)]
        for number, stack in enumerate(stacks):
            done &= run_stack(loop, f"{model}-{number}".replace(":", "-"), stack, options.parts.split(","))
        write_results(loop, options.out, model.replace(":", "-"))
    print(f"{'done' if done else 'time is over'}, {time.monotonic() - began:.0f} s", flush=True)
    return 0 if done else 3


def _parse(arguments: Sequence[str] | None) -> Any:
    parser = folder_parser(__doc__)
    parser.add_argument("--checkpoint", type=float, default=5, help="minutes between checkpoints")
    parser.add_argument("--model", default="")
    parser.add_argument("--cells", default="", help="only cells with this in their name")
    parser.add_argument("--stack", type=int, default=64, help="most replicas trained together")
    parser.add_argument("--curve", type=int, default=2500, help="steps between accuracies on a sample")
    parser.add_argument("--sample", type=int, default=128, help="examples of that sample")
    parser.add_argument("--parts", default="test")
    parser.add_argument("--plain", default="", help="fused kernels not to use, such as attention,cell")
    return parser.parse_args(arguments)


def _say(message: str) -> None:
    print(message, flush=True)


def _warn(message: str) -> None:
    print(f"error: {message}", file=sys.stderr, flush=True)


def run_stack(loop: Loop, name: str, cells: list[ExportedCell], parts: Sequence[str] = ("test",)) -> bool:
    """Train one stack, or its halves, as far as time allows; whether it is finished."""

    def train(part_name: str, members: list[ExportedCell]) -> dict[str, Any] | None:
        return _run_cells(loop, part_name, members, parts)

    def give_up(part_name: str, cell: ExportedCell, problem: str) -> dict[str, Any]:
        return _store(loop, part_name, {}, {cell.name: problem})

    finished = train_halving(loop.work, name, cells, train, give_up, loop.say)
    if finished is not None:
        clear_checkpoints(loop, name)  # of a stack that was halved in the midst of it
    return finished is not None


def _run_cells(loop: Loop, name: str, cells: list[ExportedCell], parts: Sequence[str]) -> dict[str, Any] | None:
    """The results of cells trained together; a cell that cannot be trained is reported and left out."""
    path = loop.work / f"{name}.json"
    if path.exists():
        stored: dict[str, Any] = json.loads(path.read_text())
        return stored
    good, failed = [], {}
    for cell in cells:
        try:
            loop.study.check(cell)
            good.append(cell)
        except RecombineError as error:
            failed[cell.name] = str(error)
    if loop.over:
        return None
    results: dict[str, Any] = {}
    if good:
        trained = train_stack(loop, name, good)
        if trained is None:
            return None
        write_whole(loop.work / f"{name}.npz", packed(predict_parts(loop, trained.stack, good, parts)))
        for cell in good:
            broken = broken_at(trained.curves[cell.name]) is not None
            results[cell.name] = {
                "state": "failed" if broken else "done",
                **({"error": f"cell {cell.name}: the loss is not a number"} if broken else {}),
                "steps": trained.stack.step,
                "seconds": trained.seconds / len(good),
                "replicas": len(good),
                "curve": trained.curves[cell.name],
            }
    return _store(loop, name, results, failed)


def _store(loop: Loop, name: str, results: dict[str, Any], failed: dict[str, str]) -> dict[str, Any]:
    """Keep the results of a stack, and report the cells that failed."""
    for cell, message in failed.items():
        loop.warn(message)
        results[cell] = {"state": "failed", "error": message}
    write_whole(loop.work / f"{name}.json", json.dumps(results).encode())
    clear_checkpoints(loop, name)
    return results


def predict_parts(loop: Loop, stack: Stack, cells: list[ExportedCell], parts: Sequence[str]) -> dict[str, Any]:
    """Predictions by `CELL/PART`."""
    predictions: dict[str, Any] = {}
    for part in parts:
        rows = [loop.study.splits[cell.split].get(part, np.zeros(0, dtype=np.int64)) for cell in cells]
        tables = stack.predict(rows, loop.study.target.shape[1])
        kind = np.uint8 if len(loop.study.vocabulary) <= 256 else np.uint16
        predictions.update(
            {f"{cell.name}/{part}": table.astype(kind) for cell, table in zip(cells, tables, strict=True)}
        )
    return predictions


def write_results(loop: Loop, out: Path, model: str) -> None:
    """What the stacks of a model left in WORK, as two files."""
    records: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    # By the whole name: a model's name may begin with another's and a number.
    stacks = re.compile(re.escape(model) + r"-\d+[ab]*\.json")
    for path in sorted(path for path in loop.work.iterdir() if stacks.fullmatch(path.name)):
        records.update(json.loads(path.read_text()))
        if path.with_suffix(".npz").exists():
            arrays.update(unpacked(path.with_suffix(".npz")))
    if not records:
        return
    kind = np.uint8 if len(loop.study.vocabulary) <= 256 else np.uint16
    write_whole(out / f"{model}.npz", packed({name: array.astype(kind) for name, array in arrays.items()}))
    record = {"device": device_name(loop.device), "torch": torch.__version__, "cells": records}
    write_whole(out / f"{model}.json", json.dumps(record, indent=1).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
