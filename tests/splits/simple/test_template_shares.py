"""A share of templates held out: each has the same chance, whatever its size (local_structures, §2.1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recombine
from recombine.cli.app import app
from recombine.errors import OptionError, SizeError
from recombine.records.dataset import Dataset
from recombine.splits.simple.template import TemplateSplitter
from recombine.structures.programs.templates import templates
from recombine.studies.cells.plan import make_plan

SIZES = (60, *[2] * 20)
"""One template has 60 of 100 examples: a test of 20 examples cannot hold it, a fifth of the templates can."""


def pairs() -> list[tuple[str, str]]:
    return [
        (f"t{number} of m{n}", f"answer ( t{number} ( m{n} ) )")
        for number, size in enumerate(SIZES)
        for n in range(size)
    ]


def data() -> Dataset:
    return recombine.load(pairs(), language="funql")


def held_out(dataset: Dataset, splitter: TemplateSplitter) -> set[str]:
    split, named = splitter.split(dataset), templates(dataset)
    train, test = split.indices(dataset)
    assert not {named[row] for row in train} & {named[row] for row in test}
    return {named[row] for row in test}


def test_so_many_templates_are_held_out_and_large_ones_as_often_as_small_ones() -> None:
    """A fifth of 21 templates are 4, so the large one is held out in 4 of 21 draws: 23 ± 4 of 120."""
    dataset = data()
    large = templates(dataset)[0]
    held = [held_out(dataset, TemplateSplitter(test_templates=0.2, seed=seed)) for seed in range(120)]
    assert {len(each) for each in held} == {4}
    assert 9 < sum(large in each for each in held) < 40
    by_size = [held_out(dataset, TemplateSplitter(test=0.2, seed=seed)) for seed in range(20)]
    assert not any(large in each for each in by_size)


def test_sizes_are_drawn_from_what_is_held_out() -> None:
    dataset = data()
    split = TemplateSplitter(test_templates=0.5, dev=3, test=5, train=9, seed=1).split(dataset)
    assert split.sizes() == {"train": 9, "dev": 3, "test": 5}
    rest = TemplateSplitter(test_templates=0.2, dev=3, seed=1).split(dataset)
    whole = TemplateSplitter(test_templates=0.2, seed=1).split(dataset)
    assert {*rest.part("dev"), *rest.test} == {*whole.test}
    assert rest.train == whole.train
    capped = TemplateSplitter(test_templates=0.2, k_test=1, k_train=2, seed=1).split(dataset)
    assert len(capped.test) == 4
    assert len(capped.train) <= 2 * 17
    with pytest.raises(SizeError, match="dev and test ask for 90 examples, but 4 of 21 templates"):
        TemplateSplitter(test_templates=0.2, test=90, seed=1).split(dataset)


def test_it_is_in_the_signature_and_the_old_way_is_as_it_was() -> None:
    dataset = data()
    assert TemplateSplitter(test_templates=0.2).split(dataset).signature.get("test_templates") == "0.2"
    assert "test_templates" not in str(TemplateSplitter(test=0.2).split(dataset).signature)
    one, two = (TemplateSplitter(test_templates=0.2, seed=3).split(dataset).to_bytes() for _ in range(2))
    assert one == two


@pytest.mark.parametrize("share", [0.0, 1.0, -0.2, 5.0])
def test_what_is_no_share_is_refused(share: float) -> None:
    with pytest.raises(OptionError, match="give a share between 0 and 1"):
        TemplateSplitter(test_templates=share)


def test_a_share_that_leaves_a_side_empty_is_refused() -> None:
    for share, side in ((0.01, "test"), (0.99, "train")):
        with pytest.raises(SizeError, match=f"of 21 templates leaves none for {side}"):
            TemplateSplitter(test_templates=share).split(data())


def test_the_command_python_and_a_study_make_the_same_split(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"source": source, "target": target}) + "\n" for source, target in pairs())
    (tmp_path / "mine.jsonl").write_text(rows)
    arguments = ["split", str(tmp_path / "mine.jsonl"), "--by", "template", "--language", "funql", "--seed", "4"]
    arguments += ["--test-templates", "0.3", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    value = json.loads(done.stdout)
    split = recombine.split(
        recombine.load(tmp_path / "mine.jsonl", language="funql"), by="template", test_templates=0.3, seed=4
    )
    (tmp_path / "study.toml").write_text(
        'name = "s"\n[[data]]\nfile = "mine.jsonl"\nlanguage = "funql"\nmeasure = false\n'
        '[[split]]\nby = "template"\ntest_templates = 0.3\nseeds = [4]\n[[model]]\npreset = "cfq:lstm"\n'
    )
    (cell,) = make_plan(tmp_path / "study.toml", tmp_path / "r").cells
    assert cell.split is not None
    assert cell.split.sizes() == {part: value[part] for part in ("train", "test")}
    assert cell.split.test == split.test
