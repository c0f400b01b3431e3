"""Cells for a machine with a GPU and little else: a folder to train from, and its results back into the study.

What comes back is matched to cells by content (pairs, settings, train and test rows, seed), not by name, so a folder
whose study reads otherwise now brings nothing in by mistake. Two splits can have the same rows: of cells that are equal
so, a result goes to the one of its name, and to all of them where none has it.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError
from recombine.files import read_text
from recombine.models.known import find_family
from recombine.models.seq2seq.export import ExportedCell, Study, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.seq2seq_family import FAMILY
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.task import CellOutcome
from recombine.studies.cells.digest import content_key
from recombine.studies.cells.read_record import DONE
from recombine.studies.cells.results import read_result, store_outcome
from recombine.studies.cells.results_folder import claim_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan


PICTURES, TUNING = "pictures", "tuning"
WAITS = "wait for what their tuning runs choose: collect those, and export again"
COMMANDS = {
    FAMILY.name: "python -m recombine.models.seq2seq.run {place} --out {place}/out --work {place}/work "
    "--curve {curve} --sample {sample}",
    PICTURES: "python -m recombine.models.pictures.run {place} --out {place}/out --work {place}/work --minutes 9",
}
"""What trains the cells of an exported folder, by the families that can be trained elsewhere."""


@dataclass(frozen=True)
class Exported:
    """What an export wrote, and what it left out with the reason."""

    folders: Mapping[str, int]
    """Folders with their numbers of cells."""
    left_out: Mapping[str, int]
    commands: Mapping[str, str] = field(default_factory=dict)
    """What trains the cells of each folder there."""


def export_study(plan: Plan, folder: Path, *, only: Sequence[str] = ()) -> Exported:
    """Write the cells that are not done; a study of several data sets gets a folder in the folder for each.

    Of a tuned model the tuning runs come first; its cells are written once what came back of those has chosen values.
    Where there are both, of several models, each kind has a folder of its own.
    """
    left_out: dict[str, int] = {}
    chosen: dict[tuple[str, str, str], list[Cell]] = {}
    plan = plan.with_choices()
    for cell in (*plan.tuning_cells(only), *plan.chosen(only)):
        reason = _reason(plan, cell)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
        else:
            kind = "" if cell.recipe.held_back is None else TUNING
            chosen.setdefault((cell.data, find_family(cell.model.preset).name, kind), []).append(cell)
    if not chosen:
        reasons = ", ".join(f"{number} {reason}" for reason, number in left_out.items())
        raise OptionError(f"there is nothing to export: {reasons}", "choose other cells, or another results folder")
    folders, commands = {}, {}
    several = len({family for _, family, _ in chosen}) > 1
    mixed = len({kind for _, _, kind in chosen}) > 1
    for (data, family, kind), cells in chosen.items():
        place = folder if len(plan.datasets) == 1 else folder / data.replace("/", "-")
        place = place / family if several else place
        place = place / (kind or "cells") if mixed else place
        if family == PICTURES:
            from recombine.studies.running.export_pictures import export_pictures

            export_pictures(plan, plan.datasets[data], cells, place)
        else:
            write_study(place, _tensors(plan, plan.datasets[data], cells))
        folders[str(place)] = len(cells)
        commands[str(place)] = COMMANDS[family].format(place=place, curve=plan.study.curve, sample=plan.study.sample)
    return Exported(folders, left_out, commands)


def _reason(plan: Plan, cell: Cell) -> str:
    """Why a cell is not exported; empty where it is."""
    record = read_result(plan.results, cell.key)
    if cell.waits:
        return WAITS
    if record is not None and record["state"] == DONE:
        return "done already" if cell.recipe.held_back is None else "tuning runs done already"
    if record is not None and cell.recipe.held_back is not None:
        return "tuning runs that failed, whose values are out"
    if cell.problem:
        return "cannot be run"
    return "" if find_family(cell.model.preset).name in COMMANDS else "of a family that is not trained elsewhere"


def _tensors(plan: Plan, dataset: Dataset, cells: Sequence[Cell]) -> Study:
    splits = {cell.recipe.name: _rows(cell, dataset) for cell in cells}
    models = {cell.model.name: Seq2SeqSettings.from_dict(cell.model.settings) for cell in cells}
    signatures = {cell.recipe.name: str(cell.split and cell.split.signature) for cell in cells}
    return make_study(
        _pairs(dataset),
        splits,
        models,
        [ExportedCell(cell.name, cell.model.name, cell.recipe.name, cell.seed) for cell in cells],
        {"study": plan.study.name, "data": str(dataset), "splits": signatures, "unseen": cells[0].unseen},
    )


def _pairs(dataset: Dataset) -> list[tuple[str, str]]:
    return list(zip(dataset.texts("source"), dataset.texts("target"), strict=True))


def _rows(cell: Cell, dataset: Dataset) -> dict[str, list[int]]:
    if cell.split is None:
        raise OptionError(cell.problem, "leave it out")
    return {"train": cell.split.positions(dataset, "train"), "test": cell.split.positions(dataset, cell.recipe.part)}


# -- the way back -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Collected:
    """What came back: new records, cells that had one already, and cells that the study does not have."""

    records: tuple[dict[str, Any], ...]
    done_before: int
    unknown: tuple[str, ...]


def collect_study(plan: Plan, folder: Path, outputs: Path) -> Collected:
    """Score and store the results in `outputs`, which the machine made from the exported `folder`."""
    if is_of_pictures(folder):
        return _collect_pictures(plan, folder, outputs)
    exported = read_study(folder)
    dataset = _same_data(plan, exported, folder)
    cells = _by_content(plan, dataset)
    claim_folder(plan.results, plan.study.name)
    records, unknown, done_before = [], [], 0
    outcomes = _outcomes(exported, outputs)
    for exported_cell in exported.cells:
        if exported_cell.name not in outcomes:
            continue
        equal = cells.get(_exported_content(exported, exported_cell), [])
        if not equal:
            unknown.append(exported_cell.name)
        for cell in [c for c in equal if c.name == exported_cell.name] or equal:
            before = read_result(plan.results, cell.key)
            if before is not None and before["state"] == DONE:
                done_before += 1
            else:
                records.append(store_outcome(plan.results, cell, dataset, outcomes[exported_cell.name]))
    return Collected(tuple(records), done_before, tuple(unknown))


def is_of_pictures(folder: Path) -> bool:
    """Whether a folder holds cells of picture models; one that says nothing of its form does not."""
    try:
        record = json.loads(read_text(folder / "study.json"))
    except (InputFileError, json.JSONDecodeError):
        return False
    return isinstance(record, dict) and str(record.get("form")).startswith("recombine-pictures/")


def _collect_pictures(plan: Plan, folder: Path, outputs: Path) -> Collected:
    from recombine.studies.running.export_pictures import exported_data, returned

    dataset = exported_data(plan, folder)
    cells = [cell for cell in _all_cells(plan) if plan.datasets[cell.data] is dataset]
    cells = [cell for cell in cells if find_family(cell.model.preset).name == PICTURES]
    matched, unknown = returned(cells, dataset, folder, outputs)
    claim_folder(plan.results, plan.study.name)
    records, done_before = [], 0
    for cell, outcome in matched:
        before = read_result(plan.results, cell.key)
        if before is not None and before["state"] == DONE:
            done_before += 1
        else:
            records.append(store_outcome(plan.results, cell, dataset, outcome))
    return Collected(tuple(records), done_before, tuple(unknown))


def _same_data(plan: Plan, exported: Study, folder: Path) -> Dataset:
    for dataset in plan.datasets.values():
        if len(dataset) == len(exported.source):
            made = make_study(_pairs(dataset), {}, {}, [])
            if np.array_equal(made.source, exported.source) and np.array_equal(made.target, exported.target):
                return dataset
    raise InputFileError(f"{folder}: its data is not that of {plan.study.name}", "give the folder of this study")


def _all_cells(plan: Plan) -> list[Cell]:
    """The tuning runs and the cells that a result can come back for."""
    now = plan.with_choices()
    return [*now.tuning_cells(), *(cell for cell in now.cells if not cell.waits)]


def _by_content(plan: Plan, dataset: Dataset) -> dict[str, list[Cell]]:
    """The cells of a data set, those of the same content together."""
    cells: dict[str, list[Cell]] = {}
    for cell in _all_cells(plan):
        if plan.datasets[cell.data] is dataset and cell.split is not None:
            cells.setdefault(_content(cell, dataset), []).append(cell)
    return cells


def _content(cell: Cell, dataset: Dataset) -> str:
    return content_key({"settings": dict(cell.model.settings), "seed": cell.seed, **_rows(cell, dataset)})


def _exported_content(study: Study, cell: ExportedCell) -> str:
    rows = {part: study.splits[cell.split][part].tolist() for part in ("train", "test")}
    factor = {} if cell.factor == 1 else {"factor": cell.factor}
    return content_key({"settings": study.models[cell.model].to_dict(), "seed": cell.seed, **rows, **factor})


def _outcomes(study: Study, outputs: Path) -> dict[str, CellOutcome]:
    """The outcomes by name in the files of a folder."""
    paths = sorted(path for path in outputs.glob("*.json") if path.name != "study.json")
    if not paths:
        raise InputFileError(f"{outputs}: has no results", "name the folder that was given as --out")
    outcomes: dict[str, CellOutcome] = {}
    for path in paths:
        try:
            outcomes |= _outcomes_of(study, json.loads(read_text(path)), path)
        except json.JSONDecodeError as error:
            raise InputFileError(f"{path}: broken JSON ({error.msg})", "copy it again") from None
        except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
            problem = f"not results of this form ({type(error).__name__}: {error})"
            raise InputFileError(f"{path}: {problem}", "copy it again, or train again") from None
    return outcomes


def _outcomes_of(study: Study, record: Mapping[str, Any], path: Path) -> dict[str, CellOutcome]:
    """The outcomes by name in one file, with the predictions beside it."""
    arrays = unpacked(path.with_suffix(".npz"))
    outcomes: dict[str, CellOutcome] = {}
    for name, cell in record["cells"].items():
        curve = tuple(
            (step, loss if math.isfinite(loss) else None, share) for step, loss, share in cell.get("curve", ())
        )
        notes = {"steps": cell.get("steps"), "device": record["device"], "torch": record["torch"]}
        error = str(cell.get("error", "failed")) if cell["state"] != DONE else ""
        if not error and f"{name}/test" not in arrays:
            raise InputFileError(
                f"{path.with_suffix('.npz')}: the predictions of {name} are missing", "copy it again, or train again"
            )
        rows = [] if error else arrays[f"{name}/test"].tolist()
        texts = tuple(" ".join(study.vocabulary[s] for s in row if s > 1) for row in rows)
        outcomes[name] = CellOutcome(texts, curve, notes, float(cell.get("seconds", 0.0)), error)
    return outcomes
