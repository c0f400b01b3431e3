"""Reading a study file: a wrong key, type or name is one line that says where it is and what is known there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from recombine.datasets.generators import generator_kind
from recombine.errors import InputFileError, RecombineError, UnknownNameError
from recombine.evaluation.match.matchers import MATCHERS
from recombine.files import read_text
from recombine.options import check_options, options_of
from recombine.plugins import Plugin, load_plugin
from recombine.seeds import check_seed
from recombine.selection.select_examples import METHODS
from recombine.splits.methods import SPLITTERS, option_names
from recombine.structures.definition import Structures
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.file.study_file import (
    DataTable,
    HybridTable,
    ModelTable,
    PaperErrorsTable,
    PaperTable,
    SplitTable,
    StudyFile,
    Table,
    TuneTable,
)

if TYPE_CHECKING:
    from pydantic_core import InitErrorDetails

    from recombine.options import Option

TRAIN_BY = tuple(sorted(set(METHODS) - {"coverage"}))
"""The ways to choose examples to train on; `coverage` is of a program that is to be shown something."""
_NAME = re.compile(r"(?!\.+$)[\w:.+-]+")
"""What can be the name of a file: letters, digits and a few marks, and not dots alone."""


def read_study_file(path: Path | str) -> StudyFile:
    """The study in a file, checked as far as can be without loading data."""
    path = Path(path)
    try:
        values = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{path}: not TOML ({error})", "mend it") from None
    except RecursionError:
        raise InputFileError(f"{path}: not a study (values too deep inside each other)", "mend it") from None
    try:
        study = StudyFile.model_validate(values)
        load_plugins(study, path.parent)
        _check(study)
    except ValidationError as error:
        raise _translated(path, error, values) from None
    except RecombineError as error:
        raise InputFileError(f"{path}: {error.problem}", error.remedy) from error
    return study


def load_plugins(study: StudyFile, folder: Path) -> tuple[Plugin, ...]:
    """The plug-ins that a study names, loaded; files are relative to the folder of the study file."""
    return tuple(load_plugin(name, folder=folder) for name in study.plugins)


def _translated(path: Path, error: ValidationError, values: dict[str, Any]) -> InputFileError:
    """The first thing wrong, with its place and what is known there."""
    problems = error.errors(include_url=False)
    # A key that is spelled wrong is also missing: the misspelling says more.
    first = next((problem for problem in problems if problem["type"] == "extra_forbidden"), problems[0])
    places = [part for part in first["loc"] if not (isinstance(part, str) and "[" in part)]
    table = _known_keys(places, values)
    where = _where(places[:-1])
    if first["type"] == "extra_forbidden":
        unknown = UnknownNameError("key", str(places[-1]), table)
        return InputFileError(f"{path}, {where}: {unknown.problem}", unknown.remedy)
    if first["type"] == "missing":
        return InputFileError(f"{path}, {where}: the key {places[-1]!r} is missing", "add it")
    return InputFileError(f"{path}, {where}: {places[-1]!r} is {first['input']!r}", str(first["msg"]))


def _where(places: list[Any]) -> str:
    if not places:
        return "at the top"
    return f"[[{places[0]}]] number {places[1] + 1}" if len(places) > 1 else f"{places[0]}"


def _known_keys(places: list[Any], values: dict[str, Any]) -> list[str]:
    tables: dict[Any, type[Table]] = {
        "data": DataTable,
        "split": SplitTable,
        "model": ModelTable,
        "paper": PaperTable,
        "paper_errors": PaperErrorsTable,
        "tune": TuneTable,
        "hybrid": HybridTable,
    }
    known = list((tables.get(places[0], StudyFile) if len(places) > 1 else StudyFile).model_fields)
    if len(places) > 2 and places[0] == "data":
        known += [each.name for each in _generator_options(values["data"][places[1]].get("generate"))]
    return known


def _check(study: StudyFile) -> None:
    """What types alone do not say."""
    _check_name("study", study.name)
    tuning = [] if study.tune is None else [study.tune.seed, *study.tune.seeds]
    for seed in [*study.seeds, *tuning, *(seed for model in study.model for seed in model.seeds or [])]:
        check_seed(seed)
    _check_tune(study)
    _check_data_keys(study)
    _check_metric(study)
    for number, data in enumerate(study.data, start=1):
        _one_of(f"[[data]] number {number}", {"id": data.id, "file": data.file, "generate": data.generate})
        if data.generate and data.n is None:
            raise RecombineError(f"[[data]] number {number}: the key 'n' is missing", "say how many pairs to generate")
        if data.schema_limit is not None and not data.append_schema:
            raise RecombineError(
                f"[[data]] number {number}: schema_limit is given, but no schemas are wanted",
                "add append_schema = true",
            )
    for number, split in enumerate(study.split, start=1):
        _check_split(split, f"[[split]] number {number}", [data.label for data in study.data])
    for kind, labels in (
        ("data", [data.label for data in study.data]),
        ("split", [split.label for split in study.split]),
        ("model", [model.label for model in study.model]),
    ):
        _check_names(kind, labels)
    models = [model.label for model in study.model]
    for number, split in enumerate(study.split, start=1):
        for name in split.models or ():
            if name not in models:
                raise UnknownNameError(f"model of [[split]] number {number}", name, models)
    labels = [data.label for data in study.data]
    for number, model in enumerate(study.model, start=1):
        for name in model.data or ():
            if name not in labels:
                raise UnknownNameError(f"data of [[model]] number {number}", name, labels)
    if study.generalization is not None:
        for name in (study.generalization.model, study.generalization.text):
            if name not in models:
                raise UnknownNameError("model in [generalization]", name, models)
    groups = {recipe.group for split in study.split for recipe in iter_recipes(split, study.seeds)}
    _check_hybrids(study, models, labels, groups)
    for table, papers in (("paper", study.paper), ("paper_errors", study.paper_errors)):
        for paper in papers:
            if paper.model not in models:
                raise UnknownNameError(f"model in [[{table}]]", paper.model, models)
            for name in paper.splits:
                if name not in groups:
                    raise UnknownNameError(f"split in [[{table}]]", name, groups)


def _check_hybrids(study: StudyFile, models: list[str], labels: list[str], groups: set[str]) -> None:
    """Refuse hybrids of models, data or splits that the study does not have."""
    _check_names("hybrid", [hybrid.name for hybrid in study.hybrid])
    for number, hybrid in enumerate(study.hybrid, start=1):
        where = f"[[hybrid]] number {number}"
        for name in (hybrid.first, hybrid.fallback):
            if name not in models:
                raise UnknownNameError(f"model in {where}", name, models)
        if hybrid.first == hybrid.fallback:
            raise RecombineError(f"{where}: {hybrid.first} is its own fallback", "name another model")
        for data in (*hybrid.fallback_data, *hybrid.fallback_data.values()):
            if data not in labels:
                raise UnknownNameError(f"data in {where}", data, labels)
        for name in hybrid.paper:
            if name not in groups:
                raise UnknownNameError(f"split in {where}", name, groups)


def _check_tune(study: StudyFile) -> None:
    """Refuse `[tune]` where no model is tuned, and seeds that would run the same twice."""
    if study.tune is None:
        return
    if all(model.tune is None for model in study.model):
        raise RecombineError("[tune]: no [[model]] has `tune`", "give one, such as tune = {dropout = [0.0, 0.1]}")
    if len({*study.tune.seeds}) < len(study.tune.seeds):
        raise RecombineError(f"[tune]: seeds has the same number twice ({study.tune.seeds})", "leave out one of them")


def _check_metric(study: StudyFile) -> None:
    """Refuse a metric that nothing knows, and one of programs where answers are compared."""
    if study.metric:
        MATCHERS.find(study.metric)
        if study.match != "target":
            raise RecombineError(f"the metric {study.metric} compares programs, and match is {study.match}", "give one")
    elif any(data.schemas is not None and not data.append_schema for data in study.data):
        raise RecombineError("schemas are given, and nothing asks for them", "add metric or append_schema")


def _check_data_keys(study: StudyFile) -> None:
    """Refuse further keys of `[[data]]` that are no options of its generator, as other tables refuse theirs."""
    for place, data in enumerate(study.data):
        options = _generator_options(data.generate)
        known = [each.name for each in options]
        wrong = [name for name in data.options if name not in known]
        if wrong:
            problem: InitErrorDetails = {
                "type": "extra_forbidden",
                "loc": ("data", place, wrong[0]),
                "input": data.options[wrong[0]],
            }
            raise ValidationError.from_exception_data("StudyFile", [problem])
        try:
            check_options(data.options, options)
        except RecombineError as error:
            raise RecombineError(f"[[data]] number {place + 1}: {error.problem}", error.remedy) from None


def _generator_options(generator: str | None) -> tuple[Option, ...]:
    return () if generator is None else options_of(generator_kind(generator))


def _check_split(split: SplitTable, where: str, labels: list[str]) -> None:
    _one_of(where, {"published": split.published, "file": split.file, "by": split.by})
    known: set[str] = set(SplitTable.model_fields)
    if split.by is not None:
        if split.by not in SPLITTERS:
            raise UnknownNameError(f"method of {where}", split.by, SPLITTERS)
        known |= {*option_names(SPLITTERS[split.by])} - {"seed"}
    for name in split.options:
        if name not in known:
            raise UnknownNameError(f"key of {where}", name, known)
    for definition in split.structures:
        if not isinstance(definition, str):
            raise RecombineError(f"{where}: 'structures' is {definition!r}", "write a definition as a text")
        try:
            Structures.parse(definition)
        except RecombineError as error:
            raise RecombineError(f"{where}: {error.problem}", error.remedy) from None
    lists = [name for name, value in split.options.items() if isinstance(value, list)]
    for name in split.over:
        if name not in lists:
            raise UnknownNameError(f"list to take a mean over in {where}", name, lists)
    for data in [split.data] if isinstance(split.data, str) else split.data or ():
        if data not in labels:
            raise UnknownNameError(f"data of {where}", data, labels)
    for seeds in (split.seeds, split.train_seeds):
        for seed in seeds if isinstance(seeds, list) else ():
            check_seed(seed)
    _check_train(split, where)


def _check_train(split: SplitTable, where: str) -> None:
    """Refuse ways to choose train examples that are not known, that nothing asks for, or seeds that do not pair."""
    for name in ("train_by", "train_seeds"):
        if getattr(split, name) is not None and split.train_sizes is None:
            raise RecombineError(f"{where}: {name} is given, but not how many examples are wanted", "add train_sizes")
        if getattr(split, name) == []:
            raise RecombineError(f"{where}: {name} is an empty list", "name at least one")
    ways = [split.train_by] if isinstance(split.train_by, str) else split.train_by or []
    for way in ways:
        if way not in TRAIN_BY:
            raise UnknownNameError(f"train_by of {where}", way, TRAIN_BY)
    if split.seeds == "replicate" and split.train_seeds is not None:
        raise RecombineError(
            f"{where}: seeds go with replicates, and train_seeds too", "leave out train_seeds: the split's are taken"
        )


def _one_of(where: str, given: dict[str, Any]) -> None:
    named = [key for key, value in given.items() if value is not None]
    if len(named) != 1:
        listed = " and ".join(named) or "none"
        raise RecombineError(f"{where}: wants one of {', '.join(given)}, but has {listed}", "name exactly one of them")


def _check_names(kind: str, labels: list[str]) -> None:
    for label in labels:
        if kind == "model":
            _check_name(kind, label)
        if kind == "data":
            _check_folder_name(label)
        if labels.count(label) > 1:
            raise RecombineError(f"two [[{kind}]] tables are called {label!r}", "give each its own name")


def _check_name(kind: str, name: str) -> None:
    """Refuse a name that is not that of a file: results of a study and of a model are stored under their names."""
    if not _NAME.fullmatch(name):
        raise RecombineError(
            f"the {kind} name {name!r} has other than letters, digits and :._+-, or dots alone", "rename it"
        )


def _check_folder_name(label: str) -> None:
    """Refuse a name of data that leads out of a folder: an export has a folder for each."""
    if not label.isprintable() or "\\" in label or {"", ".", ".."}.intersection(label.split("/")):
        raise RecombineError(f"the data name {label!r} cannot be that of a folder", "give it another with name = …")
