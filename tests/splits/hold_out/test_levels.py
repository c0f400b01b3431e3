"""Splits by levels: shares, domains and coverage counted here from the programs alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from made_questions import made_questions, write_ontology

import recombine
from recombine.errors import InfeasibleError, OptionError, SizeError
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.splits.hold_out.held_out_domains import DEV, TEST, DomainSets, find_held_out_domains
from recombine.splits.hold_out.levels import LevelsSplitter


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_ontology(tmp_path_factory.mktemp("ontology")))


@pytest.fixture(scope="module")
def made() -> Dataset:
    return recombine.load(made_questions(1), language="sexpression")


def words(dataset: Dataset, key: str) -> set[str]:
    """Relations, classes and functions of a program, found without the package: what is no entity and no literal."""
    found = set(re.findall(r"[^\s()]+", dataset[key].target))
    return {w.upper() if w == "lt" else w for w in found if not w.startswith("m.") and "^^" not in w} - {
        "AND",
        "JOIN",
        "R",
    }


def domains(items: set[str]) -> set[str]:
    return {item.split(".")[0] for item in items if "." in item}


def template(dataset: Dataset, key: str) -> int:
    """The number of the template, as the data was made; its program is in one form already."""
    number = dataset[key].tags["template"]
    assert isinstance(number, int)
    return number


def recount(dataset: Dataset, split: Split) -> dict[str, dict[str, int]]:
    """The levels of dev and test, counted with sets of words."""
    seen = set().union(*(words(dataset, key) for key in split.train))
    templates = {template(dataset, key) for key in split.train}
    counts: dict[str, dict[str, int]] = {}
    for part in ("dev", "test"):
        found = counts[part] = {"i.i.d.": 0, "compositional": 0, "zero-shot": 0}
        for key in split.parts.get(part, ()):
            unseen = words(dataset, key) - seen
            known = template(dataset, key) in templates
            found["zero-shot" if unseen else "i.i.d." if known else "compositional"] += 1
    return counts


@pytest.mark.parametrize("seed", range(5))
def test_the_paper_s_shares(seed: int, made: Dataset, ontology: str) -> None:
    split = recombine.split(made, by="levels", ontology=ontology, seed=seed)
    assert (len(split.parts["dev"]), len(split.test)) == (90, 180)
    assert 0.68 * 900 <= len(split.train) <= 0.7 * 900
    assert recount(made, split) == {
        "dev": {"i.i.d.": 22, "compositional": 23, "zero-shot": 45},
        "test": {"i.i.d.": 45, "compositional": 45, "zero-shot": 90},
    }
    held = {part: set(split.signature.get(f"held_out_{part}").split(",")) for part in ("dev", "test")}
    assert (len(held["dev"]), len(held["test"])) == (5, 10)
    assert not held["dev"] & held["test"]
    for part, wrong in (("train", held["dev"] | held["test"]), ("dev", held["test"]), ("test", held["dev"])):
        assert not any(domains(words(made, key)) & wrong for key in split.parts[part])
    used = [key for ids in split.parts.values() for key in ids]
    assert len(used) == len(set(used)) == 900 - int(split.signature.get("unused"))


def test_same_seed_same_bytes(made: Dataset, ontology: str) -> None:
    options: dict[str, Any] = {"by": "levels", "ontology": ontology}
    assert recombine.split(made, **options, seed=3).to_bytes() == recombine.split(made, **options, seed=3).to_bytes()
    assert recombine.split(made, **options, seed=3).parts != recombine.split(made, **options, seed=4).parts


def test_shares_and_numbers_are_options(made: Dataset, ontology: str) -> None:
    split = recombine.split(
        made,
        by="levels",
        ontology=ontology,
        dev=50,
        test=100,
        train=400,
        zero_shot=0.2,
        compositional=0.5,
        dev_domains=1,
        test_domains=2,
    )
    assert split.sizes() == {"train": 400, "dev": 50, "test": 100}
    assert recount(made, split) == {
        "dev": {"i.i.d.": 15, "compositional": 25, "zero-shot": 10},
        "test": {"i.i.d.": 30, "compositional": 50, "zero-shot": 20},
    }


@pytest.mark.parametrize("size", [150, 80])
def test_a_small_train_has_all_that_is_needed(size: int, made: Dataset, ontology: str) -> None:
    split = recombine.split(
        made, by="levels", ontology=ontology, train=size, dev=20, test=40, dev_domains=2, test_domains=3, seed=2
    )
    assert len(split.train) == size
    assert recount(made, split)["test"] == {"i.i.d.": 10, "compositional": 10, "zero-shot": 20}


def test_no_dev_without_domains(made: Dataset, ontology: str) -> None:
    split = recombine.split(made, by="levels", ontology=ontology, dev_domains=0, test_domains=14)
    assert set(split.parts) == {"train", "test"}
    assert recount(made, split)["test"] == {"i.i.d.": 45, "compositional": 45, "zero-shot": 90}


def test_no_zero_shot_needs_no_domains(ontology: str) -> None:
    data = recombine.load(made_questions(2, domains=3, questions=300), language="sexpression")
    split = recombine.split(data, by="levels", ontology=ontology, zero_shot=0, compositional=0.5)
    assert recount(data, split)["test"] == {"i.i.d.": 30, "compositional": 30, "zero-shot": 0}
    assert recombine.check(data, split, ontology=ontology).problems == []


# -- what the data does not allow ------------------------------------------------------------------------------------


def test_too_few_domains(ontology: str) -> None:
    data = recombine.load(made_questions(1, domains=9, questions=300), language="sexpression")
    with pytest.raises(InfeasibleError, match=r"records has 9 domains, and 15 are to be held out.*lower --dev-domains"):
        recombine.split(data, by="levels", ontology=ontology)


def test_too_few_examples_of_held_out_domains(made: Dataset, ontology: str) -> None:
    with pytest.raises(InfeasibleError, match=r"test has \d+ of 405 zero-shot examples.*--test-domains") as raised:
        recombine.split(
            made, by="levels", ontology=ontology, dev=20, test=450, zero_shot=0.9, compositional=0, test_domains=2
        )
    best = raised.value.best
    assert 0 < len(best.test) < 450
    assert recombine.check(made, best, ontology=ontology).problems


def test_too_few_templates(ontology: str) -> None:
    """Each template has an item of its own, so that none can be held out with all its items in train."""
    rows = [
        {"id": f"q{d}-{r}-{n}", "source": "q", "target": f"(JOIN d{d}.c.r{r} m.0{n})"}
        for d in range(20)
        for r in range(4)
        for n in range(10)
    ]
    data = recombine.load(rows, language="sexpression")
    options: dict[str, Any] = {"ontology": ontology, "dev_domains": 1, "test_domains": 2}
    with pytest.raises(
        InfeasibleError, match=r"test has 0 of 40 compositional examples.*lower --compositional to 0"
    ) as e:
        recombine.split(data, by="levels", **options)
    assert e.value.best is not None
    assert recombine.split(data, by="levels", compositional=0, **options).sizes()["test"] == 160
    kept = recombine.split(data, by="levels", best_effort=True, **options)
    assert "test has 0 of 40 compositional" in str(kept.missed)


def test_too_much_unused(ontology: str) -> None:
    rows = [
        {"id": f"q{d}-{n}", "source": "q", "target": f"(JOIN d{d}.c.r m.0{n})"} for d in range(20) for n in range(20)
    ]
    data = recombine.load(rows, language="sexpression")
    options: dict[str, Any] = {"ontology": ontology, "compositional": 0}
    with pytest.raises(
        InfeasibleError, match=r"240 of 400 examples would stay unused.*raise --max-unused to 0.6"
    ) as raised:
        recombine.split(data, by="levels", **options)
    assert recombine.split(data, by="levels", max_unused=0.7, **options).parts == raised.value.best.parts


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"zero_shot": 1.5}, "--zero-shot is 1.5"),
        ({"compositional": -0.1}, "--compositional is -0.1"),
        ({"max_unused": 2.0}, "--max-unused is 2.0"),
        ({"zero_shot": 0.8, "compositional": 0.3}, "are together more than 1"),
        ({"dev_domains": -1}, "--dev-domains is -1"),
        ({"test_domains": 0}, "--test-domains is 0; give a count of 1 or more"),
    ],
)
def test_bad_options(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        LevelsSplitter(**options)


def test_data_without_domains() -> None:
    funql = recombine.load([("a", "answer ( city ( m0 ) )"), ("b", "answer ( river ( m0 ) )")] * 1, language="funql")
    with pytest.raises(OptionError, match="no schema item of records has a domain"):
        LevelsSplitter(dev=None, test=1).split(funql)
    with pytest.raises(SizeError):
        LevelsSplitter(test=3).split(funql)


def test_programs_that_cannot_be_read_stay_unused(made: Dataset, ontology: str) -> None:
    rows = [*made_questions(1), {"id": "bad", "source": "q", "target": "(JOIN film.thing.maker"}]
    data = recombine.load(rows, language="sexpression")
    splitter = LevelsSplitter(ontology=ontology, seed=1)
    split = splitter.split(data)
    assert split.signature.get("unreadable") == "1"
    assert not any("bad" in ids for ids in split.parts.values())


# -- the search for domains ------------------------------------------------------------------------------------------


def test_domains_that_fit_exactly_are_found() -> None:
    import numpy as np

    sizes = [50, 7, 3, 40, 9, 1, 60, 11]
    rows = [frozenset({place}) for place, size in enumerate(sizes) for _ in range(size)]
    sets = DomainSets.of(rows, len(sizes), np.ones(len(rows), np.bool_))
    best = find_held_out_domains(sets, (2, 2), (100, 10, 20), np.random.default_rng(0))[0]
    held = {owner: sorted(np.array(sizes)[best.owners == owner].tolist()) for owner in (DEV, TEST)}
    assert (best.missing, best.left_over) == (0, 0)
    assert sum(held[DEV]) == 10
    assert sum(held[TEST]) == 20


def test_examples_of_both_sides_are_nobody_s() -> None:
    import numpy as np

    rows = [frozenset({0}), frozenset({1}), frozenset({0, 1}), frozenset({2}), frozenset[int]()]
    sets = DomainSets.of(rows, 3, np.ones(5, np.bool_))
    owners = np.array([DEV, TEST, 0], np.int8)
    assert sets.sides(owners)[sets.of_row].tolist() == [DEV, TEST, -1, 0, 0]
    assert sets.judge(owners, (2, 1, 1)) == (0, 1)


@pytest.mark.shared_data
@pytest.mark.parametrize("seed", [0, 1])
def test_grailqa_s_items_can_be_split(seed: int, data_dir: Path) -> None:
    split = recombine.split("grailqa", by="levels", seed=seed)
    assert split.sizes() == {"train": 420, "dev": 60, "test": 120}
    counts = recombine.levels("grailqa", split)["levels"]
    assert list(counts["test"]["counts"].values()) == [30, 30, 60]
    assert list(counts["dev"]["counts"].values()) == [15, 15, 30]
    assert recombine.check("grailqa", split).problems == []
