"""Cells and their keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.studies.cells.plan import make_plan
from recombine.studies.file.recipe import iter_recipes
from recombine.studies.file.study_file import SplitTable
from small_study import STUDY, Study


def keys(path: Path, **options: bool) -> dict[str, str]:
    return {cell.name: cell.key for cell in make_plan(path, path.parent / "results", **options).cells}


def test_cells_are_the_matrix(study: Study) -> None:
    more = STUDY + '[[model]]\npreset = "cfq:lstm"\nseeds = [5]\n'
    assert list(keys(study(more))) == ["tiny/random/0", "tiny/random/1", "cfq:lstm/random/5"]


def test_lists_make_splits_and_rows() -> None:
    table = SplitTable(by="mcd", divergence=[0.1, 0.2], quota=[1, 2], over=["quota"], seeds=[7, 8], train_sizes=[5])
    found = list(iter_recipes(table, [0]))
    assert len(found) == 8
    assert found[0].name == "mcd,divergence=0.1,quota=1,train=5,seed=7"
    assert {recipe.group for recipe in found} == {"mcd,divergence=0.1,train=5", "mcd,divergence=0.2,train=5"}
    assert found[0].options == {"divergence": 0.1, "quota": 1}
    assert found[0].train_size == 5


def test_a_split_of_each_replicate_is_for_that_one(study: Study) -> None:
    found = keys(study(STUDY.replace('by = "random"', 'by = "random"\nseeds = "replicate"')))
    assert list(found) == ["tiny/random,seed=0/0", "tiny/random,seed=1/1"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("steps = 30", "steps = 40"),
        ("train = 12", "train = 11"),
        ('by = "random"', 'by = "random"\nseeds = [3]'),
        ('name = "letters"', 'name = "letters"\nunseen = "keep"'),
    ],
)
def test_whatever_decides_the_result_changes_the_key(old: str, new: str, study: Study) -> None:
    before = keys(study())
    after = keys(study(STUDY.replace(old, new, 1)))
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())
    assert len(set(before.values())) == 2


def test_data_changes_the_key(study: Study) -> None:
    before = keys(study())
    path = study()
    (path.parent / "letters.tsv").write_text((path.parent / "letters.tsv").read_text().replace("a a", "a e"))
    assert len({*before.values(), *keys(path).values()}) == 4


@pytest.mark.parametrize(
    ("old", "new"), [('"tiny"', '"small"'), ("curve = 10", "curve = 5"), ("sample = 4", "stack = 3")]
)
def test_names_and_the_way_of_running_do_not_change_the_key(old: str, new: str, study: Study) -> None:
    assert list(keys(study()).values()) == list(keys(study(STUDY.replace(old, new))).values())


def test_a_split_is_made_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    path = study()
    before = keys(path)
    kept = list((path.parent / "results" / "splits").iterdir())
    assert len(kept) == 1
    monkeypatch.setattr("recombine.studies.cells.make_split._made", None)
    assert keys(path) == before == keys(path, make=False)


def test_status_makes_nothing(study: Study) -> None:
    path = study()
    assert all(cell.split is None and not cell.problem for cell in make_plan(path, make=False).cells)
    assert sorted(p.name for p in path.parent.iterdir()) == ["letters.tsv", "study.toml"]


def test_a_smaller_train_part_keeps_test(study: Study) -> None:
    path = study(STUDY.replace("test = 4", "test = 4\ntrain_sizes = [3, 12]"))
    small, _, whole, _ = make_plan(path, path.parent / "results").cells
    assert small.split is not None
    assert whole.split is not None
    assert (small.split.sizes(), whole.split.sizes()) == ({"train": 3, "test": 4}, {"train": 12, "test": 4})
    assert set(small.split.train) < set(whole.split.train)
    assert small.split.test == whole.split.test
    assert small.split.signature.get("train_of") == "12"
