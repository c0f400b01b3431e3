"""Trains the cells of an exported folder, in pieces if need be.

    python -m recombine.models.seq2seq.run FOLDER --out DIR --work DIR --minutes 9 [--model NAME] [--cells TEXT]

Cells of one model are trained together in stacks. Checkpoints and finished parts go to WORK, a checkpoint every few
minutes, the last two kept; when the minutes are over, training stops after one. The same command goes on from there,
also after the process was killed. OUT gets, for each model, predictions
(`NAME.npz`, symbols by cell and part) and what happened (`NAME.json`: state, loss and accuracy along the way). Exit
code 0: all done; 3: time was over.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import InputFileError, RecombineError
from recombine.files import write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.export import ExportedCell, Study, packed, read_study, unpacked
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.models.seq2seq.training.train import Replica, Stack

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECK = 250
"""Steps between looks at the clock."""
RESERVE = 25.0
"""Seconds kept for predictions, a checkpoint and writing."""


@dataclass(frozen=True)
class Job:
    """What all stacks of a run share."""

    study: Study
    work: Path
    device: str
    deadline: float
    curve: int
    sample: int
    parts: tuple[str, ...] = ("test",)
    pause: float = 300.0
    """Seconds between checkpoints."""


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
    parts, pause = tuple(options.parts.split(",")), options.checkpoint * 60
    job = Job(study, options.work, device, deadline, options.curve, options.sample, parts, pause)
    done = True
    for model in study.models:
        if options.model and options.model != model:
            continue
        cells = [c for c in study.cells if c.model == model and options.cells in c.name]
        stacks = [cells[i : i + options.stack] for i in range(0, len(cells), options.stack)]
        for number, stack in enumerate(stacks):
            done &= run_stack(job, f"{model}-{number}".replace(":", "-"), stack)
        write_results(job, options.out, model.replace(":", "-"))
    print(f"{'done' if done else 'time is over'}, {time.monotonic() - began:.0f} s", flush=True)
    return 0 if done else 3


def _parse(arguments: Sequence[str] | None) -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--checkpoint", type=float, default=5, help="minutes between checkpoints")
    parser.add_argument("--model", default="")
    parser.add_argument("--cells", default="", help="only cells with this in their name")
    parser.add_argument("--stack", type=int, default=64, help="most replicas trained together")
    parser.add_argument("--curve", type=int, default=2500, help="steps between accuracies on a sample")
    parser.add_argument("--sample", type=int, default=128, help="examples of that sample")
    parser.add_argument("--parts", default="test")
    parser.add_argument("--device", default="")
    parser.add_argument("--plain", default="", help="fused kernels not to use, such as attention,cell")
    return parser.parse_args(arguments)


def run_stack(job: Job, name: str, cells: list[ExportedCell]) -> bool:
    """Train one stack as far as time allows; whether it is finished. A cell that fails is reported and left out."""
    if (job.work / f"{name}.json").exists():
        return True
    good, failed = [], {}
    for cell in cells:
        try:
            job.study.check(cell)
            good.append(cell)
        except RecombineError as error:
            failed[cell.name] = str(error)
    if time.monotonic() > job.deadline:
        return False
    results: dict[str, Any] | None = {}
    try:
        results = train_stack(job, name, good) if good else {}
        fits = True
    except torch.OutOfMemoryError:
        fits = False
    if not fits:  # out of the handler, whose error holds on to the stack
        gc.collect()
        torch.cuda.empty_cache()
        if len(good) > 1:
            print(f"{name}: out of memory with {len(good)} replicas, going on with halves", flush=True)
            half = len(cells) // 2
            return run_stack(job, f"{name}a", cells[:half]) & run_stack(job, f"{name}b", cells[half:])
        failed[good[0].name] = f"cell {good[0].name}: out of memory; lower batch_tokens or take another device"
    if results is None:
        return False
    for broken, message in failed.items():
        print(f"error: {message}", file=sys.stderr, flush=True)
        results[broken] = {"state": "failed", "error": message}
    write_whole(job.work / f"{name}.json", json.dumps(results).encode())
    for path in _checkpoints(job, name):
        path.unlink(missing_ok=True)
    return True


def train_stack(job: Job, name: str, cells: list[ExportedCell]) -> dict[str, Any] | None:
    """The results of each cell, or none where time was over."""
    study, settings = job.study, job.study.models[cells[0].model]
    replicas = [Replica(c.name, study.splits[c.split]["train"], c.seed, c.factor) for c in cells]
    stack = Stack(settings, replicas, study.source, study.target, len(study.vocabulary), device=job.device)
    curves, seconds = resume(job, name, stack, cells)
    began, first = time.monotonic(), stack.step
    saved = began
    while stack.step < settings.steps:
        stack.train(min(settings.steps, *((stack.step // every + 1) * every for every in (CHECK, job.curve))))
        if stack.step % job.curve == 0 or stack.step == settings.steps:
            note_curves(job, stack, cells, curves)
        elif job.device == "cuda":
            torch.cuda.synchronize()
        now = time.monotonic()
        over = now > job.deadline and stack.step < settings.steps
        if over or now - saved >= job.pause:
            keep(job, name, stack, curves, seconds + now - began)
            saved = now
        if over:
            print(f"{name}: stopped at step {stack.step}", flush=True)
            return None
    seconds += time.monotonic() - began
    pace = 1000 * (time.monotonic() - began) / max(1, stack.step - first) / len(cells)
    print(f"{name}: {len(cells)} replicas, {seconds:.0f} s, {pace:.3f} ms a replica-step", flush=True)
    predictions = predict_parts(job, stack, cells)
    write_whole(job.work / f"{name}.npz", packed(predictions))
    return {
        cell.name: {
            "state": "failed" if _broken(curves[cell.name]) else "done",
            **({"error": f"cell {cell.name}: the loss is not a number"} if _broken(curves[cell.name]) else {}),
            "steps": stack.step,
            "seconds": seconds / len(cells),
            "replicas": len(cells),
            "curve": curves[cell.name],
        }
        for cell in cells
    }


def _checkpoints(job: Job, name: str) -> tuple[Path, Path]:
    """Where the last checkpoint of a stack is, and the one before."""
    return job.work / f"{name}.safetensors", job.work / f"{name}.before.safetensors"


def keep(job: Job, name: str, stack: Stack, curves: dict[str, list[Any]], seconds: float) -> None:
    """Write a checkpoint; the last one becomes the one before."""
    last, before = _checkpoints(job, name)
    if last.exists():
        last.replace(before)
    save_checkpoint(last, stack.state(), {"curves": json.dumps(curves), "seconds": str(seconds)})


def resume(job: Job, name: str, stack: Stack, cells: list[ExportedCell]) -> tuple[dict[str, list[Any]], float]:
    """Bring a stack to its last whole checkpoint; its curves and seconds so far."""
    for left in job.work.glob(f".{name}.safetensors.*"):  # of a process that was killed while it wrote
        left.unlink()
    problem: InputFileError | None = None
    for path in _checkpoints(job, name):
        if not path.exists():
            continue
        try:
            tensors, metadata = load_checkpoint(path)
        except InputFileError as error:
            problem = error
            print(f"error: {error}", file=sys.stderr, flush=True)
            continue
        stack.load_state(tensors)
        print(f"{name}: going on from step {stack.step}", flush=True)
        return json.loads(metadata["curves"]), float(metadata["seconds"])
    if problem is not None:
        raise problem
    return {cell.name: [] for cell in cells}, 0.0


def _broken(curve: list[Any]) -> bool:
    return any(not np.isfinite(loss) for _, loss, _ in curve)


def note_curves(job: Job, stack: Stack, cells: list[ExportedCell], curves: dict[str, list[Any]]) -> None:
    """Add step, mean loss and accuracy on a sample of the test part to each cell's curve; report what broke."""
    losses = stack.take_losses()
    rows = [job.study.splits[cell.split]["test"][: job.sample] for cell in cells]
    gold = job.study.target
    predictions = stack.predict(rows, gold.shape[1])
    shares = [float((p == gold[r]).all(1).mean()) for p, r in zip(predictions, rows, strict=True)]
    for cell, loss, share in zip(cells, losses, shares, strict=True):
        if not np.isfinite(loss) and not _broken(curves[cell.name]):
            print(
                f"error: cell {cell.name}: the loss is not a number at step {stack.step}", file=sys.stderr, flush=True
            )
        curves[cell.name].append((stack.step, loss, share))
    print(f"step {stack.step}: loss {np.mean(losses):.4f}, accuracy {' '.join(f'{s:.2f}' for s in shares)}", flush=True)


def predict_parts(job: Job, stack: Stack, cells: list[ExportedCell]) -> dict[str, Any]:
    """Predictions by `CELL/PART`."""
    predictions: dict[str, Any] = {}
    for part in job.parts:
        rows = [job.study.splits[cell.split].get(part, np.zeros(0, dtype=np.int64)) for cell in cells]
        tables = stack.predict(rows, job.study.target.shape[1])
        kind = np.uint8 if len(job.study.vocabulary) <= 256 else np.uint16
        predictions.update(
            {f"{cell.name}/{part}": table.astype(kind) for cell, table in zip(cells, tables, strict=True)}
        )
    return predictions


def write_results(job: Job, out: Path, model: str) -> None:
    """What the stacks of a model left in WORK, as two files."""
    records: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    # By the whole name: a model's name may begin with another's and a number.
    stacks = re.compile(re.escape(model) + r"-\d+[ab]*\.json")
    for path in sorted(path for path in job.work.iterdir() if stacks.fullmatch(path.name)):
        records.update(json.loads(path.read_text()))
        if path.with_suffix(".npz").exists():
            arrays.update(unpacked(path.with_suffix(".npz")))
    if not records:
        return
    kind = np.uint8 if len(job.study.vocabulary) <= 256 else np.uint16
    write_whole(out / f"{model}.npz", packed({name: array.astype(kind) for name, array in arrays.items()}))
    record = {"device": device_name(job.device), "torch": torch.__version__, "cells": records}
    write_whole(out / f"{model}.json", json.dumps(record, indent=1).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
