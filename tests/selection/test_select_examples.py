"""Selection from data sets: methods, prompts, and what cannot be read."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, SizeError, UnknownNameError
from recombine.records.dataset import Dataset
from recombine.selection.select_examples import METHODS, part_of, select_examples, select_prompts
from recombine.selection.select_random import select_random
from recombine.selection.select_templates import select_templates
from recombine.workbench import load
from small_programs import sample_programs


def data(count: int = 60) -> Dataset:
    return load([(str(n), text) for n, text in enumerate(sample_programs(count))], language="functional")


@pytest.mark.parametrize("by", [name for name in METHODS if name != "coverage"])
def test_laws_of_every_method(by: str) -> None:
    dataset = data()
    found = select_examples(dataset, 10, by=by, seed=3)
    assert len(found.ids) == len(set(found.ids)) == len(found.reasons) == 10
    assert found == select_examples(dataset, 10, by=by, seed=3)
    assert found.ids != select_examples(dataset, 10, by=by, seed=4).ids
    assert str(found.signature).startswith(f"data:{dataset}|by:{by}|k:10|")
    assert sorted(select_examples(dataset, 60, by=by).ids) == sorted(e.id for e in dataset)
    with pytest.raises(SizeError, match="61 examples are asked for, but there are 60"):
        select_examples(dataset, 61, by=by)


def test_templates_are_dealt_round() -> None:
    names = ["a"] * 8 + ["b"] * 2 + ["c"]
    for seed in range(5):
        chosen = [names[row] for row in select_templates(names, 6, seed=seed).rows]
        assert sorted(chosen[:3]) == ["a", "b", "c"]
        assert sorted(chosen[3:5]) == ["a", "b"]
        assert chosen[5] == "a"


def test_random_takes_each_once() -> None:
    assert sorted(select_random(5, 5, seed=1).rows) == [0, 1, 2, 3, 4]


def test_options_are_in_the_signature() -> None:
    dataset = data()
    base = select_examples(dataset, 3).signature
    for options in ({"structures": "local:3"}, {"similarity": "relations"}, {"tokenisation": "published"}):
        assert select_examples(dataset, 3, **options).signature != base  # type: ignore[arg-type]


def test_prompts() -> None:
    dataset = data()
    own = dataset[0]
    found = select_prompts(dataset, {own.id: own.target, "new": "exists ( find ( dog ) )", "bad": "exists ("}, 3)
    assert list(found.selections) == [own.id, "new"]
    assert own.id not in found.selections[own.id].ids
    assert len(found.selections["new"].ids) == 3
    assert "not closed" in found.unparsable["bad"] or "missing" in found.unparsable["bad"]
    assert "|by:coverage|k:3|structures:local:4|" in str(found.selections["new"].signature)


def test_prompts_of_nothing_readable() -> None:
    found = select_prompts(data(), {"bad": "exists ("}, 3)
    assert (dict(found.selections), list(found.unparsable)) == ({}, ["bad"])
    with pytest.raises(OptionError, match="no programs to cover"):
        select_prompts(data(), {}, 3)
    with pytest.raises(OptionError, match="language of records's targets is not known"):
        select_prompts(load([("a", "b")]), {"x": "y"}, 1)


def test_bad_methods() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'random'"):
        select_examples(data(), 2, by="randm")
    with pytest.raises(OptionError, match="coverage is of a program"):
        select_examples(data(), 2, by="coverage")


def test_a_part_of_the_data() -> None:
    dataset = data()
    ids = [dataset[3].id, dataset[1].id, dataset[3].id]
    assert [example.id for example in part_of(dataset, ids)] == [dataset[3].id, dataset[1].id]
