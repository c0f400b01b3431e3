"""An effort above 1 buys runs of which the best counts, so that more effort is never worse."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from recombine.errors import InfeasibleError
from recombine.splits.methods import SPLITTERS, make_splitter
from recombine.splits.search.exchange import SplitSearch
from recombine.splits.search.mcd import MCDSplitter
from recombine.splits.search.restarts import Outcome, Run, Tried, iter_runs, run_length, runs_of, try_runs, unspent
from recombine.structures.definition import ATOM_ALPHA
from recombine.studies.cells.split_keys import method_revision
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.file.recipe import Recipe, iter_recipes

STUDIES = Path(__file__).parents[3] / "studies"
EFFORTS = st.floats(1.0, 1000.0)
KINDS = ("city", "river", "state", "lake")
# Rugged enough that runs end in different places, and small: what is asked of every effort here takes seconds.
OPTIONS: dict[str, dict[str, Any]] = {
    "tmcd": {"by": "tmcd", "train": 50, "test": 40},
    "capped": {"by": "mcd", "train": 50, "test": 40, "max_atom_divergence": 0.1},
    "dev": {"by": "tmcd", "train": 50, "dev": 20, "test": 20},
    "quota": {"by": "tmcd", "train": 50, "test": 40, "quota": 2, "distinct": 25},
    "groups": {"by": "tmcd", "train": 50, "test": 40, "no_duplicates": True},
    "some groups": {"by": "tmcd", "train": 40, "test": 30, "no_duplicates": True},
    "target": {"by": "mcd", "train": 50, "test": 40, "divergence": 0.123, "max_atom_divergence": 1.0},
    "lowest": {"by": "mcd", "train": 50, "test": 40, "divergence": 0.0, "max_atom_divergence": 1.0},
}


@pytest.fixture(scope="module")
def data() -> recombine.Dataset:
    """Ninety programs, drawn with repeats from those of two to four functions over two names."""
    generator = np.random.default_rng(0)
    pairs = []
    for number in range(90):
        text = f"m{generator.integers(2)}"
        for _ in range(generator.integers(2, 5)):
            text = f"{KINDS[generator.integers(4)]}_{generator.integers(2)} ( {text} )"
        pairs.append((f"what {number}", text))
    return recombine.load(pairs, language="funql")


# -- the sequence of runs


@settings(deadline=None)
@given(EFFORTS, EFFORTS, st.integers(0, 2**40))
def test_a_larger_effort_makes_every_run_of_a_smaller_one(one: float, other: float, seed: int) -> None:
    low, high = sorted((one, other))
    fewer, more = runs_of(low, seed), runs_of(high, seed)
    assert more[: len(fewer)] == fewer


@settings(deadline=None)
@given(EFFORTS, st.integers(0, 2**40))
def test_an_effort_is_not_overdrawn_and_pays_no_further_run(effort: float, seed: int) -> None:
    runs = runs_of(effort, seed)
    spent = sum(run.length for run in runs)
    assert spent <= effort < spent + run_length(len(runs) + 1)
    assert unspent(effort) == effort - spent
    assert len({run.seed for run in runs}) == len(runs)


@pytest.mark.parametrize(
    ("effort", "lengths"),
    # By hand, from 1 1 1 1 2 1 1 1 1 2 1 1 1 1 2 1 1 1 1 2 4: 24 is what the first twenty cost, 28 those with the next.
    [
        (1, [1]),
        (1.9, [1]),
        (4, [1, 1, 1, 1]),
        (5.5, [1, 1, 1, 1]),
        (16, [1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1]),
        (27.9, 4 * [1, 1, 1, 1, 2]),
        (28, [*(4 * [1, 1, 1, 1, 2]), 4]),
    ],
)
def test_runs_by_hand(effort: float, lengths: list[int]) -> None:
    assert [run.length for run in runs_of(effort, 0)] == lengths


def test_the_first_run_has_the_seed_itself_and_seeds_share_no_other() -> None:
    runs = {seed: runs_of(100.0, seed) for seed in range(50)}
    assert all(made[0] == Run(1.0, seed) for seed, made in runs.items())
    own = [run.seed for made in runs.values() for run in made]
    assert len(own) == len(set(own))


@given(st.floats(1e-6, 1.0, exclude_max=True), st.integers(0, 2**40))
def test_an_effort_below_one_is_one_short_run(effort: float, seed: int) -> None:
    assert runs_of(effort, seed) == [Run(effort, seed)]


def test_runs_do_not_end() -> None:
    # 4 ^ 5 + 4 ^ 4 + … + 1 runs end in the first of 32.
    lengths = [run.length for _, run in zip(range(1366), iter_runs(1), strict=False)]
    assert [*lengths[:1364], 32.0, 1.0] == lengths
    assert max(lengths[:1364]) == 16


# -- trying


def outcome(*score: float, **more: Any) -> Outcome[str]:
    return Outcome(more.pop("found", str(score)), score, 1 - score[-1], **more)


def tried(*outcomes: Any, **more: Any) -> Tried[str]:
    """Scripted outcomes, where exceptions are raised."""
    left = list(outcomes)

    def make(*_: object) -> Outcome[str]:
        given = left.pop(0)
        if isinstance(given, BaseException):
            raise given
        return given  # type: ignore[no-any-return]

    return try_runs(runs_of(1000.0, 0)[: len(outcomes)], make, **more)


def test_the_best_is_the_lowest_score_and_of_equals_the_first() -> None:
    made = tried(outcome(0, 0.5), outcome(0, 0.3, found="a"), outcome(1, 0.1), outcome(0, 0.3, found="b"))
    assert made.best.found == "a"
    assert len(made.outcomes) == 4


def test_nothing_is_tried_after_what_is_enough() -> None:
    made = tried(outcome(0, 0.5), outcome(0, 0.4, enough=True), AssertionError())
    assert len(made.outcomes) == 2
    assert not made.interrupted


def test_an_interrupted_run_is_the_last_and_may_be_the_best() -> None:
    made = tried(outcome(0, 0.5), outcome(0, 0.2, interrupted=True, found="cut"), AssertionError())
    assert made.interrupted
    assert made.best.found == "cut"


def test_an_interrupt_between_runs_gives_what_there_is() -> None:
    made = tried(outcome(0, 0.5, found="first"), KeyboardInterrupt(), AssertionError())
    assert made.interrupted
    assert made.best.found == "first"
    with pytest.raises(KeyboardInterrupt):
        tried(KeyboardInterrupt())


def test_a_run_that_fails_is_passed_over() -> None:
    error = InfeasibleError("the groups do not fit", "change the sizes")
    made = tried(error, outcome(0, 0.5, found="second"))
    assert made.best.found == "second"
    assert made.spread() == {"n": 2, "best": 0.5, "median": 0.5, "worst": 0.5, "unmet": 1}
    with pytest.raises(InfeasibleError, match="the groups do not fit"):
        _ = tried(error, InfeasibleError("another", "")).best


def test_the_spread_by_hand() -> None:
    made = tried(outcome(0, 0.5), outcome(0, 0.25), outcome(0, 0.375), outcome(0, 0.75))
    assert made.spread() == {"n": 4, "best": 0.75, "median": 0.5625, "worst": 0.25}
    # The second run breaks a constraint, so its D_C of .9 is no better than what the others have.
    made = tried(outcome(0, 0.5), outcome(1, 0.1, unmet=1), outcome(0, 0.25))
    assert made.spread() == {"n": 3, "best": 0.75, "median": 0.625, "worst": 0.5, "unmet": 1}


def test_progress_is_of_all_runs() -> None:
    told: list[tuple[int, int, float]] = []

    def make(run: Run, progress: Any) -> Outcome[str]:
        found = 0.4 if run.length == 2 else 0.6
        for done in (0, 5, 10):
            progress(done, 10, found * done / 10)
        return outcome(0, 1 - found)

    try_runs(runs_of(6.0, 0), make, progress=lambda *values: told.append(values))
    assert [done for done, _, _ in told][-6:] == [3000, 3500, 4000, 4000, 5000, 6000]
    assert {total for _, total, _ in told} == {6000}
    assert [best for _, _, best in told][:3] == [0.0, 0.3, 0.6]
    assert {best for _, _, best in told[3:]} == {0.6}
    alone: list[tuple[int, int, float]] = []
    try_runs(runs_of(1.0, 0), make, progress=lambda *values: alone.append(values))
    assert [values[:2] for values in alone] == [(0, 10), (5, 10), (10, 10)]


# -- splits


def reached(data: recombine.Dataset, seed: int, effort: float, options: dict[str, Any]) -> tuple[int, float]:
    """How many constraints the best split breaks, and its distance from what is wanted."""
    split = recombine.split(data, seed=seed, effort=effort, **options, best_effort=True)
    broken = int(split.signature.get("problems") or 0)
    wanted = options.get("divergence", 1.0)
    return broken, abs(split.measured["compound_divergence"] - wanted)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_more_effort_is_never_worse(name: str, seed: int, data: recombine.Dataset) -> None:
    found = [reached(data, seed, effort, OPTIONS[name]) for effort in (1, 1.5, 2, 4, 6.5)]
    assert found == sorted(found, reverse=True)
    assert found[0] == found[1]


def test_more_effort_finds_more(data: recombine.Dataset) -> None:
    """A law that a search which never moves would keep is not enough."""
    gains = [
        reached(data, seed, 1, OPTIONS["tmcd"])[1] - reached(data, seed, 8, OPTIONS["tmcd"])[1] for seed in range(4)
    ]
    assert max(gains) > 0.001


def test_the_best_is_that_of_the_runs_by_themselves(data: recombine.Dataset) -> None:
    """Against the search called directly, with the length and seed of each run."""
    features = recombine.features(data)
    atoms, compounds = ((half.indptr, half.indices, half.data) for half in (features.atoms, features.compounds))
    found = [
        SplitSearch(
            atoms,
            compounds,
            50,
            40,
            atom_cap=1.0,
            compound_alpha=features.structures.compounds.alpha,
            atom_alpha=ATOM_ALPHA,
            seed=run.seed,
            effort=run.length,
            patience=0.4,
        ).run()
        for run in runs_of(6.0, 3)
    ]
    assert [run.length for run in runs_of(6.0, 3)] == [1, 1, 1, 1, 2]
    best = max(found, key=lambda result: result.d_c)
    split = recombine.split(data, **OPTIONS["tmcd"], seed=3, effort=6)
    assert split.indices(data) == tuple(np.flatnonzero(best.sides == side).tolist() for side in (1, 2))
    values = sorted(result.d_c for result in found)
    spread = split.measured["restarts"]
    assert spread["n"] == 5
    assert (spread["worst"], spread["median"], spread["best"]) == pytest.approx(values[::2])


@pytest.mark.parametrize("name", ["dev", "some groups"])
def test_the_same_seed_gives_the_same_bytes(name: str, data: recombine.Dataset) -> None:
    options = {**OPTIONS[name], "effort": 4}
    one, two, other = (recombine.split(data, **options, seed=seed).to_bytes() for seed in (5, 5, 6))
    assert one == two != other


def test_an_effort_of_one_says_nothing_of_runs(data: recombine.Dataset) -> None:
    for effort in (0.5, 1):
        split = recombine.split(data, **OPTIONS["tmcd"], seed=1, effort=effort)
        assert split.notes == ()
        assert "restarts" not in split.to_dict()
        assert split.signature.get("revision") == "2"
    # One run and a half is one run: the same parts, said to be of another making.
    more = recombine.split(data, **OPTIONS["tmcd"], seed=1, effort=1.5)
    assert more.parts == split.parts
    assert more.signature.get("revision") == "3"
    assert more.notes == ("0.5 of the effort of 1.5 is not spent: the next run takes 1",)


def test_the_spread_is_said(data: recombine.Dataset) -> None:
    split = recombine.split(data, **OPTIONS["tmcd"], seed=1, effort=5)
    spread = split.to_dict()["restarts"]
    assert set(spread) == {"n", "best", "median", "worst"}
    assert spread["n"] == 4
    assert spread["best"] == split.measured["compound_divergence"] >= spread["median"] >= spread["worst"]
    values = f"{spread['best']:.4f}, {spread['median']:.4f} in the median and {spread['worst']:.4f} at worst"
    assert split.notes == (
        f"this is the best of 4 runs of the search, with D_C {values}",
        "1 of the effort of 5 is not spent: the next run takes 2",
    )


def test_runs_that_break_a_constraint_are_counted(data: recombine.Dataset) -> None:
    options: dict[str, Any] = {"by": "mcd", "train": 50, "test": 40, "atom_divergence": 0.6, "seed": 1, "effort": 2}
    split = recombine.split(data, **options, best_effort=True)
    assert split.missed is not None
    assert split.measured["restarts"]["unmet"] == 2
    assert split.notes[0].endswith("; 2 of them break a constraint")


@pytest.mark.filterwarnings("ignore:of 3 examples 1 can never be in test")
def test_a_run_that_breaks_a_constraint_is_no_better_for_its_divergence(monkeypatch: pytest.MonkeyPatch) -> None:
    data = recombine.load(
        [(str(place), text) for place, text in enumerate(("f ( a )", "f ( a )", "g ( b )"))], language="funql"
    )
    # Testing one of the equal programs breaks nothing; the third has no atom that train has, and a D_C of 1.
    scripted: Any = iter(
        [(np.array([1, 2, 1], np.int8), False, [], 0.0), (np.array([1, 1, 2], np.int8), False, [], 2.0)]
    )
    monkeypatch.setattr(MCDSplitter, "_sides", lambda *_: next(scripted))
    split = recombine.split(data, by="tmcd", train=2, test=1, effort=2)
    assert split.test == (data.ids[1],)
    assert split.measured["restarts"]["n"] == 2
    assert split.measured["restarts"]["unmet"] == 1
    assert next(scripted, None) is None


def test_until_and_targets_end_the_runs(data: recombine.Dataset) -> None:
    whole = recombine.split(data, **OPTIONS["tmcd"], seed=1, effort=16).measured["restarts"]
    assert whole["n"] == 14
    early = recombine.split(data, **OPTIONS["tmcd"], seed=1, effort=16, until=whole["worst"]).measured["restarts"]
    assert early["n"] < 14
    assert early["best"] >= whole["worst"]
    met = recombine.split(data, **OPTIONS["target"], seed=1, effort=16)
    assert met.measured["restarts"]["n"] < 14
    assert met.measured["compound_divergence"] == pytest.approx(0.123, abs=0.0005)


def test_nothing_is_sought_beyond_a_divergence_of_one() -> None:
    """Two of the four pairs of names have no compound in common with the other two."""
    pairs = [(f"{one} {two} {copy}", f"{one} ( {two} )") for copy in range(5) for one in "fg" for two in "ab"]
    split = recombine.split(recombine.load(pairs, language="funql"), by="tmcd", train=10, test=10, effort=16)
    assert split.measured["restarts"] == {"n": 1, "best": 1.0, "median": 1.0, "worst": 1.0}
    assert split.notes == ()


def test_what_no_split_can_meet_is_tried_once(data: recombine.Dataset) -> None:
    with pytest.raises(InfeasibleError, match="41 test patterns are wanted of 40") as caught:
        recombine.split(data, **OPTIONS["tmcd"], distinct=41, seed=1, effort=16)
    assert caught.value.best is not None
    assert caught.value.best.measured["restarts"]["n"] == 1


@pytest.mark.parametrize("name", ["tmcd", "target", "groups"])
def test_an_interrupt_gives_the_best_of_all_runs(name: str, data: recombine.Dataset) -> None:
    def stop(done: int, total: int, _: float) -> None:
        if done > total * 0.6:
            raise KeyboardInterrupt

    options = {key: value for key, value in OPTIONS[name].items() if key != "by"}
    given = {"seed": 2, "features": recombine.features(data), "divergence": None, **options}
    given |= {"divergence": 0.9} if name == "target" else {}  # out of reach, so that all runs are made
    splitter: Any = make_splitter(OPTIONS[name]["by"], effort=4.0, **given)

    def best(made: Any) -> Any:
        try:
            return made.split(data)
        except InfeasibleError as error:
            return error.best

    split = best(replace(splitter, progress=stop))
    assert split.signature.get("interrupted") == "yes"
    # The first two runs cost half of the effort and were made whole.
    assert split.measured["restarts"]["n"] == 3
    assert split.measured["restarts"]["best"] >= best(replace(splitter, effort=2.0)).measured["restarts"]["best"]


# -- revisions


@pytest.mark.parametrize("by", ["mcd", "tmcd"])
@pytest.mark.parametrize(
    ("options", "revision"), [({}, 2), ({"effort": 1}, 2), ({"effort": 0.1}, 2), ({"effort": 1.5}, 3)]
)
def test_several_runs_are_another_revision(by: str, options: dict[str, Any], revision: int) -> None:
    assert SPLITTERS[by].revision_of(options) == revision
    assert method_revision(Recipe("a", "a", by=by, options=options)) == revision
    assert method_revision(Recipe("a", "a", by=by, options=options, revision=1)) == 1
    assert SPLITTERS["random"].revision_of(options) == SPLITTERS["random"].revision


def test_a_raised_revision_is_one_of_every_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MCDSplitter, "revision", 7)
    assert [SPLITTERS["tmcd"].revision_of({"effort": effort}) for effort in (1, 2)] == [7, 8]


def test_the_studies_that_are_stored_keep_their_revision() -> None:
    """All have an effort of 1 or less: their cells are found under the keys that they were stored by."""
    found = [
        (path.stem, recipe)
        for path in sorted(STUDIES.glob("*.toml"))
        for table in read_study_file(path).split
        for recipe in iter_recipes(table, [0])
        if recipe.by in ("mcd", "tmcd")
    ]
    assert {"scan_figure2", "cfq_table4", "cfq_figure2"} <= {name for name, _ in found}
    assert {method_revision(recipe) for _, recipe in found if recipe.revision is None} == {2}
    assert {method_revision(recipe) for name, recipe in found if name == "scan_figure2"} == {1}


# -- the page


def test_the_tables_of_the_documentation_are_what_is_stored() -> None:
    spec = importlib.util.spec_from_file_location("effort", STUDIES.parent / "benchmarks" / "effort.py")
    assert spec is not None
    assert spec.loader is not None
    effort: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(effort)
    kept = effort.stored()
    effort.check(kept["rows"])
    assert len(kept["rows"]) == len(effort.PROBLEMS) * len(effort.SEEDS) * len(effort.EFFORTS)
    page = (STUDIES.parent / "docs" / "splits.md").read_text()
    assert effort.table(kept["rows"]) in page
    assert effort.bounds_table(kept) in page
    with pytest.raises(AssertionError, match="effort 16 gave less than 4"):
        effort.check([{"data": "a", "seed": 1, "effort": effort, "d_c": d_c} for effort, d_c in ((4, 0.2), (16, 0.1))])
