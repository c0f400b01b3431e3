"""Means and intervals over replicates and splits, by hand and beside published ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scipy import stats

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.statistics.replicates import over_replicates, over_splits

RESULTS = Path(__file__).parents[3] / "studies" / "results" / "scan_table4.json"
# The README of the CFQ release: mean and half-width on MCD1, MCD2 and MCD3; then Table 4 of the paper.
PUBLISHED = {
    "LSTM+attention": ([(28.9, 1.8), (5.0, 0.8), (10.8, 0.6)], (14.9, 1.1)),
    "Transformer": ([(34.9, 1.1), (8.2, 0.3), (10.6, 1.1)], (17.9, 0.9)),
    "Universal Transformer": ([(37.4, 2.2), (8.1, 1.6), (11.3, 0.3)], (18.9, 1.4)),
}


def test_by_hand() -> None:
    found = over_replicates([1.0, 2.0, 3.0, 4.0, 5.0])
    # The deviation is √2.5, the quantile of t with 4 degrees of freedom 2.776.
    assert found.mean == 3
    assert found.half_width == pytest.approx(2.776 * 2.5**0.5 / 5**0.5, abs=1e-3)
    assert (found.n, found.splits, str(found)) == (5, 1, "3.0 ± 2.0")
    assert over_replicates([1.0, 2.0], level=0.5).half_width == pytest.approx(0.5)  # t of 1 degree: 1 at 75 %
    assert over_replicates([7.0]).half_width is None
    assert str(over_replicates([7.0])) == "7.0 ± –"
    assert over_replicates([7.0, 7.0]).half_width == 0


def test_over_splits() -> None:
    values = {"mcd1": [30.0, 32.0], "mcd2": [10.0, 10.0], "mcd3": [8.0, 6.0]}
    one = over_replicates(values["mcd1"]).half_width
    within, pooled = over_splits(values), over_splits(values, interval="pooled")
    assert one is not None
    assert within.mean == pooled.mean == 16
    assert within.half_width == pytest.approx(2 * one / 3)  # mcd3 spreads as mcd1 does, mcd2 not at all
    low, high = stats.t.interval(0.95, 5, 16, stats.sem([30, 32, 10, 10, 8, 6]))
    assert pooled.half_width == pytest.approx((high - low) / 2)
    assert (pooled.n, pooled.splits, pooled.to_record()["interval"]) == (6, 3, "pooled")
    assert over_splits({"a": [1.0, 2.0], "b": [3.0]}).half_width is None
    assert over_splits({"a": [1.0], "b": [3.0]}, interval="pooled").half_width is not None


@pytest.mark.parametrize("system", PUBLISHED)
def test_table_4_has_the_interval_within_splits(system: str) -> None:
    splits, (mean, half_width) = PUBLISHED[system]
    # Five values with this mean and half-width: m - d, m, m, m, m + d has the deviation d / √2.
    values = {}
    for number, (centre, half) in enumerate(splits):
        d = half * 5**0.5 / float(stats.t.ppf(0.975, 4)) * 2**0.5
        values[str(number)] = [centre - d, centre, centre, centre, centre + d]
    found = over_splits(values)
    assert found.mean == pytest.approx(mean, abs=0.1)
    assert found.half_width == pytest.approx(half_width, abs=0.1)
    pooled = over_splits(values, interval="pooled").half_width
    assert pooled is not None
    assert pooled > 5 * half_width


def stored(model: str, *starts: str) -> dict[str, list[float]]:
    """The stored values of a model by split."""
    if not RESULTS.is_file():
        pytest.skip("the study has not been run here")
    by_split: dict[str, list[float]] = {}
    for cell in json.loads(RESULTS.read_text())["cells"].values():
        if cell["model"] == model and cell["split"].startswith(starts):
            by_split.setdefault(cell["split"], []).append(cell["exact_match"])
    return by_split


def test_the_stored_results_of_scan() -> None:
    if not RESULTS.is_file():
        pytest.skip("the study has not been run here")
    rows = json.loads(RESULTS.read_text())["table"]
    assert {(row["splits"], row["interval_kind"]) for row in rows if row["paper"]} == {
        ("random", "pooled"),  # five splits with one replicate each
        ("mcd1, mcd2", "within"),  # the published ones alone
    }
    for row in rows:
        found = over_splits(stored(row["model"], *row["splits"].split(", ")), interval=row["interval_kind"])
        assert (found.mean, found.half_width, found.n) == (
            pytest.approx(row["mean"]), pytest.approx(row["interval"]), row["n"],
        )  # fmt: skip


@pytest.mark.parametrize(
    ("model", "within", "pooled"),
    [("cfq:lstm", 1.63, 1.04), ("cfq:universal-transformer", 1.22, 0.91), ("cfq:transformer", 0.69, 0.64)],
)
def test_the_kind_of_interval_matters_on_the_stored_mcd_splits(model: str, within: float, pooled: float) -> None:
    values = stored(model, "mcd")
    assert sorted(values) == ["mcd-own", "mcd1", "mcd2"]
    assert over_splits(values).half_width == pytest.approx(within, abs=0.006)
    assert over_splits(values, interval="pooled").half_width == pytest.approx(pooled, abs=0.006)


def test_what_cannot_be_averaged() -> None:
    with pytest.raises(OptionError, match="cannot be averaged"):
        over_replicates([])
    with pytest.raises(OptionError, match="cannot be averaged"):
        over_splits({"a": [1.0, float("nan")]})
    with pytest.raises(OptionError, match="no splits"):
        over_splits({})
    with pytest.raises(OptionError, match="level"):
        over_replicates([1.0], level=95)
    with pytest.raises(UnknownNameError, match="did you mean 'pooled'"):
        over_splits({"a": [1.0]}, interval="pool")
