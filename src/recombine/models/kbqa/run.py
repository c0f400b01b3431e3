"""Trains and asks the cells of an exported folder, in pieces if need be. Needs numpy and torch, and for a pretrained
encoder transformers.

    python -m recombine.models.kbqa.run FOLDER --out DIR --work DIR --minutes 9 [--processes N] [--cells TEXT,TEXT]

Cells that differ in how they answer share one training, which is kept in WORK under its key. Checkpoints and finished
cells go to WORK; when the minutes are over, training stops after a checkpoint, and the same command goes on from there,
also after the process was killed. Several processes take one training each. What goes wrong in a cell, memory that is
short among it, is that cell's failure, and the others go on. OUT gets `predictions.jsonl.gz` (by cell, the form of each
of its test rows) and `results.json` (what happened). Exit code 0: all done; 1: cells failed; 3: time was over.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import make_folder, write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.exported_folder import failure_reason, folder_parser, wait_for_all
from recombine.models.kbqa.answered import answered
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, read_study
from recombine.models.kbqa.claimed import claimed
from recombine.models.kbqa.kbqa_settings import SCRATCH, KbqaSettings
from recombine.models.kbqa.kept_training import TrainedRecord, Training, kept_training
from recombine.models.kbqa.training_key import training_key
from recombine.models.seq2seq.training.checkpoint import load_checkpoint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RESERVE = 20.0
"""Seconds kept for a checkpoint and writing."""
FORM = "recombine-kbqa-results/1"
RESULTS, PREDICTIONS = "results.json", "predictions.jsonl.gz"
DONE, FAILED = "done", "failed"
ALL_DONE, SOME_FAILED, TIME_OVER = 0, 1, 3


@dataclass
class Run:
    """What all cells of a run share."""

    folder: Path
    study: KbqaStudy
    work: Path
    device: str
    deadline: float
    pause: float = 60.0
    encoders: Mapping[str, str] = field(default_factory=dict)
    """Places of encoders by their kind, where they are not where the folder says."""
    before: str = ""
    """What stands before each message."""

    @property
    def over(self) -> bool:
        """Whether time is over."""
        return time.monotonic() >= self.deadline

    def say(self, message: str) -> None:
        """Say something of how it goes."""
        print(f"{self.before}{message}", flush=True)

    # -- what a cell is -------------------------------------------------------------------------------------------

    def settings(self, cell: KbqaCell) -> KbqaSettings:
        """The settings of a cell."""
        return KbqaSettings.from_dict({**self.study.settings, **cell.settings})

    def encoder_files(self, settings: KbqaSettings) -> Path | None:
        """The file or directory of an encoder on this machine."""
        if settings.encoder_kind == SCRATCH:
            return None
        path = Path(self.encoders.get(settings.encoder_kind, settings.encoder_path))
        places = [self.folder / path, path]
        there = next((place for place in places if place.exists()), None)
        if there is None:
            problem = f"{path}: the encoder is neither there nor in {self.folder}"
            raise InputFileError(problem, f"say where with --encoder {settings.encoder_kind}=PATH")
        return there

    def key(self, cell: KbqaCell) -> str:
        """The key of the training of a cell."""
        ids = self.study.questions[cell.train_questions].ids
        train, dev = (
            [ids[row] for row in self.study.rows[name].tolist()] if name else [] for name in (cell.train, cell.dev)
        )
        before = self.start(cell)
        start = before if isinstance(before, str) else "" if before is None else self.key(before)
        data = f"{self.study.notes.get('data', '')}/{cell.train_questions}/{start}"
        return training_key(self.settings(cell).to_dict(), seed=cell.seed, train=train, dev=dev, data=data)

    def start(self, cell: KbqaCell) -> KbqaCell | str | None:
        """The cell whose weights a training begins with, or the name of a file of weights."""
        if not cell.start or cell.start.endswith(".safetensors"):
            return cell.start or None
        other = next((each for each in self.study.cells if each.name == cell.start), None)
        if other is None or other is cell:
            raise OptionError(f"cell {cell.name}: there is no cell {cell.start!r} to start from", "export again")
        return other

    def training(self, cell: KbqaCell, start: Mapping[str, Any] | None = None) -> Training:
        """The training of a cell, which may start from weights."""
        questions, settings = self.study.questions[cell.train_questions], self.settings(cell)
        return Training(
            self.study.schema,
            questions.take(self.study.rows[cell.train] if cell.train else []),
            questions.take(self.study.rows[cell.dev] if cell.dev else []),
            settings,
            cell.seed,
            self.device,
            self.encoder_files(settings),
            start,
        )

    def result(self, cell: KbqaCell) -> Path:
        """The file of a cell's result."""
        return self.work / "cells" / f"{hashlib.blake2b(cell.name.encode(), digest_size=16).hexdigest()}.json"

    def finished(self, cell: KbqaCell) -> bool:
        """Whether a cell has a result."""
        return self.result(cell).is_file()


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, train, answer, write."""
    began = time.monotonic()
    options = _parse(arguments)
    deadline = began + options.minutes * 60 - RESERVE
    study = read_study(options.folder)
    for folder in (options.out, options.work, options.work / "cells"):
        make_folder(folder)
    run = Run(
        options.folder,
        study,
        options.work,
        choose_device(options.device),
        deadline,
        options.checkpoint * 60,
        dict(_pairs(options.encoder)),
        options.worker,
    )
    cells = chosen_cells(run.study, options.cells)
    if options.retry and not options.worker:
        _forget_failed(run, cells)
    if options.processes > 1:
        _side_by_side(options, deadline)
    else:
        run_groups(run, cells)
    if not options.worker:
        write_results(run, options.out)
    state = _state(run, cells)
    if not options.worker:
        ended = "time is over" if state == TIME_OVER else "done"
        run.say(f"{_count(run, cells)}; {ended}, {time.monotonic() - began:.0f} s")
    return state


def _parse(arguments: Sequence[str] | None) -> Any:
    parser = folder_parser(__doc__)
    parser.add_argument("--checkpoint", type=float, default=1, help="minutes between checkpoints")
    parser.add_argument("--cells", default="", help="only cells with one of these texts in their name")
    parser.add_argument("--processes", type=int, default=1, help="processes side by side, each with one training")
    parser.add_argument("--encoder", action="append", default=[], metavar="KIND=PATH", help="where an encoder lies")
    parser.add_argument("--retry", action="store_true", help="run failed cells again")
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _pairs(given: Sequence[str]) -> list[tuple[str, str]]:
    pairs = [text.partition("=") for text in given]
    wrong = next((text for text, (_, equals, _) in zip(given, pairs, strict=True) if not equals), None)
    if wrong is not None:
        raise OptionError(f"--encoder {wrong} names no place", "write KIND=PATH, such as pretrained=models/bert")
    return [(kind, path) for kind, _, path in pairs]


def chosen_cells(study: KbqaStudy, texts: str) -> list[KbqaCell]:
    """The cells with one of some texts in their names; all where there is none."""
    wanted = [each for each in texts.split(",") if each]
    cells = [cell for cell in study.cells if not wanted or any(text in cell.name for text in wanted)]
    if not cells:
        raise OptionError(f"no cell has {texts} in its name", "see study.json")
    return cells


# -- one process --------------------------------------------------------------------------------------------------


def run_groups(run: Run, cells: Sequence[KbqaCell]) -> None:
    """Train and ask, as far as time allows; what another process is at work on is left to it."""
    groups: dict[str, list[KbqaCell]] = {}
    for cell in cells:
        try:
            groups.setdefault(run.key(cell), []).append(cell)
        except RecombineError as error:
            _store(run, cell, {"state": FAILED, "error": f"cell {cell.name}: {error}"})
    for key, members in groups.items():
        if run.over or all(map(run.finished, members)):
            continue
        with claimed(run.work / key, lambda: False) as held:
            if held:
                run_group(run, key, [cell for cell in members if not run.finished(cell)])


def run_group(run: Run, key: str, cells: Sequence[KbqaCell]) -> None:
    """One training, and the answers of all cells that share it."""
    if not cells:  # another process finished them just before
        return
    try:
        made = _trained(run, key, cells[0])
    except Exception as error:  # whatever goes wrong is these cells' failure
        for cell in cells:
            _fail(run, cell, error)
        return
    if made is None:
        return
    net, record = made
    for cell in cells:
        if run.over:
            return
        try:
            _ask(run, key, cell, net, record)
        except Exception as error:
            _fail(run, cell, error)


def _trained(run: Run, key: str, cell: KbqaCell) -> tuple[Any, TrainedRecord] | None:
    """The network of a cell, after that of the cell that it starts from; none where time is over."""
    before, start = run.start(cell), None
    if isinstance(before, str):
        start = load_checkpoint(run.folder / before)[0]
    elif before is not None:
        with claimed(run.work / run.key(before), lambda: not run.over) as held:
            made = _trained(run, run.key(before), before) if held else None
        if made is None:
            return None
        start = made[0].state()
    return kept_training(
        run.work / key,
        run.training(cell, start),
        deadline=run.deadline,
        pause=run.pause,
        say=lambda message: run.say(f"{cell.name}: {message}"),
    )


def _ask(run: Run, key: str, cell: KbqaCell, net: Any, record: TrainedRecord) -> None:
    began = time.monotonic()
    questions = run.study.questions[cell.test_questions].take(run.study.rows[cell.test])
    made = answered(net, run.study.schema, questions, run.settings(cell), run.device, run.say)
    seconds = time.monotonic() - began
    run.say(f"{cell.name}: {len(made.texts):,} answers in {seconds:.1f} s, {made.counts}")
    said = {
        "state": DONE,
        "training": key,
        "curve": record.curve,
        "best_epoch": record.best_epoch,
        "steps": record.steps,
        "added_items": record.added_items,
        "left_out": record.left_out,
        "training_seconds": round(record.seconds, 2),
        "seconds": round(seconds, 2),
        "counts": made.counts,
        "outputs": made.texts,
        **({"beams": made.beams} if made.beams else {}),
    }
    _store(run, cell, said)


def _fail(run: Run, cell: KbqaCell, error: Exception) -> None:
    """Keep why a cell failed."""
    reason = failure_reason(error, "batch or chunk")
    torch.cuda.empty_cache()
    run.say(f"error: cell {cell.name}: {reason}")
    _store(run, cell, {"state": FAILED, "error": f"cell {cell.name}: {reason}"})


def _store(run: Run, cell: KbqaCell, said: Mapping[str, Any]) -> None:
    write_whole(run.result(cell), json.dumps({"cell": cell.name, **said}).encode() + b"\n")


def _forget_failed(run: Run, cells: Sequence[KbqaCell]) -> None:
    for cell in cells:
        if run.finished(cell) and json.loads(run.result(cell).read_bytes())["state"] == FAILED:
            run.result(cell).unlink()


# -- several processes --------------------------------------------------------------------------------------------


def _side_by_side(options: Any, deadline: float) -> None:
    """The same command in several processes, which share out trainings by their locks; wait for all of them."""
    own = [str(options.folder), "--out", str(options.out), "--work", str(options.work)]
    own += ["--checkpoint", str(options.checkpoint), "--cells", options.cells, "--device", options.device]
    own += [part for text in options.encoder for part in ("--encoder", text)]
    minutes = (deadline + RESERVE - time.monotonic()) / 60
    command = [sys.executable, "-m", "recombine.models.kbqa.run", *own, "--minutes", f"{minutes:.4f}"]
    started = []
    for number in range(options.processes):
        started.append(subprocess.Popen([*command, "--worker", f"{number}: "]))  # noqa: S603  # this command again
        time.sleep(0.5)  # so that each finds the first training that nobody has
    wait_for_all(started)


# -- what comes out -----------------------------------------------------------------------------------------------


def write_results(run: Run, out: Path) -> None:
    """What the cells left in WORK, as two files."""
    records: dict[str, Any] = {}
    lines = []
    for cell in run.study.cells:
        if run.finished(cell):
            said = json.loads(run.result(cell).read_bytes())
            given = {name: said.pop(name) for name in ("outputs", "beams") if name in said}
            records[cell.name] = {name: value for name, value in said.items() if name != "cell"}
            if given:
                lines.append(json.dumps({"cell": cell.name, **given}) + "\n")
    write_whole(out / PREDICTIONS, "".join(lines).encode())
    whole = {"form": FORM, "device": device_name(run.device), "torch": torch.__version__, "cells": records}
    write_whole(out / RESULTS, json.dumps(whole, indent=1).encode() + b"\n")


def _state(run: Run, cells: Sequence[KbqaCell]) -> int:
    if not all(map(run.finished, cells)):
        return TIME_OVER
    failed = any(json.loads(run.result(cell).read_bytes())["state"] == FAILED for cell in cells)
    return SOME_FAILED if failed else ALL_DONE


def _count(run: Run, cells: Sequence[KbqaCell]) -> str:
    return f"{sum(map(run.finished, cells))} of {len(cells)} cells have a result"


if __name__ == "__main__":
    sys.exit(main())
