"""What comes back of an exported folder, whatever the family: its data, its results, and the outcome of each cell."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import read_text
from recombine.models.task import CellOutcome
from recombine.studies.cells.digest import ids_digest
from recombine.studies.cells.read_record import DONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.plan import Plan

RESULTS = "results.json"


def exported_data(plan: Plan, notes: Mapping[str, Any], folder: Path) -> Dataset:
    """The data of the study that a folder was made of, as its notes tell."""
    for dataset in plan.datasets.values():
        if dataset.hash == notes.get("data") and ids_digest(dataset.ids) == notes.get("order"):
            return dataset
    raise InputFileError(f"{folder}: its data is not that of {plan.study.name}", "give the folder of this study")


def read_results(outputs: Path) -> dict[str, Any]:
    """The results in a folder, with those of cells by name under `cells`."""
    path = outputs / RESULTS
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", "copy it again") from None
    if not isinstance(record, dict) or not isinstance(record.get("cells"), dict):
        raise InputFileError(f"{path}: not results of this form", "copy it again, or train again")
    return record


def read_outcome(results: Mapping[str, Any], name: str, outputs: Path, kept: Sequence[str]) -> CellOutcome:
    """The outcome of a cell without its predictions; `kept` are the fields that belong in its notes."""
    try:
        said = results["cells"][name]
        error = str(said.get("error") or "failed") if said["state"] != DONE else ""
        curve = tuple(
            (int(step), float(loss) if loss is not None and math.isfinite(loss) else None, float(share))
            for step, loss, share in said.get("curve", ())
        )
        notes = {field: said[field] for field in kept if field in said}
        notes |= {field: results[field] for field in ("device", "torch") if field in results}
        return CellOutcome(curve=curve, notes=notes, seconds=float(said.get("seconds", 0.0)), error=error)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        why = f"not results of this form ({type(problem).__name__}: {problem})"
        raise InputFileError(f"{outputs / RESULTS}: {name}: {why}", "copy it again, or train again") from None
