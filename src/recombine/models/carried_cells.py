"""Cells of an exported folder, trained on a machine with torch and little else, one after another or side by side.

    python -m recombine.models.FAMILY.run FOLDER --out DIR --work DIR --minutes 9 [--processes N] [--cells TEXT,TEXT]

What a cell is and how it is trained is its family's (`run.py` there). Finished cells and checkpoints go to WORK, and
the same command goes on from there; no cell is begun after the minutes are over. What goes wrong in a cell is its
failure, and the others go on. OUT gets `results.json` and, by cell, `predictions.jsonl.gz` or `arrays.npz`, after each
cell of the first process and at the end. Exit code 0: all done; 1: cells failed; 3: time was over.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from recombine.errors import InputFileError, OptionError
from recombine.files import make_folder, read_bytes, read_text, write_whole
from recombine.models.device import choose_device, device_name
from recombine.models.exported_folder import failure_reason, folder_parser, wait_for_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

STUDY, RESULTS, PREDICTIONS, ARRAYS = "study.json", "results.json", "predictions.jsonl.gz", "arrays.npz"
FORM = "recombine-carried-results/1"
ALL_DONE, SOME_FAILED, TIME_OVER = 0, 1, 3
DONE, FAILED = "done", "failed"


@dataclass(frozen=True)
class CarriedCell:
    """One cell of a folder, as its family trains it."""

    folder: Path
    study: Mapping[str, Any]
    """All that `study.json` says."""
    own: Mapping[str, Any]
    """What it says of this cell: name, seed, settings and more."""
    work: Path
    """A folder for its checkpoints."""
    device: str
    encoder: Path | None
    """Where the encoder lies, where it is not where the folder says."""


@dataclass(frozen=True)
class Trained:
    """What is carried back of a cell: fields of its result, and outputs or arrays."""

    said: Mapping[str, Any]
    outputs: Sequence[str] | None = None
    arrays: Mapping[str, NDArray[Any]] | None = None


def run_folder(module: str, train: Callable[[CarriedCell], Trained], arguments: Sequence[str] | None = None) -> int:
    """Read the command line, train, write; `module` is what is run again where there are several processes."""
    began = time.monotonic()
    options = _parse(arguments)
    study = read_folder(options.folder)
    cells = chosen_cells(study, options.cells)
    for place in (options.out, options.work, options.work / "cells"):
        make_folder(place)
    if options.processes > 1:
        _side_by_side(module, options)
    else:
        first, step = map(int, options.worker.split("/")) if options.worker else (0, 1)
        for own in cells[first::step]:
            if time.monotonic() - began > options.minutes * 60:
                break
            if not _result(options.work, own["name"]).is_file():
                _train(train, study, own, options)
                if not first:
                    write_results(study, options)
    if not options.worker:
        write_results(study, options)
    states = [_read(options.work, own["name"]).get("state") for own in cells]
    done = sum(state is not None for state in states)
    print(f"{done} of {len(cells)} cells have a result, {time.monotonic() - began:.0f} s", flush=True)
    return TIME_OVER if done < len(cells) else SOME_FAILED if FAILED in states else ALL_DONE


def _parse(arguments: Sequence[str] | None) -> Any:
    parser = folder_parser(__doc__)
    parser.add_argument("--cells", default="", help="only cells with one of these texts in their name")
    parser.add_argument("--processes", type=int, default=1, help="processes side by side, each with its share of cells")
    parser.add_argument("--encoder", type=Path, help="where the encoder lies, if not in the folder")
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def read_folder(folder: Path) -> dict[str, Any]:
    """What `study.json` of a folder says."""
    try:
        study = json.loads(read_text(folder / STUDY))
        if not isinstance(study, dict) or not all("name" in own for own in study["cells"]):
            raise ValueError("no cells with names")
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder / STUDY}: not an exported folder ({error})", "export again") from None
    return study


def chosen_cells(study: Mapping[str, Any], texts: str) -> list[dict[str, Any]]:
    """The cells with one of some texts in their names; all where there is none."""
    wanted = [each for each in texts.split(",") if each]
    cells = [own for own in study["cells"] if not wanted or any(text in own["name"] for text in wanted)]
    if not cells:
        raise OptionError(f"no cell has {texts} in its name", f"see {STUDY}")
    return cells


def encoder_place(cell: CarriedCell) -> str:
    """Where the encoder of a cell lies on this machine; empty where it has none."""
    if not cell.own.get("encoder"):
        return ""
    place = cell.encoder or cell.folder / cell.own["encoder"]
    if not place.is_dir():
        raise InputFileError(f"{place}: the encoder is not there", "say where with --encoder PATH")
    return str(place)


# -- one process --------------------------------------------------------------------------------------------------


def _train(
    train: Callable[[CarriedCell], Trained], study: Mapping[str, Any], own: dict[str, Any], options: Any
) -> None:
    """Train a cell and keep its result, whatever it is."""
    name, began = own["name"], time.monotonic()
    work = make_folder(options.work / _digest(name))
    cell = CarriedCell(options.folder, study, own, work, choose_device(options.device), options.encoder)
    try:
        made = train(cell)
    except Exception as error:  # whatever goes wrong is this cell's failure
        made = Trained({"state": FAILED, "error": f"cell {name}: {failure_reason(error, 'the batch')}"})
    seconds = round(time.monotonic() - began, 2)
    if made.arrays is not None:
        write_whole(_result(options.work, name).with_suffix(".npz"), _packed(made.arrays))
    said = {"cell": name, "state": DONE, "seconds": seconds, **made.said}
    if made.outputs is not None:
        said["outputs"] = list(made.outputs)
    write_whole(_result(options.work, name), json.dumps(said).encode() + b"\n")
    print(f"{name}: {said.get('error') or said['state']}, {seconds:.1f} s", flush=True)


def _digest(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def _result(work: Path, name: str) -> Path:
    return work / "cells" / f"{_digest(name)}.json"


def _read(work: Path, name: str) -> dict[str, Any]:
    path = _result(work, name)
    said: dict[str, Any] = json.loads(path.read_bytes()) if path.is_file() else {}
    return said


def _packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    stream = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez_compressed(stream, **named)
    return stream.getvalue()


def write_results(study: Mapping[str, Any], options: Any) -> None:
    """What the cells left in WORK, in a few files."""
    import torch

    records: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    lines = []
    for own in study["cells"]:
        name = own["name"]
        said = _read(options.work, name)
        if not said:
            continue
        if "outputs" in said:
            lines.append(json.dumps({"cell": name, "outputs": said.pop("outputs")}) + "\n")
        path = _result(options.work, name).with_suffix(".npz")
        if path.is_file():
            with np.load(path, allow_pickle=False) as file:
                arrays |= {f"{_digest(name)}/{key}": file[key] for key in file.files}
        records[name] = {key: value for key, value in said.items() if key != "cell"}
    if lines:
        write_whole(options.out / PREDICTIONS, "".join(lines).encode())
    if arrays:
        write_whole(options.out / ARRAYS, _packed(arrays))
    where = {"device": device_name(choose_device(options.device)), "torch": torch.__version__}
    whole = {"form": FORM, **where, "cells": records}
    write_whole(options.out / RESULTS, json.dumps(whole, indent=1).encode() + b"\n")


def returned_arrays(outputs: Path, name: str) -> dict[str, NDArray[Any]]:
    """The arrays that came back of a cell; none where it has none."""
    path, before = outputs / ARRAYS, f"{_digest(name)}/"
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
            return {key.removeprefix(before): file[key] for key in file.files if key.startswith(before)}
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise InputFileError(f"{path}: cannot be read ({error})", "copy it again") from None


def returned_outputs(outputs: Path) -> dict[str, list[str]]:
    """The outputs that came back, by cell."""
    path = outputs / PREDICTIONS
    try:
        rows = [json.loads(line) for line in read_text(path).splitlines()]
        return {str(row["cell"]): [str(text) for text in row["outputs"]] for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{path}: not predictions of this form ({error})", "copy it again") from None


# -- several processes --------------------------------------------------------------------------------------------


def _side_by_side(module: str, options: Any) -> None:
    """The same command in several processes, each with every so-many-th cell; wait for all of them."""
    own = [str(options.folder), "--out", str(options.out), "--work", str(options.work), "--cells", options.cells]
    own += ["--minutes", str(options.minutes), "--device", options.device]
    own += [] if options.encoder is None else ["--encoder", str(options.encoder)]
    command = [sys.executable, "-m", module, *own, "--worker"]
    environment = {"OMP_NUM_THREADS": "1", **os.environ}  # or all of them would have a thread for each core
    started = [
        subprocess.Popen([*command, f"{number}/{options.processes}"], env=environment)  # noqa: S603  # this command again
        for number in range(options.processes)
    ]
    wait_for_all(started)
