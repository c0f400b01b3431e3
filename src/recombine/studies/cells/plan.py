"""The matrix of a study: its cells, each with a key made from all that decides its result."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.known import find_family
from recombine.studies.cells.cell import StudyModel
from recombine.studies.cells.known_splits import KnownSplits
from recombine.studies.cells.migrate_records import Migrated, migrate_records, waiting_records
from recombine.studies.cells.planned_data import PlannedData
from recombine.studies.cells.plugins_used import check_plugins_used
from recombine.studies.cells.results_folder import check_folder, claim_folder
from recombine.studies.cells.split_row import SplitRow, iter_cells
from recombine.studies.cells.stored_cells import iter_records, keys_by_recipe
from recombine.studies.cells.study_metric import study_metric
from recombine.studies.file.read_study_file import load_plugins, read_study_file
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.file.study_file import TuneTable
from recombine.studies.tuning.grid import Grid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from recombine.evaluation.match.matchers import Matcher
    from recombine.models.family import Family
    from recombine.plugins import Plugin
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.cells.cell import Cell, Tuning
    from recombine.studies.cells.make_split import SplitMaker
    from recombine.studies.file.recipe import Recipe
    from recombine.studies.file.study_file import DataTable, ModelTable, StudyFile


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
    rows: tuple[SplitRow, ...] = ()
    """The splits that the cells are made of."""
    models: tuple[StudyModel, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Optional models whose files are not on this machine, with what is missing; they have no cells."""

    def with_choices(self) -> Plan:
        """The plan as it is now: cells of tuned models have the values that tuning runs have chosen since."""
        if not any(model.trials for model in self.models):
            return self
        return replace(self, cells=tuple(iter_cells(self.rows, self.models, self.results)))

    def tunings(self, only: Sequence[str] = ()) -> list[Tuning]:
        """The tunings that some cells wait for or were chosen by, each once."""
        return list({id(cell.tuning): cell.tuning for cell in self.chosen(only) if cell.tuning is not None}.values())

    def tuning_cells(self, only: Sequence[str] = ()) -> list[Cell]:
        """The runs of those tunings; models whose grids overlap share some."""
        return list({cell.key: cell for tuning in self.tunings(only) for cell in tuning.cells}.values())

    def unmade(self) -> list[str]:
        """The names of splits that were not made yet; their cells are known by what their records say alone."""
        waiting = (cell for cell in self.cells if not (cell.split or cell.kept or cell.problem))
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
    by_facts: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Plan:
    """The plan of a study file; with `make`, splits that do not exist yet are made.

    Without it, results of cells whose splits do not exist are found by what their records say. Records of older forms
    are brought over with `make`, and counted without it. With `by_facts`, generated data of which facts are kept is not
    made, and all results on it are found so; where some record is of no cell then, the data is made after all.
    """
    path = Path(path)
    study = read_study_file(path)
    results = results or default_results(path, study)
    if by_facts and not make:
        plan = _plan(path, study, results, make=False, by_facts=True, say=say)
        if not any(row.kept for row in plan.rows) or _has_all_records(plan):
            return plan
    return _plan(path, study, results, make=make, by_facts=False, say=say)


def _plan(
    path: Path, study: StudyFile, results: Path, *, make: bool, by_facts: bool, say: Callable[[str], None]
) -> Plan:
    folder, plugins = path.parent, load_plugins(study, path.parent)
    models, left_out = _models(path, study)
    stored = {} if make else keys_by_recipe(results)
    if make:
        check_folder(results)
    recipes = {table.label: list(_recipes(study, table, models)) for table in study.data}
    if by_facts:
        data = PlannedData.by_facts(study, folder, results, recipes)
    else:
        data = PlannedData.at_hand(study, folder, results, recipes, keep=make)
    check_plugins_used(study, data.described(say), plugins)
    splits = {table.label: data.splits(table, {each.name: each.identity for each in plugins}) for table in study.data}
    rows: list[SplitRow] = []
    for table in study.data:
        metric = study_metric(study.metric, table, data.datasets, folder)
        made = _RowMaker(study, table.label, splits[table.label], stored, results, say, make=make, metric=metric)
        rows += [made.row(recipe, models) for recipe in recipes[table.label]]
    if make:
        data.keep(splits)
    cells = list(iter_cells(rows, models, results))
    _check_keys(cells)
    migrated = migrate_records(results, cells, data.datasets) if make else Migrated((), waiting_records(results))
    return Plan(study, results, data.datasets, tuple(cells), migrated, plugins, tuple(rows), tuple(models), left_out)


def _has_all_records(plan: Plan) -> bool:
    """Whether each record of the folder is of a cell; one may be of a recipe that was another when it was stored."""
    tunings = [cell.tuning for cell in plan.cells if cell.tuning is not None]
    keys = {cell.key for cells in (plan.cells, *(tuning.cells for tuning in tunings)) for cell in cells}
    return all(path.stem in keys for path in iter_records(plan.results))


@dataclass(frozen=True)
class _RowMaker:
    """Makes the rows of one data set: each split, and beside it the one that its models are tuned on."""

    study: StudyFile
    data: str
    maker: SplitMaker | KnownSplits
    stored: Mapping[str, str]
    results: Path
    say: Callable[[str], None]
    make: bool
    metric: Matcher | None

    def row(self, recipe: Recipe, models: Sequence[StudyModel]) -> SplitRow:
        row = self._plain(recipe, self.study.unseen)
        tuned = any(model.trials and row.seeds(model) for model in models)
        if not tuned or row.problem:
            return row
        how = self.study.tune or TuneTable()
        # A part of train drawn at random may lack a rare symbol: then no value gets those examples right, and that is
        # no reason to choose none.
        return replace(row, held_back=self._plain(recipe.for_tuning(how.share, how.seed), "keep"))

    def _plain(self, recipe: Recipe, unseen: str) -> SplitRow:
        split, problem = self._split(recipe)
        kept = self.maker.find(recipe) if isinstance(self.maker, KnownSplits) else None
        key, plugins = self.maker.key(recipe), self.maker.plugins
        row = SplitRow(self.study, self.data, self.maker.content, recipe, key, split, problem, unseen, plugins)
        return replace(row, stored=self.stored, metric=self.metric, kept=kept)

    def _split(self, recipe: Recipe) -> tuple[Split | None, str]:
        """The split, and why it cannot be made; none of data that is not at hand."""
        if isinstance(self.maker, KnownSplits):
            return None, ""
        split = self.maker.find(recipe)
        if split is None and self.make:
            claim_folder(self.results, self.study.name)
            self.say(f"making the split {recipe.name} of {self.data}")
            try:
                split = self.maker.make(recipe)
            except RecombineError as error:
                return None, str(error)
        return split, ""


def _models(path: Path, study: StudyFile) -> tuple[list[StudyModel], dict[str, str]]:
    """The models of the study, and those that are optional and lack a file, with the reason."""
    models, left_out = [], {}
    for number, table in enumerate(study.model):
        try:
            models.append(_model(path, study, number))
        except OptionError as error:
            if not table.optional or not isinstance(error.__cause__, InputFileError):
                raise
            left_out[table.label] = str(error.__cause__)
    return models, left_out


def _model(path: Path, study: StudyFile, number: int) -> StudyModel:
    """A model of the study with its settings and, where it is tuned, those of each combination."""
    table, how = study.model[number], study.tune or TuneTable()
    seeds = tuple(study.seeds if table.seeds is None else table.seeds)
    family = find_family(table.preset)
    try:
        settings = family.settings(table.preset, _in_folder(family, table.changes, path))
        of_data = None if table.data is None else tuple(table.data)
        model = StudyModel(table.label, table.preset, settings, seeds, data=of_data)
        if table.tune is None:
            return model
        grid = _grid(table)
        trials = [
            StudyModel(
                f"{model.name},{grid.label(values)}",
                model.preset,
                family.settings(model.preset, _in_folder(family, {**table.changes, **values}, path)),
                tuple(how.seeds),
            )
            for values in grid.combinations()
        ]
    except RecombineError as error:
        raise OptionError(f"{path}: [[model]] number {number + 1}: {error.problem}", error.remedy) from error
    return replace(model, grid=grid, trials=tuple(trials))


def _in_folder(family: Family, changes: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """Changed settings of a model with the files that they name found beside the study file."""
    return changes if family.in_folder is None else family.in_folder(changes, path.parent)


def _grid(table: ModelTable) -> Grid:
    for name in table.tune or ():
        if name in table.changes:
            raise OptionError(f"{name} is both set and tuned", "leave out one of them")
    return Grid.of(table.tune or {})


def _recipes(study: StudyFile, table: DataTable, models: Sequence[StudyModel]) -> Iterator[Recipe]:
    replicates = sorted({seed for model in models for seed in model.seeds})
    for split in study.split:
        if split.splits_data(table.label):
            yield from iter_recipes(split, replicates)


def _check_keys(cells: Sequence[Cell]) -> None:
    names: dict[str, str] = {}
    for cell in cells:
        if cell.key in names:
            raise OptionError(f"the cells {names[cell.key]} and {cell.name} are the same", "leave out one of them")
        names[cell.key] = cell.name
