"""Cells for a machine with a GPU and little else: a folder to train from, and its results back into the study.

What comes back is matched to cells by content (pairs, settings, train and test rows, seed), not by name, so a folder
whose study reads otherwise now brings nothing in by mistake. Two splits can have the same rows: of cells that are equal
so, a result goes to the one of its name, and to all of them where none has it. How a family writes its folder and reads
what comes back is in `export_seq2seq`, `export_pictures`, `export_kbqa`, `export_pretrained` and `export_nqg`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError
from recombine.files import read_text
from recombine.models.known import find_family
from recombine.studies.cells.read_record import DONE
from recombine.studies.cells.results import read_result, store_outcome
from recombine.studies.cells.results_folder import claim_folder
from recombine.studies.running.exporters import EXPORTERS, SEQ2SEQ

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan
    from recombine.studies.running.exporters import Exporter

TUNING = "tuning"
WAITS = "wait for what their tuning runs choose: collect those, and export again"


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
        exporter = EXPORTERS[family]
        exporter.write(plan, plan.datasets[data], cells, place)
        folders[str(place)] = len(cells)
        commands[str(place)] = exporter.command.format(place=place, curve=plan.study.curve, sample=plan.study.sample)
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
    exporter = EXPORTERS.get(find_family(cell.model.preset).name)
    travels = exporter is not None and exporter.takes(cell.model.settings)
    return "" if travels else "of a family that is not trained elsewhere"


# -- the way back -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Collected:
    """What came back: new records, cells that had one already, and cells that the study does not have."""

    records: tuple[dict[str, Any], ...]
    done_before: int
    unknown: tuple[str, ...]


def collect_study(plan: Plan, folder: Path, outputs: Path) -> Collected:
    """Score and store the results in `outputs`, which the machine made from the exported `folder`."""
    exporter = find_exporter(folder)
    dataset = exporter.data(plan, folder)
    cells = [cell for cell in _all_cells(plan) if plan.datasets[cell.data] is dataset]
    cells = [cell for cell in cells if find_family(cell.model.preset).name == exporter.family]
    matched, unknown = exporter.returned(cells, dataset, folder, outputs)
    claim_folder(plan.results, plan.study.name)
    records, done_before = [], 0
    for cell, outcome in matched:
        before = read_result(plan.results, cell.key)
        if before is not None and before["state"] == DONE:
            done_before += 1
        else:
            records.append(store_outcome(plan.results, cell, dataset, outcome))
    return Collected(tuple(records), done_before, tuple(unknown))


def _all_cells(plan: Plan) -> list[Cell]:
    """The tuning runs and the cells that a result can come back for."""
    now = plan.with_choices()
    return [*now.tuning_cells(), *(cell for cell in now.cells if not cell.waits)]


def find_exporter(folder: Path) -> Exporter:
    """How the folder of an export was written; one that says nothing of its form holds sequence-to-sequence models."""
    try:
        record = json.loads(read_text(folder / "study.json"))
    except (InputFileError, json.JSONDecodeError):
        record = None
    form = str(record.get("form")) if isinstance(record, dict) else ""
    return next((each for each in EXPORTERS.values() if each.form and form.startswith(each.form)), EXPORTERS[SEQ2SEQ])
