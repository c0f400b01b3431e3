"""Cells of sequence-to-sequence models for a machine with a GPU and little else, and their outputs back into the study.

Needs no torch here.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError
from recombine.files import read_text
from recombine.models.seq2seq.export import ExportedCell, Study, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.task import CellOutcome
from recombine.studies.cells.digest import content_key
from recombine.studies.cells.read_record import DONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan


def export_seq2seq(plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
    """Write a folder with all that some cells of one data set need."""
    write_study(folder, _tensors(plan, dataset, cells))


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


def returned_seq2seq(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
    """The cells that a result came back for, with it, and the names of results that are of no cell."""
    exported = read_study(folder)
    by_content = _by_content(cells, dataset)
    outcomes = _outcomes(exported, outputs)
    matched, unknown = [], []
    for exported_cell in exported.cells:
        if exported_cell.name not in outcomes:
            continue
        equal = by_content.get(_exported_content(exported, exported_cell), [])
        if not equal:
            unknown.append(exported_cell.name)
        for cell in [c for c in equal if c.name == exported_cell.name] or equal:
            matched.append((cell, outcomes[exported_cell.name]))
    return matched, unknown


def data_of_seq2seq(plan: Plan, folder: Path) -> Dataset:
    """The data of the study that a folder was made of."""
    exported = read_study(folder)
    for dataset in plan.datasets.values():
        if len(dataset) == len(exported.source):
            made = make_study(_pairs(dataset), {}, {}, [])
            if np.array_equal(made.source, exported.source) and np.array_equal(made.target, exported.target):
                return dataset
    raise InputFileError(f"{folder}: its data is not that of {plan.study.name}", "give the folder of this study")


def _by_content(cells: Sequence[Cell], dataset: Dataset) -> dict[str, list[Cell]]:
    """The cells of a data set, those of the same content together."""
    made: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.split is not None:
            made.setdefault(_content(cell, dataset), []).append(cell)
    return made


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
