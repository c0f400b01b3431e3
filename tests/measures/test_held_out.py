"""`check` lists what a method holds out on purpose, sees it in the data, and calls everything else unseen a problem."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_questions import made_questions, write_ontology

import recombine
from recombine.records.dataset import Dataset
from recombine.records.split import Split

FUNQL = [(f"{k} {n}", f"answer ( {k} ( m{n % 3} ) )") for k in ("city", "river", "lake", "state") for n in range(6)]


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_ontology(tmp_path_factory.mktemp("ontology")))


@pytest.fixture(scope="module")
def made() -> Dataset:
    return recombine.load(made_questions(1), language="sexpression")


@pytest.fixture(scope="module")
def by_levels(made: Dataset, ontology: str) -> Split:
    return recombine.split(made, by="levels", ontology=ontology, seed=1)


def moved(split: Split, key: str, start: str, end: str) -> Split:
    """The split with one example moved."""
    parts = {name: tuple(k for k in ids if k != key) for name, ids in split.parts.items()}
    assert key in split.parts[start]
    return replace(split, parts={**parts, end: (*parts[end], key)})


def stating(split: Split, **values: Any) -> Split:
    return replace(split, signature=split.signature.with_fields(**values))


def levels(made: Dataset, split: Split, ontology: str) -> dict[str, list[str]]:
    """The ids of test by level."""
    found: dict[str, list[str]] = {}
    for record in recombine.levels(made, split, ontology=ontology).iter_records():
        if record["part"] == "test":
            found.setdefault(record["level"], []).append(record["id"])
    return found


def test_a_split_by_levels_holds_out_and_has_no_problems(made: Dataset, by_levels: Split, ontology: str) -> None:
    found = recombine.check(made, by_levels, ontology=ontology)
    assert found.problems == found.not_checked == []
    domains = by_levels.signature.get("held_out_test").replace(",", ", ")
    assert any(said.startswith(f"10 domains for test, {domains}: 90 examples with ") for said in found.held_out)
    assert any("templates for test: 45 examples whose schema items are all in train" in s for s in found.held_out)
    assert any(said.startswith("entities and literals: ") for said in found.held_out)
    assert found["unseen_atom_examples"]["test"] > 90  # all that is unseen is still counted


def test_the_same_parts_by_hand_are_a_problem(made: Dataset, by_levels: Split, ontology: str) -> None:
    """What no method holds out stays a problem."""
    signature = recombine.Signature.of(data=made, by="hand")
    found = recombine.check(made, replace(by_levels, signature=signature), ontology=ontology)
    assert found.held_out == []
    assert any("hold atoms unseen in train" in problem for problem in found.problems)


def test_a_zero_shot_example_in_train(made: Dataset, by_levels: Split, ontology: str) -> None:
    key = levels(made, by_levels, ontology)["zero-shot"][0]
    problems = recombine.check(made, moved(by_levels, key, "test", "train"), ontology=ontology).problems
    assert any(problem == "1 examples of train have domains that are held out for test" for problem in problems)


def test_a_test_domain_in_dev(made: Dataset, by_levels: Split, ontology: str) -> None:
    key = levels(made, by_levels, ontology)["zero-shot"][0]
    problems = recombine.check(made, moved(by_levels, key, "test", "dev"), ontology=ontology).problems
    assert any(problem == "1 examples of dev have domains that are held out for test" for problem in problems)


def test_a_held_out_template_in_train(made: Dataset, by_levels: Split, ontology: str) -> None:
    key = levels(made, by_levels, ontology)["compositional"][0]
    problems = recombine.check(made, moved(by_levels, key, "test", "train"), ontology=ontology).problems
    assert any(" of 179 examples of test are compositional, not 45 as stated" in problem for problem in problems)


def test_an_item_that_train_lacks(made: Dataset, by_levels: Split, ontology: str) -> None:
    """A schema item of no held-out domain must be in train: all its training examples are taken away."""
    item = next(
        item
        for item in ("aviation.thing.kind", "biology.thing.kind", "boats.thing.kind")
        if any(item in made[key].target for key in by_levels.test)
    )
    kept = tuple(key for key in by_levels.train if item not in made[key].target)
    found = recombine.check(made, replace(by_levels, parts={**by_levels.parts, "train": kept}), ontology=ontology)
    assert any("have schema items that train lacks, and none of a domain held out for it" in p for p in found.problems)
    assert any("hold atoms unseen in train: " in p and item in p for p in found.problems)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"zero_shot": 0.4}, "are zero-shot, not "),
        ({"compositional": 0.3}, "are compositional, not "),
        ({"held_out_test": "aviation"}, "have schema items that train lacks, and none of a domain held out for it"),
    ],
)
def test_a_signature_that_says_something_else(
    values: dict[str, Any], problem: str, made: Dataset, by_levels: Split, ontology: str
) -> None:
    problems = recombine.check(made, stating(by_levels, **values), ontology=ontology).problems
    assert any(problem in each for each in problems)


def test_domains_held_out_for_both(made: Dataset, by_levels: Split, ontology: str) -> None:
    both = by_levels.signature.get("held_out_test")
    problems = recombine.check(made, stating(by_levels, held_out_dev=both), ontology=ontology).problems
    assert any(f"the domains {both.replace(',', ', ')} are held out for both dev and test" == p for p in problems)


def test_another_ontology_is_said(made: Dataset, by_levels: Split, tmp_path: Path) -> None:
    other = write_ontology(tmp_path / "other", domains=3)
    found = recombine.check(made, by_levels, ontology=other)
    assert any("the split was made by ontology" in said and "--ontology" in said for said in found.not_checked)
    assert found.problems  # what cannot be told to be held out is a problem, as ever


# -- methods of before -----------------------------------------------------------------------------------------------


def test_templates() -> None:
    data = recombine.load(FUNQL, language="funql")
    split = recombine.split(data, by="template", test=6, seed=1)
    found = recombine.check(data, split)
    assert found.held_out == ["1 templates of test, of which train has no example"]
    assert any("hold atoms unseen in train" in problem for problem in found.problems)  # a symbol is no template
    wrong = recombine.check(data, moved(split, split.test[0], "test", "train"))
    assert "5 examples of test have templates that train has, which were to be held out" in wrong.problems


def test_lengths_and_patterns(scan: Dataset) -> None:
    split = recombine.split(scan, by="length:target", max_length=22, seed=1)
    assert recombine.check(scan, split).held_out == ["targets of more than 22 words, of which train has no example"]
    wrong = recombine.check(scan, moved(split, split.test[0], "test", "train"))
    assert "1 examples of train are targets of more than 22 words, which were to be held out" in wrong.problems
    split = recombine.split(scan, by="pattern:source", test=100, seed=1)
    (said,) = recombine.check(scan, split).held_out
    assert said.endswith("source patterns of test, of which train has no example")


def test_what_a_signature_states(scan: Dataset) -> None:
    split = recombine.split(scan, by="grammar", held_out="and+twice", train=100, test=20)
    assert recombine.check(scan, split).held_out == ["pairs of rules, as the signature says: and+twice"]
    assert recombine.check(scan, recombine.split(scan, test=20)).held_out == []
