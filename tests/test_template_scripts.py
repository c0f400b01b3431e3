"""The scripts that set template splits beside the local-structures paper: by hand, and on what is stored."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import orjson
import pytest

import recombine
from recombine.records.dataset import Dataset
from recombine.splits.hold_out.hold_out_structures import HeldOutStructure
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.studies.cells.plan import make_plan
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.tables.summary import CellResult
from recombine.tree import Tree

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "benchmarks" / "results"


@pytest.fixture(scope="module")
def scripts() -> Any:
    """Loads a script of the benchmarks by its name, with those beside it."""
    sys.path.insert(0, str(ROOT / "benchmarks"))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    sys.path.remove(str(ROOT / "benchmarks"))


# -- templates and areas --------------------------------------------------------------------------------------------


def cities() -> Dataset:
    """Four programs of two templates."""
    texts = [f"answer ( {word} ( m{place} ) )" for word in ("capital", "size") for place in range(2)]
    return recombine.load([(text, text) for text in texts], language="funql")


def test_templates_of_both_parts_are_counted(scripts: Any) -> None:
    table = scripts("template_difficulty").split_table(cities(), {"good": ([0, 1], [2, 3]), "bad": ([0, 1, 2], [3])})
    assert table["good"] == {
        "train": 2,
        "test": 2,
        "train_templates": 1,
        "test_templates": 1,
        "templates_of_both": 0,
    }
    assert table["bad"]["templates_of_both"] == 1


@pytest.mark.parametrize(("both", "code"), [(0, 0), (2, 1)])
def test_a_template_of_test_in_train_is_a_failure(
    both: int, code: int, scripts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    script = scripts("template_difficulty")
    value = {"splits": {"one": {"templates_of_both": both}}, "unseen": {}, "left_out": ["cfq:lstm"]}
    monkeypatch.setattr(script, "measure", lambda _: value)
    monkeypatch.setattr(sys, "argv", ["x", "atis_templates", "-o", str(tmp_path / "out.json")])
    assert script.main() == code
    printed = capsys.readouterr()
    assert "cfq:lstm: left out, some of its cells are not stored" in printed.out
    assert ("2 templates of test are in train" in printed.err) is bool(both)


def test_the_rules_are_the_paper_s(scripts: Any) -> None:
    """Tables 3 and 6, the columns of ATIS and COVR."""
    rules = scripts("decision_rules").RULES
    assert len(rules) == 9
    assert [rule.paper("atis", "cfq:transformer") for rule in rules.values()] == [
        *(75.8, 78.7, 81.4, 67.7, 64.1, 73.5, 69.9, 47.4, 49.2),
    ]
    assert [rule.paper("covr", "cfq:lstm") for rule in rules.values()] == [80.0, 81.6, 82.6, *[None] * 6]


def test_scores_come_split_after_split(scripts: Any) -> None:
    """With one train program, a test program equal to it is easy under all structures and no longer one is not."""
    trees = [Tree("count", (Tree("dog"),)), Tree("count", (Tree("dog"),)), Tree("all", (Tree("of", (Tree("it"),)),))]
    parts = {"same": ([0], [1]), "other": ([0], [2, 1])}
    scores = scripts("decision_rules").rule_scores(program_arrays(trees), parts)
    assert {name: line.tolist() for name, line in scores.items() if name.endswith("LS")} == {
        name: [1.0, 0.0, 1.0] for name in ("2-LS", "3-LS", "4-LS")
    }
    assert scores["length"].tolist() == [0.0, 0.0, 0.0]  # the longest of train is two symbols long, as is the first
    assert len(scores["random"]) == 3


@pytest.mark.parametrize("study", [pytest.param("atis_templates", marks=pytest.mark.shared_data), "covr_templates"])
def test_no_template_is_on_both_sides_and_wrong_answers_are_counted(study: str, scripts: Any) -> None:
    """What is kept says so, and the stored splits and outputs say the same."""
    script = scripts("template_difficulty")
    kept = orjson.loads((KEPT / f"{study}.json").read_bytes())
    plan = make_plan(script.STUDIES / f"{study}.toml", make=False)
    (data,) = plan.datasets.values()
    parts = {
        cell.recipe.name: (cell.split.positions(data, "train"), cell.split.positions(data, "test"))
        for cell in plan.cells
        if cell.split is not None
    }
    assert script.split_table(data, parts) == kept["splits"]
    assert len(parts) == 5
    assert not any(row["templates_of_both"] for row in kept["splits"].values())
    for model, rows in script.rows_by_model(plan, parts).items():
        wrong = sum(not row["correct"] for row in rows)
        assert len(kept["auc"][model]) == 9
        for area in kept["auc"][model].values():
            assert (area["negatives"], area["positives"]) == (wrong, len(rows) - wrong)
            assert area["low"] <= area["pooled"] <= area["high"]
            assert area["splits"] == 5


# -- adversarial splits ---------------------------------------------------------------------------------------------


def held(name: str, *test: int) -> HeldOutStructure:
    return HeldOutStructure((name,), (name,), 0.0, 0.1, 0.2, np.isin(np.arange(10), test))


def test_splits_that_share_most_of_test_are_mostly_one(scripts: Any) -> None:
    """Of the tests of a and b seven of eight are common, of a and c one of nine, of c and d two of four."""
    splits = [held("a", *range(8)), held("c", 7, 8), held("b", *range(7)), held("d", 0, 1, 7, 8)]
    groups = scripts("adversarial_splits").mostly_one(splits)
    assert [[split.seeds[0] for split in group] for group in groups] == [["a", "b"], ["c"], ["d"]]


def test_chains_are_as_strong_as_their_weakest_step(scripts: Any) -> None:
    """`count > dog` is like `count > cat`, which is like `all > cat`; first and last have no symbol in common."""
    trees = [Tree(parent, (Tree(child),)) for parent, child in (("count", "dog"), ("count", "cat"), ("all", "cat"))]
    arrays = program_arrays(trees)
    structures = local_structures(arrays, "local:2,no-siblings")
    names = [structures.name(column) for column in range(structures.shape[1])]
    module = scripts("adversarial_splits")
    direct, chained = (
        kind(arrays, structures, ["a", "b", "c"], "contexts", 1.0) for kind in (module.Candidates, module.Chains)
    )
    start = names.index("count > dog")
    near = {names[column]: score for column, score in zip(*direct.similar_to(start), strict=True)}
    far = {names[column]: score for column, score in zip(*chained.similar_to(start), strict=True)}
    # dog has the parent count, cat has count and all: half of them are common; count has dog and cat, all has cat, and
    # both stand below the root: (1/2 + 1) / 2.
    assert near == {"count > dog": 1.0, "count > cat": 0.5}
    assert far == {"count > dog": 1.0, "count > cat": 0.5, "all > cat": 0.5}


# -- choosing -------------------------------------------------------------------------------------------------------


def results(accuracies: dict[tuple[str, int, int], float]) -> list[CellResult]:
    """Cells of COVR with 300 examples by way, seed of the split and seed of the model, with these accuracies."""
    from recombine.studies.cells.cell import Cell, StudyModel

    study = read_study_file(ROOT / "studies" / "template_selection.toml")
    found = []
    for recipe in iter_recipes(study.split[0], study.seeds):
        seed = recipe.replicate or 0
        value = accuracies.get((recipe.train_by or "random", recipe.seed, seed))
        if recipe.train_size == 300 and value is not None:
            cell = Cell("k", "n", "covr", recipe, StudyModel("m", "cfq:lstm", {}, (1,)), seed, None, "", "", "keep")
            found.append(CellResult(cell, {"state": "done", "score": {"exact_match": value / 100, "n": 4}}))
    return found


def test_choices_are_compared_in_pairs(scripts: Any) -> None:
    """By hand: the gains are 10 and 20 on split 0, −6 on split 1; seed 3 of split 1 has no partner and is left out."""
    accuracies = {("random", 0, 1): 50.0, ("local-structure", 0, 1): 60.0, ("random", 0, 2): 40.0}
    accuracies |= {("local-structure", 0, 2): 60.0, ("random", 1, 1): 66.0, ("local-structure", 1, 1): 60.0}
    (row,) = scripts("template_selection").table(results({**accuracies, ("random", 1, 3): 99.0}))
    assert (row["data"], row["budget"], row["splits"], row["pairs"], row["splits_ahead"]) == ("covr", 300, 2, 3, 1)
    assert (row["random"], row["local-structure"]) == (52.0, 60.0)
    assert row["difference"] == pytest.approx(8.0)
    assert (row["low"], row["high"]) == (-6.0, 15.0)  # either split alone, drawn twice


def test_the_study_of_choices_is_the_paper_s() -> None:
    """§6.2: half of COVR's templates and a fifth of ATIS', five splits, three seeds, two ways to choose."""
    study = read_study_file(ROOT / "studies" / "template_selection.toml")
    shares = {split.data: split.options["test_templates"] for split in study.split}
    assert shares == {"covr": 0.5, "atis": 0.2}
    for split in study.split:
        recipes = list(iter_recipes(split, study.seeds))
        assert len({recipe.seed for recipe in recipes}) == 5
        assert {recipe.replicate for recipe in recipes} == {1, 2, 3}
        assert {recipe.train_by for recipe in recipes} == {None, "local-structure"}
        assert len(recipes) == 5 * 3 * 2 * len(split.train_sizes or ())
