"""The bound on D_C: by hand, against all splits of tiny data, and against what the search finds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from recombine.errors import OptionError
from recombine.measures.divergence import divergence
from recombine.splits.methods import make_splitter
from recombine.splits.search import highest
from recombine.splits.search.highest import Rules, highest_divergence
from recombine.splits.search.mcd import ATOM_TOLERANCE, MCDSplitter
from recombine.structures.definition import ATOM_ALPHA, COMPOUND_ALPHA
from recombine.structures.features import Features


def rules(rows: int, train: int, test: int, **more: Any) -> Rules:
    given: dict[str, Any] = {
        "alphas": (ATOM_ALPHA, COMPOUND_ALPHA),
        "least_atoms": 1,
        "atoms_between": (0.0, 1.0),
        "barred": np.zeros(rows, np.bool_),
        **more,
    }
    return Rules(train, test, **given)


def brute_force(atoms: Features, compounds: Features, wanted: Rules) -> float | None:
    """The highest D_C over all splits that keep the rules, one after the other; none where there is no such split."""
    values = []
    rows = range(len(wanted.barred))
    for test in combinations([row for row in rows if not wanted.barred[row]], wanted.test):
        for train in combinations([row for row in rows if row not in test], wanted.train):
            sums = atoms.sums(train), atoms.sums(test)
            d_a = divergence(atoms, train, test, alpha=wanted.alphas[0])
            low, high = wanted.atoms_between
            if ((sums[1] > 0) & (sums[0] < wanted.least_atoms)).any() or not low <= d_a <= high:
                continue
            empty = not compounds.sums(train).sum() or not compounds.sums(test).sum()
            values.append(0.0 if empty else divergence(compounds, train, test, alpha=wanted.alphas[1]))
    return max(values, default=None)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Features, Features, Rules]:
    """Up to eight rows with a few compounds each, whole weights or not, rows alike, barred ones, unused ones."""
    size = draw(st.integers(3, 8))
    weight = draw(st.sampled_from([st.just(1.0), st.integers(1, 4).map(float), st.floats(0.1, 3.0)]))
    row = st.dictionaries(st.sampled_from("abcde"), weight, max_size=4)
    atom_row = st.sets(st.sampled_from("xyz"), min_size=1).map(lambda names: dict.fromkeys(names, 1.0))
    compounds = draw(st.lists(row, min_size=size, max_size=size).filter(any))
    test = draw(st.integers(1, size - 2))
    train = draw(st.integers(1, size - test))
    wanted = rules(
        size,
        train if draw(st.booleans()) else size - test,
        test,
        alphas=(0.5, draw(st.sampled_from([0.1, 0.5, 0.9]))),
        least_atoms=draw(st.integers(1, 2)),
        atoms_between=draw(st.sampled_from([(0.0, 1.0), (0.0, 0.05), (0.1, 0.3)])),
        barred=np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))) & (draw(st.integers(0, 2)) == 0),
    )
    atoms = draw(st.lists(atom_row, min_size=size, max_size=size))
    return Features.from_rows(atoms), Features.from_rows(compounds), wanted


@settings(deadline=None, max_examples=200)
@given(problems())
def test_it_is_the_best_of_all_splits(problem: Any) -> None:
    best = brute_force(*problem)
    found = highest_divergence(*problem)
    assert found is not None
    assert found.possible == found.exact == (best is not None)
    if best is not None:
        assert found.d_c == pytest.approx(best, abs=1e-9)
        known = highest_divergence(*problem, reached=best)  # as if found by the search: nothing better is left
        assert known is not None
        assert known.exact
        assert known.d_c == pytest.approx(best, abs=1e-8)


@settings(deadline=None, max_examples=200)
@given(problems(), st.integers(0, 20_000), st.booleans())
def test_cut_short_it_still_holds(problem: Any, work: int, known: bool) -> None:
    """Whatever becomes of the states that do not fit, and whether or not the best split is at hand."""
    best = brute_force(*problem)
    if best is None:
        return
    found = highest_divergence(*problem, work=work, reached=best if known else None)
    assert found is not None
    assert found.d_c >= best - 1e-9
    if found.exact:
        assert found.d_c == pytest.approx(best, abs=1e-8)


def test_by_hand() -> None:
    """Two rows hold a, one b: alone in test, the b shares nothing with train."""
    rows = Features.from_rows([{"a": 1}, {"a": 1}, {"b": 1}])
    same = Features.from_rows([{"x": 1}] * 3)
    found = highest_divergence(same, rows, rules(3, 2, 1))
    assert found is not None
    assert (found.d_c, found.exact) == (1.0, True)
    # The b may not be tested: an a stands against an a and a b, 1 - (1/2)^0.1.
    barred = highest_divergence(same, rows, rules(3, 2, 1, barred=np.array([False, False, True])))
    assert barred is not None
    assert barred.d_c == pytest.approx(1 - 0.5**0.1)
    # With an atom of its own the b cannot be tested either.
    alone = highest_divergence(Features.from_rows([{"x": 1}, {"x": 1}, {"y": 1}]), rows, rules(3, 2, 1))
    assert alone is not None
    assert alone.d_c == pytest.approx(1 - 0.5**0.1)


def test_many_different_examples_have_no_bound() -> None:
    rows = Features.from_rows([{f"c{place}": 1.0} for place in range(301)])
    atoms = Features.from_rows([{"x": 1.0}] * 301)
    assert highest_divergence(atoms, rows, rules(301, 150, 151)) is None


# -- as an option of splits


def programs(kinds: str = "pqr") -> recombine.Dataset:
    """One program for each of three outer functions, two inner ones and two names."""
    pairs = [(f"{f} {g} {x}", f"{f} ( {g} ( {x} ) )") for f in kinds for g in "st" for x in "ab"]
    return recombine.load(pairs, language="funql")


@pytest.mark.parametrize(
    "options",
    [
        {"by": "tmcd", "train": 8, "test": 4},
        {"by": "tmcd", "train": 6, "test": 3},
        {"by": "mcd", "train": 8, "test": 4, "max_atom_divergence": 0.1},
        {"by": "mcd", "train": 7, "test": 5, "atom_divergence": 0.02},
        {"by": "tmcd", "train": 5, "test": 3, "min_atom_count": 2},
    ],
)
def test_a_split_says_how_high_it_could_be(options: dict[str, Any]) -> None:
    data = programs()
    split = recombine.split(data, **options, seed=1, effort=0.1, bound=True, best_effort=True)
    features = recombine.features(data)
    cap = options.get("max_atom_divergence", 1.0)
    wanted = options.get("atom_divergence")
    between = (0.0, cap) if wanted is None else (wanted - ATOM_TOLERANCE, wanted + ATOM_TOLERANCE)
    alphas = ATOM_ALPHA, features.structures.compounds.alpha
    given = {"alphas": alphas, "atoms_between": between, "least_atoms": options.get("min_atom_count", 1)}
    best = brute_force(features.atoms, features.compounds, rules(12, options["train"], options["test"], **given))
    bound = split.to_dict()["bound"]
    if best is None:
        assert bound == {"possible": False}
        assert split.notes == ("no split of these sizes meets the constraints: all were looked at",)
        return
    assert bound["exact"]
    assert bound["d_c"] == pytest.approx(best)
    reached = split.measured["compound_divergence"]
    assert bound["gap"] == pytest.approx(best - reached, abs=1e-8)
    where = "this one has it" if best - reached < 1e-8 else f"this one is {best - reached:.4f} below"
    assert split.notes == (f"no split that meets the constraints has a D_C above {best:.4f}; {where}",)


def test_a_bound_changes_no_split() -> None:
    plain, bounded = (
        recombine.split(programs(), by="tmcd", test=4, effort=0.1, bound=bound) for bound in (False, True)
    )
    assert plain.parts == bounded.parts
    assert plain.signature == bounded.signature
    assert "bound" not in plain.to_dict()


def test_a_poor_split_is_said_to_be_below(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = np.ones(12, np.int8)
    sides[[0, 5, 10]] = 2
    monkeypatch.setattr(MCDSplitter, "_sides", lambda *_: (sides, False, [], 0.0))
    split = recombine.split(programs(), by="tmcd", train=9, test=3, bound=True)
    gap = split.to_dict()["bound"]["gap"]
    assert gap > 0.1
    assert split.notes[0].endswith(f"; this one is {gap:.4f} below")


def test_what_is_not_known_is_said() -> None:
    many = programs("".join(chr(place) for place in range(0x4E00, 0x4E00 + 80)))
    split = recombine.split(many, by="tmcd", test=50, effort=0.01, bound=True)
    assert split.to_dict()["bound"] is None
    assert split.notes[-1] == "how high D_C can be is not known: there are too many different examples"


def test_an_interrupted_bound_leaves_the_split(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(highest, "highest_divergence", interrupted)
    plain, split = (recombine.split(programs(), by="tmcd", test=4, effort=0.1, bound=bound) for bound in (False, True))
    assert split.parts == plain.parts
    assert split.signature.get("interrupted") == "yes"
    assert "bound" not in split.to_dict()
    assert split.notes == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"divergence": 0.5}, "--bound is on the highest D_C"),
        ({"published": True}, "the published procedure has no option --bound"),
    ],
)
def test_a_bound_is_on_what_is_searched(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_splitter("mcd", bound=True, **options)
