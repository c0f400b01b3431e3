"""Cells of picture models for a machine with a GPU and little else, and their answers back into the study.

All cells of a folder share its arrays, so they must be made of one data set in one way. Each is asked the union of all
test parts: a model's answers to the questions of another split's test part are there too, and its own are taken out.
What comes back is matched to cells by content, as results of sequence-to-sequence models are.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError
from recombine.models.pictures.arrays.array_file import read_arrays
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.study_folder import PictureCell, PictureStudy, read_record, read_rows, write_study
from recombine.models.task import CellOutcome
from recombine.studies.cells.digest import content_key, ids_digest
from recombine.studies.running.returned_results import exported_data, read_outcome, read_results
from recombine.studies.running.run_study import dev_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.models.pictures.making.study_arrays import StudyArrays
    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

TEST = "test"
"""The name of the rows that all cells are asked."""
PREDICTIONS = "predictions.npz"


def export_pictures(plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
    """Write a folder with all that some cells of one data set need."""
    given = [PictureData.of(cell.model.settings) for cell in cells]
    other = next((cell.name for cell, each in zip(cells, given, strict=True) if each != given[0]), None)
    if other is not None:
        raise OptionError(
            f"the cells {cells[0].name} and {other} look at other pictures, and a folder has one set of arrays",
            "export them apart, with --cells",
        )
    rows, named = _rows(dataset, cells)
    train = np.unique(np.concatenate([rows[names["train"]] for names in named.values()]))
    arrays = picture_arrays(dataset, given[0], train.tolist())
    base = _network(cells[0].model.settings)
    made = [
        PictureCell(
            cell.name,
            str(cell.model.settings["variant"]),
            cell.seed,
            **named[cell.name],
            settings={name: value for name, value in _network(cell.model.settings).items() if value != base[name]},
        )
        for cell in cells
    ]
    notes = {"study": plan.study.name, "data": dataset.hash, "order": ids_digest(dataset.ids)}
    write_study(
        folder,
        PictureStudy(
            arrays.words.listed,
            tuple(arrays.answers),
            arrays.pictures,
            arrays.other,
            arrays.grounding,
            arrays.questions,
            rows,
            tuple(made),
            base,
            notes,
        ),
    )


def picture_arrays(dataset: Dataset, data: PictureData, train: Sequence[int]) -> StudyArrays:
    """The arrays of a data set: a row of its questions for each example, words and answers of some rows."""
    from recombine.models.pictures.making.study_arrays import make_arrays
    from recombine.scenes.scene import Scenes

    world = dataset.opened_world
    if not isinstance(world, Scenes):
        raise OptionError(f"{dataset.name} is about no scenes", "give data that `recombine generate scenes` made")
    return make_arrays(list(dataset), world, pictures=data.folder, settings=data.arrays, train=train)


def _network(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the network and its training, without those of the arrays."""
    known = {each.name for each in fields(PictureSettings)}
    return {name: value for name, value in settings.items() if name in known}


def _rows(
    dataset: Dataset, cells: Sequence[Cell]
) -> tuple[dict[str, np.ndarray[Any, np.dtype[np.int32]]], dict[str, dict[str, str]]]:
    """Rows by name, equal ones once, and the names of each cell's."""
    rows: dict[str, np.ndarray[Any, np.dtype[np.int32]]] = {}
    by_content: dict[bytes, str] = {}
    named: dict[str, dict[str, str]] = {}
    asked: set[int] = set()
    for cell in cells:
        names = {}
        for part, given in _parts(cell, dataset).items():
            if part == TEST:
                asked.update(given)
                continue
            at = np.unique(np.asarray(given, dtype=np.int32))
            name = by_content.setdefault(at.tobytes(), f"{cell.recipe.name}/{part}") if len(at) else ""
            if name:
                rows[name] = at
            names[part] = name
        named[cell.name] = {**names, "test": TEST}
    rows[TEST] = np.array(sorted(asked), dtype=np.int32)
    return rows, named


def _parts(cell: Cell, dataset: Dataset) -> dict[str, Sequence[int]]:
    if cell.split is None:
        raise OptionError(cell.problem, "leave it out")
    train, test = (cell.split.positions(dataset, part) for part in ("train", cell.recipe.part))
    return {"train": train, "dev": dev_rows(cell, dataset), TEST: test}


# -- the way back -------------------------------------------------------------------------------------------------


def data_of_pictures(plan: Plan, folder: Path) -> Dataset:
    """The data of the study that a folder was made of."""
    return exported_data(plan, read_record(folder)["notes"], folder)


def returned_pictures(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
    """The cells that a result came back for, with it, and the names of results that are of no cell."""
    record = read_record(folder)
    rows = read_rows(folder, len(dataset))
    by_content: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.split is not None:
            by_content.setdefault(_content(cell, dataset), []).append(cell)
    results = _results(outputs)
    answers: Sequence[str] = record["answers"]
    matched, unknown = [], []
    for exported in (PictureCell(**values) for values in record["cells"]):
        if exported.name not in results["cells"]:
            continue
        settings = {**record["settings"], **exported.settings, "variant": exported.variant}
        key = _key(settings, exported.seed, rows[exported.train], rows[exported.dev] if exported.dev else ())
        equal = by_content.get(key, [])
        if not equal:
            unknown.append(exported.name)
            continue
        made = _outcome(results, exported, outputs)
        asked = {row: place for place, row in enumerate(rows[exported.test].tolist())}
        for cell in [each for each in equal if each.name == exported.name] or equal:
            test = _parts(cell, dataset)[TEST]
            if all(row in asked for row in test):
                matched.append((cell, _restricted(made, answers, [asked[row] for row in test])))
            else:
                unknown.append(exported.name)
    return matched, unknown


def _content(cell: Cell, dataset: Dataset) -> str:
    parts = _parts(cell, dataset)
    return _key(_network(cell.model.settings), cell.seed, parts["train"], parts["dev"])


def _key(settings: Mapping[str, Any], seed: int, train: Sequence[int] | Any, dev: Sequence[int] | Any) -> str:
    """What decides a model, of what is exported."""
    whole = PictureSettings.from_dict(settings).to_dict()
    rows = {name: np.unique(np.asarray(part, np.int64)).tolist() for name, part in (("train", train), ("dev", dev))}
    return content_key({"settings": whole, "seed": seed, **rows})


def _results(outputs: Path) -> dict[str, Any]:
    predictions = outputs / PREDICTIONS
    return {**read_results(outputs), "predictions": read_arrays(predictions) if predictions.exists() else {}}


def _outcome(results: Mapping[str, Any], cell: PictureCell, outputs: Path) -> tuple[CellOutcome, list[int]]:
    """The outcome of a cell without its answers, and these as numbers for all rows that it was asked."""
    outcome = read_outcome(results, cell.name, outputs, ("steps", "best_step", "dev"))
    if outcome.error:
        return outcome, []
    numbers = results["predictions"].get(cell.name)
    if numbers is None:
        raise InputFileError(
            f"{outputs / PREDICTIONS}: the answers of {cell.name} are missing", "copy it again, or train again"
        )
    return outcome, numbers.tolist()


def _restricted(made: tuple[CellOutcome, list[int]], answers: Sequence[str], places: Sequence[int]) -> CellOutcome:
    """The outcome with the answers at some places."""
    outcome, numbers = made
    if outcome.error:
        return outcome
    if places and (max(places) >= len(numbers) or not all(0 <= number < len(answers) for number in numbers)):
        raise InputFileError("answers that came back are not those of the folder", "copy both again, or train again")
    outputs = tuple(answers[numbers[place]] for place in places)
    return CellOutcome(outputs, outcome.curve, outcome.notes, outcome.seconds)
