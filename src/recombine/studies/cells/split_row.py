"""One split of a study with the cells of all models on it, and the runs that tuned models are chosen by."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recombine.models.known import find_family
from recombine.studies.cells.cell import Cell, Tuning
from recombine.studies.cells.cell_key import cell_key, key_by_recipe, model_content
from recombine.studies.cells.read_record import FAILED, main_metric, read_record
from recombine.studies.cells.split_keys import method_revision
from recombine.studies.cells.study_metric import metric_content
from recombine.studies.file.study_file import TuneTable
from recombine.studies.tuning.choose import TrialResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.evaluation.match.matchers import Matcher
    from recombine.records.split import Split
    from recombine.studies.cells.cell import StudyModel
    from recombine.studies.cells.kept_split import KeptSplit
    from recombine.studies.file.recipe import Recipe
    from recombine.studies.file.study_file import StudyFile


@dataclass(frozen=True)
class SplitRow:
    """A split of one data set of a study."""

    study: StudyFile
    data: str
    content: Mapping[str, Any]
    """What decides on scores, of the data."""
    recipe: Recipe
    recipe_key: str
    split: Split | None
    problem: str
    unseen: str
    """What becomes of symbols that train lacks."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    stored: Mapping[str, str] = field(default_factory=dict)
    """The keys of records by those that they have by their recipes, where splits are not made."""
    metric: Matcher | None = None
    """What says what is right, where it is not exact match."""
    kept: KeptSplit | None = None
    """What can be said of the split where it was made and the data is not at hand."""
    held_back: SplitRow | None = None
    """The same split with a part of its train held back, where a model on it is tuned."""

    def cells(self, models: Sequence[StudyModel], results: Path) -> Iterator[Cell]:
        """The cells of the models that are trained on it."""
        for model in models:
            seeds = self.seeds(model)
            tuning = None if self.held_back is None or not seeds else self._tuning(self.held_back, model, results)
            for seed in seeds:
                yield self.cell(model if tuning is None else _chosen_model(model, tuning), seed, tuning)

    def seeds(self, model: StudyModel) -> list[int]:
        """The seeds of a model that are trained on it; none where it is for others."""
        if self.recipe.models is not None and model.name not in self.recipe.models:
            return []
        if model.data is not None and self.data not in model.data:
            return []
        return [seed for seed in model.seeds if self.recipe.replicate in (None, seed)]

    def cell(self, model: StudyModel, seed: int, tuning: Tuning | None = None) -> Cell:
        """One cell, with its key."""
        front = f"{self.data}/" if len(self.study.data) > 1 else ""
        name = f"{front}{model.name}/{self.recipe.name}/{seed}"
        problem = self._problem() or ("" if tuning is None else tuning.failure())
        return Cell(
            self._key(model, seed, tuning),
            name,
            self.data,
            self.recipe,
            model,
            seed,
            self.split,
            f"cell {name}: {problem}" if problem else "",
            self.recipe_key,
            self.unseen,
            self.plugins,
            self.study.match,
            self.metric,
            self.kept,
            tuning,
        )

    def _problem(self) -> str:
        empty = [
            part for part in ("train", self.recipe.part) if self.split is not None and not self.split.parts.get(part)
        ]
        return f"the {empty[-1]} part is empty; give another split" if empty else self.problem

    def _key(self, model: StudyModel, seed: int, tuning: Tuning | None) -> str:
        family = find_family(model.preset)
        deciding = model_content(
            family=family.name,
            revision=family.revision,
            settings=family.decided_by(model.settings),
            seed=seed,
            unseen=self.unseen,
            plugins=self.plugins,
            match=self.study.match,
            metric=metric_content(self.metric),
            tuned=None if tuning is None else tuning.content(),
        )
        if self.split is None:
            by_recipe = key_by_recipe(self.recipe_key, deciding)
            return self.stored.get(by_recipe, by_recipe)
        return cell_key(
            self.split,
            self.recipe.part,
            data=self.content,
            revision=method_revision(self.recipe),
            model=deciding,
            stops_on_dev=family.stops_on_dev,
        )

    def _tuning(self, held_back: SplitRow, model: StudyModel, results: Path) -> Tuning | None:
        """The runs of a tuned model, with what is stored of them; none where it is not tuned."""
        if model.grid is None:
            return None
        runs = [[held_back.cell(trial, seed) for seed in trial.seeds] for trial in model.trials]
        given = zip(model.grid.combinations(), runs, strict=True)
        trials = () if held_back.problem else tuple(_trial(values, cells, results) for values, cells in given)
        cells = tuple(cell for each in runs for cell in each) if trials else ()
        how = self.study.tune or TuneTable()
        return Tuning(model, self.data, self.recipe, how, cells, trials, held_back.problem)


def iter_cells(rows: Sequence[SplitRow], models: Sequence[StudyModel], results: Path) -> Iterator[Cell]:
    """The cells of a study; those of tuned models have the values that the stored runs choose."""
    for row in rows:
        yield from row.cells(models, results)


def _chosen_model(model: StudyModel, tuning: Tuning) -> StudyModel:
    return model if tuning.place is None else replace(model, settings=model.trials[tuning.place].settings)


def _trial(values: Mapping[str, Any], cells: Sequence[Cell], results: Path) -> TrialResult:
    """What the stored runs of one combination gave."""
    keys = tuple(cell.key for cell in cells)
    paths = [path for key in keys if (path := results / f"{key}.json").exists()]
    records = [read_record(path) for path in paths]
    errors = tuple(record["error"] for record in records if record["state"] == FAILED)
    waiting = len(keys) - len(records)
    if errors or waiting:
        return TrialResult(values, keys, waiting=waiting, errors=errors)
    scores = [(record["score"][main_metric(record)], record["score"]["n"]) for record in records]
    return TrialResult(values, keys, sum(round(share * n) for share, n in scores), sum(n for _, n in scores))
