"""Cells of NQG with a neural scorer for a machine with a GPU and little else, and their scores back into the study.

Grammars are induced here, and forests of train and test sources go along; there the scorer is trained. What comes back
are scores of anchored rules, with which test sources are decoded here.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import make_folder, read_text, write_whole
from recombine.models.carried_cells import ARRAYS, returned_arrays
from recombine.models.nqg.nqg_family import ENCODER, ENCODER_DIGEST, check_files, in_language, make
from recombine.progress import bar
from recombine.studies.cells.digest import content_key
from recombine.studies.running.carried_folder import (
    CarriedFolder,
    carried_data,
    carried_notes,
    cell_rows,
    returned_cells,
)
from recombine.studies.running.returned_results import read_outcome, read_results

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.models.nqg.model import Nqg
    from recombine.models.task import CellOutcome
    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

FORM = "recombine-nqg-cells/1"
SCORERS = "scorers"
_NOTES = ("steps", "transformers")
_OF_SCORER = "neural_"

data_of_nqg = carried_data


def export_nqg(plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
    """Write a folder with all that some cells of one data set need."""
    made = CarriedFolder(folder, FORM, plan, dataset)
    make_folder(folder / SCORERS)
    grammars: dict[str, Any] = {}
    with bar("inducing", counts="cells") as update:
        for number, cell in enumerate(cells):
            settings = cell.model.settings
            check_files(settings)
            file = _write_scorer(cell, dataset, folder, grammars)
            neural = asdict(_parser(cell, dataset).neural)
            made.add(cell, settings[ENCODER], settings[ENCODER_DIGEST], neural={**neural, "encoder": ""}, file=file)
            if update is not None:
                update(number + 1, len(cells), cell.name)
    made.close()


def _parser(cell: Cell, dataset: Dataset, *, encoder: bool = True) -> Nqg:
    """The parser of a cell, which learned nothing yet."""
    settings: Mapping[str, Any] = cell.model.settings
    if not encoder:  # its files are not needed to decode with scores that are known
        settings = {**settings, ENCODER: "", ENCODER_DIGEST: ""}
    return make(in_language(settings, _language(dataset)), cell.seed, "cpu")


def _language(dataset: Dataset) -> str:
    return "" if dataset.language is None else dataset.language.place


def _write_scorer(cell: Cell, dataset: Dataset, folder: Path, grammars: dict[str, Any]) -> str:
    """Write what the scorer of a cell learns from and is asked, and its grammar; where it lies in the folder."""
    from recombine.models.nqg.scoring.carried_scorer import CarriedScorer
    from recombine.models.nqg.scoring.level_sums import Levelled
    from recombine.models.nqg.scoring.span_scorer import Anchors

    rows, parser = cell_rows(cell, dataset), _parser(cell, dataset)
    pairs = [(dataset[row].source, dataset[row].target) for row in rows["train"]]
    own = {name: value for name, value in cell.model.settings.items() if not name.startswith(_OF_SCORER)}
    key = content_key({"settings": own, "seed": cell.seed, "train": rows["train"]})
    if key not in grammars:
        if parser.grammar is None:
            parser.fit_grammar(pairs)
        grammars[key] = (parser.induced, parser.grammar)
    parser.induced, parser.grammar = grammars[key]
    neural = {name: cell.model.settings[f"{_OF_SCORER}{name}"] for name in ("features", "warm_start")}
    file = f"{SCORERS}/{content_key({'grammar': key, 'test': rows['test'], **neural})[:16]}.npz"
    if (folder / file).is_file():
        return file
    prepared = parser.prepare(pairs)
    chart = parser.chart()
    asked, anchors = [], []
    for source in dict.fromkeys(dataset[row].source for row in rows["test"]):
        words = tokens_of(source)
        forest = chart.parse(words)
        if forest is not None:
            asked.append(words)
            anchors.append(Anchors.of(forest.packed, len(chart.rules)))
    parts = [Levelled.of(each) for each in prepared.indexed]
    CarriedScorer.of(prepared.material, parts, asked, anchors).write(folder / file)
    write_whole((folder / file).with_suffix(".keys"), prepared.keys.tobytes())
    write_whole((folder / file).with_suffix(".txt"), str(parser.grammar).encode())
    return file


def tokens_of(source: str) -> tuple[str, ...]:
    """The tokens of a source as the grammar sees them."""
    from recombine.models.nqg.rule import tokens

    return tuple(tokens(source))


# -- the way back -------------------------------------------------------------------------------------------------


def returned_nqg(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
    """The cells that a result came back for, with it, and the names of results that are of no cell."""
    results = read_results(outputs)
    matched: list[tuple[Cell, CellOutcome]] = []
    unknown: list[str] = []
    neural = [cell for cell in cells if cell.model.settings["scorer"] == "neural"]
    for own, equal in returned_cells(neural, dataset, folder, results, unknown):
        outcome = read_outcome(results, own["name"], outputs, _NOTES)
        if not outcome.error:
            parser = _decoding(equal[0], dataset, folder / own["file"], returned_arrays(outputs, own["name"]), outputs)
            texts = parser.predict([dataset[row].source for row in own["test"]])
            notes = {"rules": len(parser.grammar or ()), **outcome.notes, **carried_notes(own)}
            outcome = replace(outcome, outputs=tuple(text or "" for text in texts), notes=notes)
        matched += [(cell, outcome) for cell in equal]
    return matched, unknown


def _decoding(cell: Cell, dataset: Dataset, file: Path, returned: Mapping[str, Any], outputs: Path) -> Nqg:
    """A parser with the grammar of a folder and the scores that came back."""
    import numpy as np

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.scoring.carried_scorer import CarriedScorer
    from recombine.models.nqg.scoring.loglinear import LogLinear, surroundings
    from recombine.models.nqg.scoring.returned_scorer import ReturnedScorer

    missing = next((name for name in ("scores", "rules", "features") if name not in returned), None)
    if missing is not None:
        problem = f"{outputs / ARRAYS}: the {missing} of {cell.name} are missing"
        raise InputFileError(problem, "copy it again, or train again")
    parser = _parser(cell, dataset, encoder=False)
    text = file.with_suffix(".txt")
    parser.grammar = Qcfg.parse(read_text(text), text)
    keys = np.frombuffer(file.with_suffix(".keys").read_bytes(), np.int64)
    terms = LogLinear(surroundings(parser.grammar.rules), returned["rules"], keys, returned["features"][1:])
    parser.fitted_scorer = ReturnedScorer(CarriedScorer.read(file).scores(returned["scores"]), terms)
    return parser
