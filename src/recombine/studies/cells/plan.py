"""The matrix of a study: its cells, each with a key made from all that decides its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.models.known import find_family
from recombine.studies.cells.cell_key import cell_key, key_by_recipe, model_content
from recombine.studies.cells.load_data import LazyFeatures, load_data
from recombine.studies.cells.make_split import SplitMaker
from recombine.studies.cells.migrate_records import Migrated, migrate_records, waiting_records
from recombine.studies.cells.plugins_used import check_plugins_used
from recombine.studies.cells.results_folder import check_folder, claim_folder
from recombine.studies.cells.split_keys import method_revision
from recombine.studies.cells.stored_cells import keys_by_recipe
from recombine.studies.file.read_study_file import load_plugins, read_study_file
from recombine.studies.file.recipe import Recipe, iter_recipes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from recombine.plugins import Plugin
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.file.study_file import DataTable, StudyFile


@dataclass(frozen=True)
class StudyModel:
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
    model: StudyModel
    seed: int
    split: Split | None
    """None where it cannot be, or was not yet, made."""
    problem: str = ""
    """Why the cell cannot be run."""
    recipe_key: str = ""
    """The key of its split's recipe, which the file of the split is named by."""
    unseen: str = "fail"
    """What becomes of symbols that train lacks."""
    plugins: Mapping[str, str] = field(default_factory=dict)
    """The plug-ins of the study, with their versions or digests."""
    match: str = "target"
    """What outputs are compared with."""


@dataclass(frozen=True)
class Plan:
    """A study with its data and cells."""

    study: StudyFile
    results: Path
    datasets: Mapping[str, Dataset]
    cells: tuple[Cell, ...]
    migrated: Migrated
    """What became of records of older forms."""
    plugins: tuple[Plugin, ...] = ()
    """What the study names besides the package."""

    def unmade(self) -> list[str]:
        """The names of splits that were not made yet; their cells are known by what their records say alone."""
        waiting = (cell for cell in self.cells if cell.split is None and not cell.problem)
        front = {data: f"{data}: " if len(self.datasets) > 1 else "" for data in self.datasets}
        return list(dict.fromkeys(f"{front[cell.data]}{cell.recipe.name}" for cell in waiting))

    def chosen(self, only: Sequence[str] = ()) -> list[Cell]:
        """The cells with any of these texts in their names; all where there is none."""
        cells = [cell for cell in self.cells if not only or any(text in cell.name for text in only)]
        if not cells:
            raise OptionError(f"no cell of {self.study.name} has {', '.join(only)} in its name", "see `study status`")
        return cells


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
    """The plan of a study file; with `make`, splits that do not exist yet are made.

    Without it, results of cells whose splits do not exist are found by what their records say. Records of older forms
    are brought over with `make`, and counted without it.
    """
    path = Path(path)
    study = read_study_file(path)
    plugins = load_plugins(study, path.parent)
    identities = {plugin.name: plugin.identity for plugin in plugins}
    results = results or default_results(path, study)
    models = [_model(path, study, number) for number in range(len(study.model))]
    stored = {} if make else keys_by_recipe(results)
    if make:
        check_folder(results)
    datasets: dict[str, Dataset] = {}
    cells: list[Cell] = []
    for table in study.data:
        say(f"loading {table.label}")
        datasets[table.label] = load_data(table, path.parent)
    check_plugins_used(study, datasets, plugins)
    for table in study.data:
        dataset = datasets[table.label]
        features = LazyFeatures(dataset, measure=table.measure)
        maker = SplitMaker(dataset, features, results / "splits", path.parent, identities)
        for recipe in _recipes(study, table, models):
            split, problem = maker.find(recipe), ""
            if split is None and make:
                claim_folder(results, study.name)
                say(f"making the split {recipe.name} of {table.label}")
                try:
                    split = maker.make(recipe)
                except RecombineError as error:
                    problem = str(error)
            cells += _cells(study, table, maker, recipe, models, split, problem, stored)
    _check_keys(cells)
    migrated = migrate_records(results, cells, datasets) if make else Migrated((), waiting_records(results))
    return Plan(study, results, datasets, tuple(cells), migrated, plugins)


def _model(path: Path, study: StudyFile, number: int) -> StudyModel:
    table = study.model[number]
    try:
        family = find_family(table.preset)
        changes = table.changes if family.in_folder is None else family.in_folder(table.changes, path.parent)
        settings = family.settings(table.preset, changes)
    except RecombineError as error:
        raise OptionError(f"{path}: [[model]] number {number + 1}: {error.problem}", error.remedy) from error
    return StudyModel(table.label, table.preset, settings, tuple(study.seeds if table.seeds is None else table.seeds))


def _recipes(study: StudyFile, table: DataTable, models: Sequence[StudyModel]) -> Iterator[Recipe]:
    replicates = sorted({seed for model in models for seed in model.seeds})
    for split in study.split:
        if split.data in (None, table.label):
            yield from iter_recipes(split, replicates)


def _cells(
    study: StudyFile,
    table: DataTable,
    maker: SplitMaker,
    recipe: Recipe,
    models: Sequence[StudyModel],
    split: Split | None,
    problem: str,
    stored: Mapping[str, str],
) -> Iterator[Cell]:
    data, recipe_key = maker.content, maker.key(recipe)
    for part in ("train", recipe.part):
        if split is not None and not split.parts.get(part):
            problem = f"the {part} part is empty; give another split"
    for model in models:
        if recipe.models is not None and model.name not in recipe.models:
            continue
        family = find_family(model.preset)
        for seed in model.seeds:
            if recipe.replicate in (None, seed):
                front = f"{table.label}/" if len(study.data) > 1 else ""
                name = f"{front}{model.name}/{recipe.name}/{seed}"
                deciding = model_content(
                    family=family.name,
                    revision=family.revision,
                    settings=family.decided_by(model.settings),
                    seed=seed,
                    unseen=study.unseen,
                    plugins=maker.plugins,
                    match=study.match,
                )
                if split is None:
                    by_recipe = key_by_recipe(recipe_key, deciding)
                    key = stored.get(by_recipe, by_recipe)
                else:
                    key = cell_key(
                        split,
                        recipe.part,
                        data=data,
                        revision=method_revision(recipe),
                        model=deciding,
                        stops_on_dev=family.stops_on_dev,
                    )
                reason = f"cell {name}: {problem}" if problem else ""
                yield Cell(
                    key,
                    name,
                    table.label,
                    recipe,
                    model,
                    seed,
                    split,
                    reason,
                    recipe_key,
                    study.unseen,
                    maker.plugins,
                    study.match,
                )


def _check_keys(cells: Sequence[Cell]) -> None:
    names: dict[str, str] = {}
    for cell in cells:
        if cell.key in names:
            raise OptionError(f"the cells {names[cell.key]} and {cell.name} are the same", "leave out one of them")
        names[cell.key] = cell.name
