"""The studies of generated questions plan what they say: here with few questions, in the same proportions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recombine.datasets.parts import parts_generator
from recombine.studies.cells import make_split, split_keys
from recombine.studies.cells.load_data import load_data
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.file.study_file import DataTable, StudyFile

STUDIES = Path(__file__).parents[3] / "studies"
SMALLER = {"239357": "400", "95743": "160", "11968": "20", "30000": "50", "9574": "16", "3000": "5"}
SPLITS = {"cfq_table4": 7, "cfq_figure2": 5, "cfq_training_size": 16}
MODELS = {"cfq:transformer", "cfq:universal-transformer", "cfq:lstm"}


def planned(name: str) -> StudyFile:
    return read_study_file(STUDIES / f"{name}.toml")


def small(name: str, folder: Path) -> Path:
    """The study with a six-hundredth of the questions, not grounded, without the real pairs, and of low effort.

    Rules that few questions have cannot be divided evenly, so that the cap on D_A is higher.
    """
    text = (STUDIES / f"{name}.toml").read_text()
    tables = re.split(r"\n(?=\[\[)", text)
    text = "\n".join(table for table in tables if '"real"' not in table)
    for number, smaller in SMALLER.items():
        text = re.sub(rf"\b{number}\b", smaller, text)
    text = re.sub(r"\neffort = [0-9.]+", "\neffort = 0.01\nmax_atom_divergence = 0.15", text)
    path = folder / f"{name}.toml"
    path.write_text(text.replace('generate = "cfq"', 'generate = "cfq"\ngrounding = false'))
    return path


def plan(name: str, folder: Path) -> Plan:
    return make_plan(small(name, folder), folder / "results")


@pytest.fixture(scope="module")
def table4(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """The plan of the table with few questions, made once."""
    return plan("cfq_table4", tmp_path_factory.mktemp("cfq_table4"))


@pytest.fixture(scope="module")
def training_size(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, int]:
    """The plan of training sizes with few questions, made once, and how often its data was digested."""
    times = []

    def counting(*given: object, **named: object) -> object:
        times.append(1)
        return split_keys.split_data(*given, **named)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(make_split, "split_data", counting)
        found = plan("cfq_training_size", tmp_path_factory.mktemp("cfq_training_size"))
    return found, len(times)


@pytest.mark.parametrize("name", SPLITS)
def test_cells(name: str) -> None:
    study = planned(name)
    recipes = [recipe for table in study.split for recipe in iter_recipes(table, study.seeds)]
    assert len(recipes) == SPLITS[name]
    assert {model.preset for model in study.model} == MODELS
    assert all(not model.changes and model.seeds is None for model in study.model), "the paper's settings"


@pytest.mark.parametrize("name", SPLITS)
def test_generated_data_is_one(name: str) -> None:
    """All three are of the same questions, so that a split of one is a split of the others."""
    [table] = [table for table in planned(name).data if table.generate]
    [first] = planned("cfq_table4").data
    assert table.model_copy(update={"name": ""}) == first
    assert (first.generate, first.n, first.seed) == ("cfq", 239357, 1)


def test_the_highest_divergence_is_one_split() -> None:
    found = set()
    for name in SPLITS:
        for table in planned(name).split:
            if table.by == "mcd" and "divergence" not in table.options and not table.structures:
                found.add((tuple(table.seeds), *sorted(table.options.items()), table.best_effort, table.part))
    assert len(found) == 1


@pytest.mark.parametrize(("name", "cells"), [("cfq_table4", 63), ("cfq_figure2", 15), ("cfq_training_size", 24)])
def test_a_small_one_is_planned(
    name: str, cells: int, tmp_path: Path, table4: Plan, training_size: tuple[Plan, int]
) -> None:
    made = {"cfq_table4": table4, "cfq_training_size": training_size[0]}
    found = made.get(name) or plan(name, tmp_path)
    assert len(found.cells) == cells
    assert [cell.problem for cell in found.cells if cell.problem] == []
    for cell in found.cells:
        assert cell.split is not None
        assert cell.split.sizes() == {"train": cell.recipe.train_size or 160, "dev": 20, "test": 20}
        if cell.recipe.by == "mcd" and cell.recipe.train_size is None and not cell.recipe.best_effort:
            assert cell.split.measured["atom_divergence"] <= 0.15


def test_splits_are_of_what_they_say(table4: Plan) -> None:
    [dataset] = table4.datasets.values()
    splits = {cell.recipe.name: cell.split for cell in table4.cells}

    def tags(split: str, part: str, tag: str) -> list[object]:
        made = splits[split]
        assert made is not None
        return [dataset[key].tags[tag] for key in made.part(part)]

    for split, tag, most in (("output-length", "sparqlNumConstraints", 7), ("input-length", "parseTreeLeafCount", 19)):
        assert max(map(int, map(str, tags(split, "train", tag)))) <= most
        assert min(map(int, map(str, tags(split, "test", tag)))) > most
    for split, tag in (("output-pattern", "sparqlPattern"), ("input-pattern", "questionTemplate")):
        assert not {*map(str, tags(split, "train", tag))} & {*map(str, tags(split, "test", tag))}


# -- data that takes long to make ---------------------------------------------------------------------------------


def test_questions_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path))
    table = DataTable(generate="cfq", n=30, seed=3, grounding=False, max_level=12)  # type: ignore[call-arg]
    made = load_data(table, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(parts_generator, "make_parts", None)
        read = load_data(table, tmp_path)
    assert list(read) == list(made)
    assert (read.name, read.hash, read.structures, read.language) == (
        *(made.name, made.hash, made.structures, made.language),
    )
    other = load_data(table.model_copy(update={"seed": 4}), tmp_path)
    assert other.hash != made.hash


def test_data_is_digested_once_for_all_splits(training_size: tuple[Plan, int]) -> None:
    """Of much data it takes a minute."""
    found, times = training_size
    assert len({cell.recipe_key for cell in found.cells}) == 8
    assert times == 1
