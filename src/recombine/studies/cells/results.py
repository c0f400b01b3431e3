"""Results of cells as files, each written whole.

RESULTS/<key>.json        what the cell is, its curve and scores, or why it failed
RESULTS/<key>.jsonl.gz    its predictions, as `recombine score` reads and writes them
RESULTS/timings/<key>.json  seconds; kept apart, so that the same study gives the same bytes
RESULTS/splits/<key>.json.gz  the splits, under the keys of their recipes
RESULTS/recombine-results.json  the marker of such a folder
RESULTS/work/             checkpoints of what is under way; empty when all is done
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import RecombineError
from recombine.evaluation.answer_score import score_answers
from recombine.evaluation.answers.answer_table import usual_table
from recombine.evaluation.answers.asked_answers import ANSWER
from recombine.evaluation.match.form_setting import form_setting
from recombine.evaluation.match.matchers import further_matchers
from recombine.evaluation.predictions import Predictions
from recombine.evaluation.score import score
from recombine.files import write_whole
from recombine.models.known import find_family
from recombine.studies.cells.cell_key import FORM
from recombine.studies.cells.digest import bytes_digest
from recombine.studies.cells.read_record import DONE, FAILED, read_record, read_rows
from recombine.studies.cells.study_metric import metric_content
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.evaluation.score import Score
    from recombine.models.task import CellOutcome
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.cells.cell import Cell


def read_result(results: Path, key: str) -> dict[str, Any] | None:
    """The record of a cell; none where there is none yet."""
    path = results / f"{key}.json"
    return read_record(path) if path.exists() else None


def read_outputs(results: Path, record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The predictions of a cell, line by line; none where it failed."""
    return read_rows(results / f"{record['key']}.jsonl.gz") if record["state"] == DONE else []


def store_outcome(results: Path, cell: Cell, dataset: Dataset, outcome: CellOutcome) -> dict[str, Any]:
    """Score an outcome and write it; the record comes last, so that a cell with a record is complete."""
    scores: dict[str, Any] | None = None
    digest: str | None = None
    error = outcome.error
    if not error and cell.split is not None:
        ids = cell.split.part(cell.recipe.part)
        try:
            outputs = dict(zip(ids, outcome.outputs, strict=True))
            scores, lines = _scored(cell, cell.split, dataset, outputs)
            digest = bytes_digest(lines)
            write_whole(results / f"{cell.key}.jsonl.gz", lines)
        except (RecombineError, ValueError) as problem:
            error = f"cell {cell.name}: cannot be scored ({problem})"
    if error:
        (results / f"{cell.key}.jsonl.gz").unlink(missing_ok=True)
    record = {
        **describe(cell, dataset),
        "state": FAILED if error else DONE,
        "error": error or None,
        "notes": dict(outcome.notes),
        "curve": [list(point) for point in outcome.curve],
        "score": scores,
        "predictions": digest,
    }
    timings = results / "timings"
    timings.mkdir(exist_ok=True)
    write_whole(timings / f"{cell.key}.json", orjson.dumps({"name": cell.name, "seconds": outcome.seconds}) + b"\n")
    write_whole(results / f"{cell.key}.json", orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")
    return record


def _scored(cell: Cell, split: Split, dataset: Dataset, outputs: Mapping[str, str]) -> tuple[dict[str, Any], bytes]:
    """The score of a cell and its lines, by what the study compares outputs with."""
    if cell.match != ANSWER:
        scored = _score_programs(cell, split, dataset, outputs)
        return scored.to_record(), scored.to_lines()
    made = score_answers(dataset, split, Predictions.of(outputs), usual_table(), part=cell.recipe.part)
    return made.to_record(), made.score.to_lines()


def _score_programs(cell: Cell, split: Split, dataset: Dataset, outputs: Mapping[str, str]) -> Score:
    """The score of programs: exact match, the metrics of their language, and that of the study, which decides."""
    if cell.metric is None:
        return score(dataset, split, outputs, part=cell.recipe.part)
    usual = further_matchers(dataset.language, setting=form_setting(dataset))
    matchers = {**usual, cell.metric.name: cell.metric}
    scored = score(dataset, split, outputs, part=cell.recipe.part, matchers=matchers)
    return replace(scored, main=cell.metric.name)


def describe(cell: Cell, dataset: Dataset) -> dict[str, Any]:
    """What a cell is, before anything is known of its result."""
    split, family = cell.split, find_family(cell.model.preset)
    return {
        "form": FORM,
        "key": cell.key,
        "name": cell.name,
        "data": str(dataset),
        "split": {
            "name": cell.recipe.name,
            "key": cell.recipe_key,
            "signature": None if split is None else str(split.signature),
            "sizes": None if split is None else split.sizes(),
            "measured": None if split is None else dict(split.measured),
            "recipe": cell.recipe.content(),
        },
        "part": cell.recipe.part,
        "model": {
            "name": cell.model.name,
            "preset": cell.model.preset,
            "family": family.name,
            "revision": family.revision,
            "settings": dict(family.decided_by(cell.model.settings)),
            **({} if cell.tuning is None else {"tuned": cell.tuning.to_record()}),
        },
        "seed": cell.seed,
        **({"unseen": cell.unseen} if cell.unseen != "fail" else {}),
        **({"plugins": dict(cell.plugins)} if cell.plugins else {}),
        **({"match": cell.match} if cell.match != "target" else {}),
        **({} if cell.metric is None else {"metric": metric_content(cell.metric)}),
        "version": __version__,
    }
