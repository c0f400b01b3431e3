"""The search stops when it no longer pays, and at a wanted D_C: by moves, so that a seed gives one split."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import recombine
from recombine.errors import InfeasibleError, OptionError
from recombine.splits.methods import make_splitter
from recombine.splits.search.exchange import RISE, SplitSearch
from recombine.splits.search.mcd import ATOM_TOLERANCE, MCDSplitter


def matrix(seed: int, rows: int, columns: int, per_row: int) -> Any:
    generator = np.random.default_rng(seed)
    indices = np.concatenate([np.sort(generator.choice(columns, per_row, replace=False)) for _ in range(rows)])
    return np.arange(0, rows * per_row + 1, per_row), indices.astype(np.int32), np.ones(rows * per_row)


def search(**options: Any) -> SplitSearch:
    """A problem of 200 examples whose test pool is larger than the core that a capped search begins with."""
    given: dict[str, Any] = {"atom_cap": 0.05, "seed": 1, **options}
    return SplitSearch(matrix(0, 200, 6, 3), matrix(1, 200, 60, 4), 100, 60, **given)


def planted(copies: int = 40) -> recombine.Dataset:
    """Programs of four functions over four names, in all combinations and several copies."""
    pairs = [
        (f"{one} {two} {name} {copy}", f"{one} ( {two} ( {name} ) )")
        for copy in range(copies // 8)
        for one in ("f", "g", "h")
        for two in ("f", "g", "h")
        for name in ("a", "b", "c", "d")
    ]
    return recombine.load(pairs, language="funql")


# -- patience


def test_without_patience_the_whole_budget_is_spent() -> None:
    whole, plain = search(patience=1.0).run(), search().run()
    assert whole.moves == plain.moves
    assert np.array_equal(whole.sides, plain.sides)
    assert whole.moves >= search().unit * 8


def test_impatience_stops_early_and_not_before_a_full_size() -> None:
    whole, short = search().run(), search(patience=0.05).run()
    assert short.moves < 0.5 * whole.moves
    assert short.problems == []
    assert (short.sides == 2).sum() == 60


def test_waiting_counts_moves_since_the_last_rise() -> None:
    waiting = search(patience=0.1)
    waiting.moves = 500
    waiting.begin_stage(1000)
    assert waiting.pays((0.0, 0.5))
    waiting.moves = 599
    assert waiting.pays((0.0, 0.5))
    waiting.moves = 600
    assert not waiting.pays((0.0, 0.5 - RISE / 2))  # that was too little
    assert waiting.pays((0.0, 0.5 - RISE))
    waiting.moves = 699
    assert waiting.pays((0.0, 0.5 - RISE))
    waiting.moves = 700
    assert not waiting.pays((0.0, 0.5 - RISE))
    waiting.begin_stage(1000)
    assert waiting.pays((0.0, 0.9))  # another basin, which waits for itself


def test_a_mended_constraint_is_a_rise() -> None:
    waiting = search(patience=0.1)
    waiting.begin_stage(1000)
    assert waiting.pays((2.0, 0.2))
    waiting.moves = 100
    assert not waiting.pays((2.0, 0.2))
    assert waiting.pays((1.0, 0.4))


def test_patience_also_ends_the_search_for_the_lowest() -> None:
    assert search(patience=0.05).run(0.0).moves <= search().run(0.0).moves


# -- until


def test_until_stops_at_the_first_split_of_the_full_size() -> None:
    whole = search().run()
    wanted = whole.d_c - 0.05
    result = search(until=wanted).run()
    assert wanted <= result.d_c
    assert result.moves < 0.5 * whole.moves
    assert (result.sides == 2).sum() == 60
    assert result.problems == []
    assert result.d_a <= 0.05


def test_a_split_that_breaks_a_constraint_is_never_enough() -> None:
    held = search(until=0.5)
    held.best_score = (0.0, 0.4)
    assert held.is_best(0.5)
    assert held.is_best(0.6)
    assert not held.is_best(0.7)
    held.best_score = (1.0, 0.4)
    assert not held.is_best(0.5)


def test_until_that_is_never_reached_changes_nothing() -> None:
    whole, result = search().run(), search(until=1.0).run()
    assert result.moves == whole.moves
    assert np.array_equal(result.sides, whole.sides)


@pytest.mark.parametrize("stop", [{"patience": 0.05}, {"until": 0.3}])
@pytest.mark.parametrize("by", ["mcd", "tmcd"])
def test_stops_give_the_same_bytes_under_any_hash_order(by: str, stop: dict[str, float]) -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests/splits/search'); import recombine; from test_stops import planted; "
        f"split = recombine.split(planted(), by={by!r}, train=80, test=60, seed=3, effort=0.5, "
        f"max_atom_divergence=0.2, structures='tmcd:geoquery', **{stop!r}); "
        "print(split.parts, split.signature)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
    assert f"{next(iter(stop))}:" in outputs.pop()


# -- a wanted atom divergence


@pytest.mark.parametrize("wanted", [0.01, 0.05, 0.1])
def test_an_atom_divergence_is_aimed_at(wanted: float) -> None:
    data = planted()
    split = recombine.split(
        data, by="mcd", train=80, test=60, seed=1, effort=0.3, atom_divergence=wanted, structures="tmcd:geoquery"
    )
    assert abs(split.measured["atom_divergence"] - wanted) <= ATOM_TOLERANCE
    assert split.signature.get("atom_divergence") == str(wanted)
    assert not split.signature.get("max_atom_divergence")


def test_an_atom_divergence_with_dev() -> None:
    data = planted(160)
    sizes = {"train": 300, "dev": 150, "test": 150}
    options: dict[str, Any] = {"atom_divergence": 0.05, "structures": "tmcd:geoquery", "effort": 0.3}
    split = recombine.split(data, by="mcd", seed=1, **sizes, **options)
    for part in ("dev", "test"):
        found = recombine.measure(data, split, structures="tmcd:geoquery", against=part)
        assert abs(found["atom_divergence"] - 0.05) <= ATOM_TOLERANCE


def test_an_atom_divergence_out_of_reach_is_named() -> None:
    with pytest.raises(InfeasibleError, match=r"D_A of test is 0\.\d+, more than 0\.005 from 0\.9") as caught:
        recombine.split(
            planted(), by="mcd", train=80, test=60, seed=1, effort=0.1, atom_divergence=0.9, structures="tmcd:geoquery"
        )
    assert caught.value.best is not None


# -- options


@pytest.mark.parametrize("by", ["mcd", "tmcd"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"patience": 0.0}, "the patience is 0"),
        ({"patience": 1.5}, "the patience is 1.5"),
        ({"until": 0.0}, "stop at a D_C of 0"),
        ({"until": 1.2}, "stop at a D_C of 1.2"),
        ({"until": 0.5, "divergence": 0.4}, "--until stops on the way to the highest"),
        ({"until": 0.5, "no_duplicates": True}, "leave out --until or --no-duplicates"),
        ({"atom_divergence": 1.0}, "wanted D_A is 1"),
        ({"atom_divergence": -0.1}, "wanted D_A is -0.1"),
        ({"atom_divergence": 0.1, "max_atom_divergence": 0.3}, "a wanted D_A and a cap"),
        ({"published": True, "until": 0.5}, "has no option --until"),
        ({"published": True, "patience": 0.5}, "has no option --patience"),
        ({"published": True, "quota": 5}, "has no option --quota"),
        ({"published": True, "effort": 2.0}, "has no option --effort"),
    ],
)
def test_options_are_checked(by: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        make_splitter(by, **options)
    assert "\n" not in str(caught.value)


def test_a_patience_belongs_to_the_signature() -> None:
    data = planted()
    options: dict[str, Any] = {"train": 80, "test": 60, "effort": 0.01, "structures": "tmcd:geoquery"}
    plain = recombine.split(data, by="tmcd", **options).signature
    assert plain.get("patience") == str(MCDSplitter().patience)
    assert plain.get("revision") == "2"
    assert recombine.split(data, by="tmcd", **options, patience=0.5).signature.get("patience") == "0.5"
    assert recombine.split(data, by="tmcd", **options, until=0.9).signature.get("until") == "0.9"
