"""The matrix of a study: its cells, each with a key made from all that decides its result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.studies.digest import content_key, ids_digest
from recombine.studies.families import find_family
from recombine.studies.load_data import LazyFeatures, load_data
from recombine.studies.make_split import find_split, make_split, recipe_key
from recombine.studies.read_record import FORM
from recombine.studies.read_study_file import read_study_file
from recombine.studies.recipe import Recipe, iter_recipes
from recombine.studies.results_folder import check_folder, claim_folder
from recombine.studies.stored_cells import stored_keys, told_key
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.study_file import DataTable, StudyFile


@dataclass(frozen=True)
class Model:
    """One model of a study with all its settings."""

    name: str
    preset: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Cell:
    """One model with one seed on one split."""

    key: str
    name: str
    data: str
    recipe: Recipe
    model: Model
    seed: int
    split: Split | None
    """None where it cannot be, or was not yet, made."""
    problem: str = ""
    """Why the cell cannot be run."""
    unseen: str = "fail"
    """What becomes of symbols that train lacks."""


@dataclass(frozen=True)
class Plan:
    """A study with its data and cells."""

    study: StudyFile
    results: Path
    datasets: Mapping[str, Dataset]
    cells: tuple[Cell, ...]

    def unmade(self) -> list[str]:
        """The names of splits that were not made yet; their cells are known by what their records say alone."""
        waiting = (cell for cell in self.cells if cell.split is None and not cell.problem)
        front = {data: f"{data}: " if len(self.datasets) > 1 else "" for data in self.datasets}
        return list(dict.fromkeys(f"{front[cell.data]}{cell.recipe.name}" for cell in waiting))

    def chosen(self, only: Sequence[str] = ()) -> list[Cell]:
        """The cells with any of these texts in their names; all where there is none."""
        found = [cell for cell in self.cells if not only or any(text in cell.name for text in only)]
        if not found:
            raise OptionError(f"no cell of {self.study.name} has {', '.join(only)} in its name", "see `study status`")
        return found


def default_results(path: Path | str, study: StudyFile) -> Path:
    """Where results go if nothing else is said: beside the study file."""
    return Path(path).parent / "results" / study.name


def make_plan(
    path: Path | str,
    results: Path | None = None,
    *,
    make: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> Plan:
    """The plan of a study file; with `make`, splits that are not there yet are made.

    Without it, results of cells whose splits are not there are found by what their records say.
    """
    path = Path(path)
    study = read_study_file(path)
    results = results or default_results(path, study)
    models = [_model(study, number) for number in range(len(study.model))]
    stored = {} if make else stored_keys(results)
    if make:
        check_folder(results)
    datasets: dict[str, Dataset] = {}
    cells: list[Cell] = []
    for table in study.data:
        say(f"loading {table.label}")
        dataset = datasets[table.label] = load_data(table, path.parent)
        features = LazyFeatures(dataset, measure=table.measure)
        for recipe in _recipes(study, table, models):
            split, problem = find_split(recipe, dataset, results / "splits"), ""
            if split is None and make:
                claim_folder(results, study.name)
                say(f"making the split {recipe.name} of {table.label}")
                try:
                    split = make_split(recipe, dataset, features, results / "splits", path.parent)
                except RecombineError as error:
                    problem = str(error)
            cells += _cells(study, table.label, dataset, recipe, models, split, problem, stored)
    _check_keys(cells)
    return Plan(study, results, datasets, tuple(cells))


def _model(study: StudyFile, number: int) -> Model:
    table = study.model[number]
    try:
        settings = find_family(table.preset).settings(table.preset, table.changes)
    except RecombineError as error:
        raise OptionError(f"[[model]] number {number + 1}: {error.problem}", error.remedy) from error
    return Model(table.label, table.preset, settings, tuple(study.seeds if table.seeds is None else table.seeds))


def _recipes(study: StudyFile, table: DataTable, models: Sequence[Model]) -> Iterator[Recipe]:
    replicates = sorted({seed for model in models for seed in model.seeds})
    for split in study.split:
        if split.data in (None, table.label):
            yield from iter_recipes(split, replicates)


def _cells(
    study: StudyFile,
    data: str,
    dataset: Dataset,
    recipe: Recipe,
    models: Sequence[Model],
    split: Split | None,
    problem: str,
    stored: Mapping[str, str],
) -> Iterator[Cell]:
    content: dict[str, Any] = {"form": FORM, "data": f"{dataset.name}@{dataset.hash}", "version": __version__}
    if study.unseen == "keep":
        content["unseen"] = "keep"
    if split is None:
        content["recipe"] = recipe_key(recipe, dataset)
    else:
        for part in ("train", recipe.part):
            if not split.parts.get(part):
                problem = f"the {part} part is empty; give another split"
        digest = ids_digest(split.parts.get("train", ()), split.parts.get(recipe.part, ()))
        content |= {"split": str(split.signature), "ids": digest, "part": recipe.part}
    for model in models:
        for seed in model.seeds:
            if recipe.replicate in (None, seed):
                front = f"{data}/" if len(study.data) > 1 else ""
                name = f"{front}{model.name}/{recipe.name}/{seed}"
                family = find_family(model.preset).name
                key = content_key({**content, "family": family, "settings": dict(model.settings), "seed": seed})
                if split is None and stored:
                    key = stored.get(_told(study, dataset, recipe, model, seed), key)
                told = f"cell {name}: {problem}" if problem else ""
                yield Cell(key, name, data, recipe, model, seed, split, told, study.unseen)


def _told(study: StudyFile, dataset: Dataset, recipe: Recipe, model: Model, seed: int) -> str:
    return told_key(
        data=str(dataset),
        recipe=recipe.content(),
        preset=model.preset,
        settings=model.settings,
        seed=seed,
        unseen=study.unseen,
        version=__version__,
    )


def _check_keys(cells: Sequence[Cell]) -> None:
    names: dict[str, str] = {}
    for cell in cells:
        if cell.key in names:
            raise OptionError(f"the cells {names[cell.key]} and {cell.name} are the same", "leave out one of them")
        names[cell.key] = cell.name
