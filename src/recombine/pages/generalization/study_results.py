"""The list of results of a study: its splits by property as set-ups, what they are measured between, and systems.

`[generalization]` of the study file says which model is meant and which one sees texts alone. Both stand on all of a
part where they are trained on the data's own parts: these are the i.i.d. model and the floor, asked every question that
a set-up asks. With `train_sizes` of the same split there are i.i.d. models of other sizes, of which a set-up takes the
nearest that differs by under 2 %. Splits by the same property with another `few_shot` are the points of an effect, and
the i.i.d. model, which has all examples with it, is its last.
Results are the files that the study keeps; a set-up that lacks one says so, with how long its training would take.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import orjson

from recombine.errors import OptionError
from recombine.evaluation.generalization.size_match import nearest_size
from recombine.files import read_bytes
from recombine.pages.generalization.result_list import ListedEffect, ListedSetup, ListedSystem, ResultList
from recombine.studies.cells.read_record import DONE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import CellResult

PROPERTY = "property"


def results_of_study(path: Path, plan: Plan, results: Sequence[CellResult]) -> ResultList:
    """The list of a study file."""
    said = plan.study.generalization
    if said is None:
        raise OptionError(f"{path}: has no [generalization], which says what the page is of", "add it, or give a list")
    listed = _Listed(path, plan, results, said.model, said.text)
    return ResultList(
        path,
        plan.study.description or plan.study.name,
        None,
        None,
        None,
        None,
        tuple(listed.systems()),
        tuple(listed.setups()),
        tuple(listed.effects()),
        said.note,
    )


class _Listed:
    """The cells of a study by what they are to the page."""

    def __init__(self, path: Path, plan: Plan, results: Sequence[CellResult], model: str, text: str) -> None:
        self._path, self._plan, self._text = path, plan, text
        self._whole = [each for each in results if each.cell.recipe.published and each.cell.recipe.train_size is None]
        of_model = [each for each in results if each.cell.model.name == model]
        self._sized = {
            str(each.cell.recipe.train_size): each for each in of_model if each.cell.recipe.train_size is not None
        }
        self._held: dict[tuple[str, int], list[CellResult]] = {}
        for each in of_model:
            if each.cell.recipe.by == PROPERTY:
                key = (str(each.cell.recipe.options["held_out"]), each.cell.recipe.seed)
                self._held.setdefault(key, []).append(each)
        self._iid, self._floor = self._first(model), self._first(text)

    def _first(self, model: str) -> CellResult:
        found = next((each for each in self._whole if each.cell.model.name == model), None)
        if found is None:
            raise OptionError(
                f"{self._path}: {model} is trained on no split of the data's own parts",
                'add a split with published = "published" for it',
            )
        return found

    def _file(self, result: CellResult | None) -> Path | None:
        """The predictions of a cell that is done."""
        if result is None or result.state != DONE:
            return None
        return self._plan.results / f"{result.cell.key}.jsonl.gz"

    def systems(self) -> list[ListedSystem]:
        """Models on the whole part, those that are done; the floor and the ceiling have a row of the paper."""
        systems = []
        for each in self._whole:
            path = self._file(each)
            if path is not None:
                paper = "iid" if each is self._iid else "text" if each is self._floor else ""
                seed = f", seed {each.cell.seed}" if each not in (self._iid, self._floor) else ""
                systems.append(ListedSystem(f"{each.cell.model.name}{seed}", path, paper))
        return systems

    def setups(self) -> list[ListedSetup]:
        """Each property that is held out once, as its preset says, or else with the number that comes first."""
        first = dict(reversed(self._held))
        return [
            self._setup(held, "" if seed == first[held] else f", seed {seed}", _usual(cells))
            for (held, seed), cells in self._held.items()
        ]

    def _setup(self, held: str, mark: str, result: CellResult) -> ListedSetup:
        train = result.sizes.get("train")
        split = result.cell.split
        filtered, _, of = ("" if split is None else split.signature.get("filtered")).partition("/")
        few = "" if split is None else split.signature.get("few_shot")
        sizes = {name: int(name) for name in self._sized}
        near = None if train is None else nearest_size(train, sizes)
        matched = None if near is None else self._sized[near]
        needed = {"model": result, "text": self._floor, "iid_size": matched}
        files = {role: self._file(each) for role, each in needed.items()}
        return ListedSetup(
            f"{held}{mark}",
            files["model"],
            files["text"],
            files["iid_size"],
            self._file(self._iid),
            None,
            train,
            int(filtered) / int(of) if of else None,
            int(few or 0),
            None if near is None else sizes[near],
            self._missing(needed) if None in files.values() else "",
            held,
        )

    def _missing(self, needed: dict[str, CellResult | None]) -> str:
        """What a set-up lacks, and how long that takes, as far as cells that are done say it."""
        if needed["iid_size"] is None:
            return "no i.i.d. model of its size is in the study"
        lacking = [each for each in needed.values() if each is not None and self._file(each) is None]
        failed = next((each for each in lacking if each.state != "to do"), None)
        if failed is not None and failed.record is not None:
            return str(failed.record["error"])
        usual = self._usual_seconds()
        many = "1 model" if len(lacking) == 1 else f"{len(lacking)} models"
        return many if usual is None else f"{many}, about {usual * len(lacking):,.0f} s"

    def _usual_seconds(self) -> float | None:
        """The median of the seconds that a cell took."""
        folder = self._plan.results / "timings"
        done = [each for cells in self._held.values() for each in cells if each.state == DONE]
        paths = [path for each in done if (path := folder / f"{each.cell.key}.json").exists()]
        seconds = [float(orjson.loads(read_bytes(path))["seconds"]) for path in paths]
        return statistics.median(seconds) if seconds else None

    def effects(self) -> list[ListedEffect]:
        """The accuracies of each property that is held out with several numbers of examples in train."""
        effects = []
        for (held, _), cells in self._held.items():
            points = {}
            for each in cells:
                split, path = each.cell.split, self._file(each)
                if split is not None and path is not None and split.signature.get("few_shot"):
                    points[int(split.signature.get("few_shot"))] = path
            whole, split = self._file(self._iid), cells[0].cell.split
            if len(points) > 1 and whole is not None and split is not None:
                points[int(split.signature.get("filtered").partition("/")[0])] = whole
            if len(points) > 1:
                effects.append(ListedEffect(held, tuple(sorted(points.items()))))
        return effects


def _usual(cells: Sequence[CellResult]) -> CellResult:
    return next((each for each in cells if "few_shot" not in each.cell.recipe.options), cells[0])
