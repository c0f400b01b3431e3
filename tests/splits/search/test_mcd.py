"""Maximum compound divergence splits: constraints hold, values are what a plain recount says, and the search works."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import recombine
from recombine.errors import InfeasibleError, OptionError
from recombine.grammars.terms.enumerate_terms import enumerate_terms
from recombine.grammars.terms.read_grammar import packaged_grammar
from recombine.records.dataset import Dataset
from recombine.splits.methods import make_splitter
from recombine.splits.search.mcd import MCDSplitter, _Problem, parse_ratio
from recount import chernoff_distance, recount, subtrees, total

SIZES: dict[str, Any] = {"train": 800, "test": 160}


@pytest.fixture(scope="module")
def part() -> Dataset:
    """A tenth of SCAN: every eleventh command."""
    grammar = packaged_grammar("scan")
    data = recombine.load([grammar.example(term) for term in enumerate_terms(grammar)[::11]])
    from recombine.datasets.scan import PATTERNS

    return Dataset("part", data.examples, PATTERNS, "dag:2-6,counts")


def test_the_constraints_hold_and_the_values_are_recounted(part: Dataset) -> None:
    random = recombine.split(part, by="random", **SIZES, seed=1)
    split = recombine.split(part, by="mcd", **SIZES, seed=1, effort=0.05)
    atoms, compounds, unseen = recount(part, split, 2, 6)
    assert split.sizes() == SIZES
    assert not set(split.train) & set(split.test)
    assert atoms <= 0.02
    assert unseen == 0
    assert split.measured["atom_divergence"] == pytest.approx(atoms, abs=1e-12)
    assert split.measured["compound_divergence"] == pytest.approx(compounds, abs=1e-12)
    assert compounds > random.measured["compound_divergence"] + 0.3


def test_same_seed_same_bytes(part: Dataset) -> None:
    first, again, other = (
        recombine.split(part, by="mcd", **SIZES, seed=seed, effort=0.01).to_bytes() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("wanted", [0.15, 0.3])
def test_a_wanted_divergence_is_met(wanted: float, part: Dataset) -> None:
    split = recombine.split(part, by="mcd", **SIZES, seed=2, divergence=wanted, effort=0.05)
    atoms, compounds, _ = recount(part, split, 2, 6)
    assert compounds == pytest.approx(wanted, abs=0.01)
    assert atoms <= 0.02


def test_the_lowest_is_below_a_random_split(part: Dataset) -> None:
    random = recombine.split(part, by="random", **SIZES, seed=1)
    lowest = recombine.split(part, by="mcd", **SIZES, seed=1, divergence=0.0, effort=0.05)
    assert lowest.measured["compound_divergence"] < random.measured["compound_divergence"]


def test_dev_and_test_are_alike(part: Dataset) -> None:
    split = recombine.split(part, by="mcd", train=800, dev=120, test=160, seed=1, effort=0.05, quota=9)
    assert split.sizes() == {"train": 800, "dev": 120, "test": 160}
    assert recombine.check(part, split)["problems"] == []
    dev = recombine.measure(part, split, against="dev")
    assert dev["atom_divergence"] <= 0.02
    assert dev["compound_divergence"] == pytest.approx(split.measured["compound_divergence"], abs=0.05)
    collapse = part.pattern("source").collapse
    assert max(Counter(collapse(part[key].source) for key in split.test).values()) <= 9


def test_a_quota_keeps_test_varied(part: Dataset) -> None:
    split = recombine.split(part, by="mcd", **SIZES, seed=1, quota=5, effort=0.05)
    collapse = part.pattern("source").collapse
    counts = Counter(collapse(part[key].source) for key in split.test)
    assert max(counts.values()) <= 5
    assert split.measured["patterns"]["source"]["effective"] >= 160 / 5
    assert "quota:source=5" in str(split.signature)


def test_length_ratios_hold_exactly(part: Dataset) -> None:
    split = recombine.split(
        part, by="mcd", **SIZES, seed=1, length_ratio="source=0.97:1.03,target=0.9:1.1", effort=0.05
    )
    for side, low, high in (("source", 0.97, 1.03), ("target", 0.9, 1.1)):
        means = [
            math.fsum(len(getattr(part[key], side).split()) for key in ids) / len(ids)
            for ids in (split.train, split.test)
        ]
        assert low <= means[0] / means[1] <= high


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_atom_divergence": 1e-9}, "above the cap of 1e-09"),
        ({"quota": 1, "test": 200, "train": 400}, "a quota of 1 per pattern leaves room for"),
        ({"length_ratio": "5:6"}, "source length ratio lies between"),
        ({"divergence": 0.99}, "more than 0.01 from 0.99"),
    ],
)
def test_what_cannot_be_met_is_named(options: dict[str, Any], named: str, part: Dataset) -> None:
    with pytest.raises(InfeasibleError, match=named) as caught:
        recombine.split(part, by="mcd", **{**SIZES, **options}, seed=1, effort=0.01)
    assert caught.value.exit_code == 1
    assert caught.value.best is not None
    assert "problems:" in str(caught.value.best.signature)
    assert caught.value.best.measured["signature"]


def test_an_atom_that_occurs_once_cannot_be_tested() -> None:
    grammar = packaged_grammar("scan")
    texts = ["walk", "look", "run", "jump"]
    data = recombine.load([grammar.example(grammar.parse_forest(text).first(1)[0]) for text in texts])
    with pytest.raises(InfeasibleError, match="of 4 examples 4 can never be in test: each has an atom that no other"):
        recombine.split(data, by="mcd", train=2, test=2, seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"divergence": 1.5}, "wanted divergence is 1.5"),
        ({"max_atom_divergence": 0.0}, "cap on D_A is 0"),
        ({"quota": 0}, "quota is 0"),
        ({"quota_side": "left"}, "source or target"),
        ({"effort": 0}, "effort is 0"),
        ({"length_ratio": "1.2"}, "0.8:1.25"),
        ({"length_ratio": "2:1"}, "0.8:1.25"),
        ({"length_ratio": "middle=1:2"}, "0.8:1.25"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_splitter("mcd", **options)


def test_the_signature_tells_every_option(part: Dataset) -> None:
    plain = {"train": 400, "test": 80, "seed": 1, "effort": 0.001}
    signatures = {
        str(recombine.split(part, by="mcd", **{**plain, **change}).signature)  # type: ignore[arg-type]
        for change in (
            {},
            {"seed": 2},
            {"effort": 0.002},
            {"quota": 70},
            {"quota": 70, "quota_side": "target"},
            {"length_ratio": "0.1:9"},
            {"divergence": 0.0},
            {"max_atom_divergence": 0.5},
            {"structures": "dag:2-4,counts"},
        )
    }
    assert len(signatures) == 9
    assert parse_ratio(None) == {}
    assert repr(MCDSplitter(quota=3)) == repr(MCDSplitter(quota=3, progress=print))


def test_an_interrupted_search_gives_the_best_so_far(part: Dataset) -> None:
    calls: list[tuple[int, int, float]] = []

    def stop_soon(done: int, total: int, best: float) -> None:
        calls.append((done, total, best))
        if len(calls) == 2:
            raise KeyboardInterrupt

    splitter = MCDSplitter(**SIZES, seed=1, structures="dag:2-4,counts", progress=stop_soon)
    split = splitter.split(part)
    assert split.signature.get("interrupted") == "yes"
    assert len(calls) == 2
    assert np.diff([best for _, _, best in calls]).min() >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("definition", "low", "high", "published"),
    # The published splits' higher D_C under each definition; docs/mcd.md.
    [("dag:2-9,counts", 2, 9, 0.7358), ("dag:2-4,counts", 2, 4, 0.4762)],
)
def test_scan_is_above_the_published_splits(
    definition: str, low: int, high: int, published: float, scan: Dataset
) -> None:
    split = recombine.split(scan, by="mcd", train=8365, test=1045, seed=1, structures=definition)
    atoms, compounds, unseen = recount(scan, split, low, high)
    assert atoms <= 0.02
    assert unseen == 0
    assert compounds > published
    assert split.measured["compound_divergence"] == pytest.approx(compounds, abs=1e-12)


DEEP = "f ( g ( h ( a ) ) )"
FEW = [("w w", DEEP), ("w w", "a"), ("w w w w", DEEP), ("w w w w", DEEP), ("v", "g ( h ( a ) )")]
HALF = "atoms=symbols,presence;compounds=tree:2-2,counts,alpha=0.5"


def constraints_of(dev: int = 0, test: int = 1, **options: Any) -> Any:
    """The constraints of a split of a few programs."""
    data = recombine.load(FEW, language="funql")
    splitter = MCDSplitter(**{"max_atom_divergence": 1.0, "min_compounds": 0, **options})
    return _Problem(splitter, data, splitter.extracted(data), dev, test)


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        # Four atoms with 1/4 each in train, one with 1 in the other part: D_A = 1 − √(1/4).
        (([0], [], [1]), {"max_atom_divergence": 0.5}, ""),
        (([0], [], [1]), {"max_atom_divergence": 0.49}, "D_A of test is 0.5000, above the cap of 0.49"),
        (([0], [1], [2]), {"max_atom_divergence": 0.49}, "D_A of dev is 0.5000, above the cap of 0.49"),
        (([0], [2], [1]), {"max_atom_divergence": 0.3}, "D_A of test is 0.5000, above the cap of 0.3"),
        (([0], [], [2, 3]), {"quota": 2}, ""),
        (([0], [], [2, 3]), {"quota": 1}, "a pattern has 2 test examples, above the quota of 1"),
        (([2], [], [0, 1]), {"quota": 1}, "a pattern has 2 test examples, above the quota of 1"),
        (([2], [], [0, 1]), {"quota": 1, "quota_side": "target"}, ""),
        (([0], [], [2, 3]), {"distinct": 1}, ""),
        (([0], [], [2, 3]), {"distinct": 2}, "test has 1 distinct patterns, fewer than 2"),
        (([2], [], [0, 1]), {"distinct": 2, "quota_side": "target"}, ""),
        (([0], [], [1]), {"min_atom_count": 1}, ""),
        (([0], [], [1]), {"min_atom_count": 2}, "1 examples of test hold atoms unseen 2 times in train (a)"),
        (([0, 2], [], [1]), {"min_atom_count": 2}, ""),
        # One program is a symbol alone, the others have two or three pairs.
        (([0], [], [1]), {"min_compounds": 1}, "1 examples of test hold fewer compounds than 1"),
        (([0], [1], [2]), {"min_compounds": 1}, "1 examples of dev hold fewer compounds than 1"),
        (([0, 1], [], [4]), {"min_compounds": 2}, ""),
        (([0, 1], [], [2, 4]), {"min_compounds": 3}, "1 examples of test hold fewer compounds than 3"),
        # Two words in train, four in test.
        (([0], [], [2]), {"length_ratio": "source=0.5:1"}, ""),
        (([0], [], [2]), {"length_ratio": "source=0.2:0.5"}, ""),
        (([0], [], [2]), {"length_ratio": "source=0.6:1"}, "the source length ratio is 0.5000, outside 0.6:1"),
        (([0], [], [2]), {"length_ratio": "source=0.1:0.4"}, "the source length ratio is 0.5000, outside 0.1:0.4"),
        (([0], [], [2]), {"length_ratio": "source=1.9:2.1"}, "the source length ratio is 0.5000, outside 1.9:2.1"),
        # Pairs f-g, g-h, h-a with 1/3 each in train; g-h, h-a with 1/2 each in test: D_C = 1 − 2 √(1/6) = 0.1835.
        (([0], [], [4]), {"structures": HALF, "divergence": 0.18}, ""),
        (
            ([0], [], [4]),
            {"structures": HALF, "divergence": 0.05},
            "the nearest D_C found is 0.1835, more than 0.01 from 0.05",
        ),
    ],
)
def test_what_a_split_breaks_by_hand(
    rows: tuple[list[int], list[int], list[int]], options: dict[str, Any], message: str
) -> None:
    parts = {name: part for name, part in zip(("train", "dev", "test"), rows, strict=True) if part}
    problem = constraints_of(len(rows[1]), len(rows[2]), **options)
    assert problem.broken(parts) == ([message] if message else [])


def test_the_pool_of_dev_and_test_has_its_share_of_the_constraints() -> None:
    # 280 examples of which 160 are tested: 9 · 280/160 = 15.75 of one pattern at most, 41 · 280/160 = 71.75 at least.
    problem = constraints_of(120, 160, quota=9, distinct=41)
    assert (problem.pool_quota, problem.pool_distinct) == (15, 72)
    alone = constraints_of(0, 160, quota=9, distinct=41)
    assert (alone.pool_quota, alone.pool_distinct) == (9, 41)


def test_the_search_has_the_exponents_of_the_definition(part: Dataset) -> None:
    """A wanted divergence is met, and the cap kept, under the definition's exponent; a plain recount says so."""
    split = recombine.split(
        part, by="mcd", **SIZES, seed=2, divergence=0.12, effort=0.02, structures="dag:2-3,counts,alpha=0.5"
    )
    rows = {example.id: example.derivation for example in part}
    sums = [total(subtrees(rows[key], 2, 3) for key in ids) for ids in (split.train, split.test)]  # type: ignore[arg-type]
    assert chernoff_distance(*sums, 0.5) == pytest.approx(0.12, abs=0.01)
    assert recount(part, split, 2, 3)[0] <= 0.02
