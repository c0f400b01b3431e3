"""Cells and their keys."""

from __future__ import annotations

import json
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


# -- what is chosen of train --------------------------------------------------------------------------------------

CHOSEN = """train_sizes = [2, 3]
train_by = ["random", "local-structure"]
train_seeds = "replicate"
"""


def test_choices_of_train_make_splits_rows_and_pairs_of_seeds() -> None:
    table = SplitTable(
        by="template", seeds=[7, 8], train_sizes=[5], train_by=["random", "template"], train_seeds="replicate"
    )
    found = list(iter_recipes(table, [0, 1]))
    assert [recipe.name for recipe in found[:3]] == [
        "template,train_by=random,train=5,seed=7,train_seed=0",
        "template,train_by=random,train=5,seed=8,train_seed=0",
        "template,train_by=random,train=5,seed=7,train_seed=1",
    ]
    assert {recipe.group for recipe in found} == {
        "template,train_by=random,train=5",
        "template,train_by=template,train=5",
    }
    assert [(recipe.train_by, recipe.train_seed, recipe.replicate) for recipe in found[::2]] == [
        (None, 0, 0),
        (None, 1, 1),
        ("template", 0, 0),
        ("template", 1, 1),
    ]


def test_nothing_said_of_the_choice_leaves_keys_as_they_were() -> None:
    """Keys of stored cells hold the recipe: a field that is not used must not be in it."""
    plain, chosen = (
        next(iter_recipes(SplitTable(by="random", train_sizes=[5], train_by=way), [0])) for way in (None, "random")
    )
    assert plain.content() == chosen.content()
    assert not {"train_by", "train_seed"} & set(plain.content())


@pytest.fixture
def by_structure(study: Study) -> Path:
    """Eight programs to train on, six of which are alike, and two tests, one of which is like none of them."""
    path = study(
        """name = "chosen"
seeds = [1, 2]
[[data]]
file = "programs.jsonl"
language = "functional"
measure = false
[[split]]
file = "held.json"
"""
        + CHOSEN
        + """[[model]]
preset = "cfq:lstm"
"""
    )
    texts = ["seen ( in ( test ( alone ) ) )", "count ( b )", *(f"count ( {name} )" for name in "cdefgh")]
    texts += ["none ( of ( it ) )", "more ( than ( that ( is ) ) )"]
    rows = [{"source": f"q {place}", "target": text} for place, text in enumerate(texts)]
    (path.parent / "programs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (path.parent / "held.json").write_text(json.dumps({"train": list(range(2, 10)), "test": [0, 1]}))
    return path


def test_train_is_chosen_by_structure(by_structure: Path) -> None:
    """Of eight programs six are alike: whatever the seed, three chosen by structure have both others, by §6.2."""
    plan = make_plan(by_structure, by_structure.parent / "results")
    texts = {example.id: example.target for example in plan.datasets["programs"]}
    for cell in plan.cells:
        assert cell.split is not None
        assert cell.split.sizes() == {"train": cell.recipe.train_size, "test": 2}
        assert cell.seed == cell.recipe.train_seed == int(cell.split.signature.get("train_seed") or -1)
        assert cell.split.signature.get("train_of") == "8"
        structures = "local:2" if cell.recipe.train_by else ""
        assert cell.split.signature.get("train_by") == (cell.recipe.train_by or "")
        assert cell.split.signature.get("train_structures") == structures
        order = [plan.datasets["programs"].index[key] for key in cell.split.train]
        assert order == sorted(order)
        if cell.recipe.train_by == "local-structure" and cell.recipe.train_size == 3:
            assert {texts[key].split()[0] for key in cell.split.train} == {"count", "none", "more"}
    assert len(plan.cells) == 8


def test_more_of_one_seed_hold_what_fewer_did(by_structure: Path) -> None:
    plan = make_plan(by_structure, by_structure.parent / "results")
    made = {(c.recipe.train_by, c.recipe.train_size, c.seed): c.split for c in plan.cells}
    for by in (None, "local-structure"):
        for seed in (1, 2):
            fewer, more = made[by, 2, seed], made[by, 3, seed]
            assert fewer is not None
            assert more is not None
            assert set(fewer.train) < set(more.train)


def test_a_choice_that_data_does_not_allow_fails_with_its_reason(by_structure: Path) -> None:
    text = by_structure.read_text().replace('language = "functional"\n', "")
    by_structure.write_text(text.replace("[2, 3]", "[2, 9]"))
    plan = make_plan(by_structure, by_structure.parent / "results")
    problems = {cell.recipe.name: cell.problem for cell in plan.cells if cell.seed == 1}
    assert "a train size of 9 of 8 examples" in problems["held,train_by=random,train=9,train_seed=1"]
    assert "language" in problems["held,train_by=local-structure,train=2,train_seed=1"]
    assert problems["held,train_by=random,train=2,train_seed=1"] == ""
