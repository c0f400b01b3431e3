"""Cells of fine-tuned checkpoints for a machine with a GPU and little else, and their outputs back into the study."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.files import write_whole
from recombine.models.carried_cells import PREDICTIONS, returned_outputs
from recombine.models.pretrained.pretrained_family import check_files
from recombine.models.pretrained.run import PAIRS
from recombine.studies.running.carried_folder import CarriedFolder, carried_data, carried_notes, returned_cells
from recombine.studies.running.returned_results import read_outcome, read_results

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.models.task import CellOutcome
    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

FORM = "recombine-pretrained-cells/1"
_NOTES = ("steps", "transformers", "counted")

data_of_pretrained = carried_data


def export_pretrained(plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
    """Write a folder with all that some cells of one data set need."""
    made = CarriedFolder(folder, FORM, plan, dataset)
    for cell in cells:
        check_files(cell.model.settings)
        made.add(cell, cell.model.settings["checkpoint"], cell.model.settings["digest"])
    pairs = list(zip(dataset.texts("source"), dataset.texts("target"), strict=True))
    write_whole(folder / PAIRS, json.dumps(pairs).encode())
    made.close()


def returned_pretrained(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
    """The cells that a result came back for, with it, and the names of results that are of no cell."""
    results, predictions = read_results(outputs), returned_outputs(outputs)
    matched: list[tuple[Cell, CellOutcome]] = []
    unknown: list[str] = []
    for own, equal in returned_cells(cells, dataset, folder, results, unknown):
        outcome = read_outcome(results, own["name"], outputs, _NOTES)
        texts = predictions.get(own["name"], [])
        if not outcome.error and len(texts) != len(own["test"]):
            problem = f"{outputs / PREDICTIONS}: the outputs of {own['name']} are missing"
            raise InputFileError(problem, "copy it again, or train again")
        given = () if outcome.error else tuple(texts)
        done = replace(outcome, outputs=given, notes={**outcome.notes, **carried_notes(own)})
        matched += [(cell, done) for cell in equal]
    return matched, unknown
