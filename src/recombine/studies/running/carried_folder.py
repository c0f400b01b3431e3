"""What the folders of families have in common whose cells are carried one by one: cells, encoders, and the way back.

An encoder is carried in half precision, since folders are to be small; a result says so in its notes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import make_folder, write_whole
from recombine.models.carried_cells import STUDY, read_folder
from recombine.models.known import find_family
from recombine.models.pretrained.half_checkpoint import write_half_checkpoint
from recombine.studies.cells.digest import content_key, ids_digest
from recombine.studies.running.returned_results import exported_data

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

ENCODERS = "encoders"
HALF = "half precision"
"""What notes say of weights that were carried so."""


def cell_rows(cell: Cell, dataset: Dataset) -> dict[str, list[int]]:
    """The rows that a cell learns from and is asked."""
    if cell.split is None:
        raise OptionError(cell.problem, "leave it out")
    return {
        "train": list(cell.split.positions(dataset, "train")),
        "test": list(cell.split.positions(dataset, cell.recipe.part)),
    }


def decided(cell: Cell) -> dict[str, Any]:
    """The settings of a cell as keys have them."""
    return dict(find_family(cell.model.preset).decided_by(cell.model.settings))


@dataclass
class CarriedFolder:
    """A folder that is written cell by cell."""

    folder: Path
    form: str
    plan: Plan
    dataset: Dataset

    def __post_init__(self) -> None:
        make_folder(self.folder)
        self._cells: list[dict[str, Any]] = []

    def add(self, cell: Cell, encoder: str, digest: str, **more: Any) -> None:
        """Add a cell, with the directory of its encoder where it has one, and what its family needs besides."""
        find_family(cell.model.preset).check()
        place = ""
        if encoder:
            place = f"{ENCODERS}/{digest[:8]}"
            if not (self.folder / place).is_dir():
                make_folder(self.folder / ENCODERS)
                write_half_checkpoint(encoder, self.folder / place)
        own = {"name": cell.name, "seed": cell.seed, "preset": cell.model.preset, "settings": decided(cell)}
        self._cells.append({**own, **cell_rows(cell, self.dataset), "encoder": place, **more})

    def close(self) -> None:
        """Write what is known of the cells."""
        study = self.plan.study
        notes = {"study": study.name, "data": self.dataset.hash, "order": ids_digest(self.dataset.ids)}
        said = {"form": self.form, "notes": notes, "curve": study.curve, "sample": study.sample, "cells": self._cells}
        write_whole(self.folder / STUDY, json.dumps(said).encode() + b"\n")


def carried_data(plan: Plan, folder: Path) -> Dataset:
    """The data of the study that a folder was made of."""
    return exported_data(plan, read_folder(folder)["notes"], folder)


def returned_cells(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, results: Mapping[str, Any], unknown: list[str]
) -> Iterator[tuple[dict[str, Any], list[Cell]]]:
    """Each exported cell that a result came back for, with the cells of the study that it is of.

    The names of those that are of none are added to `unknown`.
    """
    by_content: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.split is not None:
            key = _content({"settings": decided(cell), "seed": cell.seed, **cell_rows(cell, dataset)})
            by_content.setdefault(key, []).append(cell)
    for own in read_folder(folder)["cells"]:
        if own["name"] not in results["cells"]:
            continue
        equal = by_content.get(_content(own), [])
        if equal:
            yield own, [cell for cell in equal if cell.name == own["name"]] or equal
        else:
            unknown.append(own["name"])


def _content(own: Mapping[str, Any]) -> str:
    """What decides a result."""
    return content_key({name: own[name] for name in ("settings", "seed", "train", "test")})


def carried_notes(own: Mapping[str, Any]) -> dict[str, Any]:
    """What a result says of how its cell was carried."""
    return {"encoder_weights": HALF} if own["encoder"] else {}
