"""Comparisons: counts by hand, a p-value from the literature, scores that cannot be compared."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.evaluation.compare import compare, contrast, mcnemar
from recombine.evaluation.match.judge import Verdict
from recombine.evaluation.score import score
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.workbench import load

DATA = load([(f"q{n}", f"A{n}") for n in range(8)])
IDS = tuple(DATA.index)
SPLIT = Split({"test": IDS, "dev": IDS[:3]}, DATA.name, DATA.hash, Signature.of(data=DATA, by="hand"))


def outputs(right: set[int]) -> dict[str, str]:
    return {key: f"A{n}" if n in right else "x" for n, key in enumerate(IDS)}


def test_counts_by_hand() -> None:
    found = compare(score(DATA, SPLIT, outputs({0, 1, 2})), score(DATA, SPLIT, outputs({1, 2, 3, 4, 5, 6})))
    exact = found.contrasts["exact_match"]
    assert (exact.both, exact.only_first, exact.only_second, exact.neither) == (2, 1, 4, 1)
    assert (exact.first, exact.second, exact.difference) == (3 / 8, 6 / 8, 3 / 8)
    # One against four: 2 · (1 + 5) / 2⁵.
    assert exact.p_value == pytest.approx(0.375)
    assert exact.interval[0] < 3 / 8 < exact.interval[1]
    assert found.same_outputs == 3  # the two that both have right, and the one "x" for "x"
    record = found.to_record()
    assert record["exact_match"]["difference"] == 3 / 8
    assert record["first"]["exact_match"] == 3 / 8
    assert found.signature.get("second") == found.second.signature.get("outputs")


def test_turned_round() -> None:
    one, other = score(DATA, SPLIT, outputs({0, 1, 2})), score(DATA, SPLIT, outputs({1, 2, 3, 4, 5, 6}))
    forth, back = compare(one, other).contrasts["exact_match"], compare(other, one).contrasts["exact_match"]
    assert (forth.difference, forth.p_value) == (-back.difference, back.p_value)


def test_a_system_and_itself() -> None:
    found = compare(*[score(DATA, SPLIT, outputs({1, 3}))] * 2)
    exact = found.contrasts["exact_match"]
    assert (exact.difference, exact.p_value, exact.interval, found.same_outputs) == (0, 1, (0, 0), 8)


@pytest.mark.parametrize(
    ("gained", "lost", "p_value"),
    # 2 · P(X ≤ min) for X of Binomial(gained + lost, ½), by hand.
    [(0, 5, 2 / 32), (5, 1, 2 * 7 / 64), (3, 3, 1.0), (10, 0, 2 / 1024), (0, 0, 1.0)],
)
def test_mcnemar(gained: int, lost: int, p_value: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p_value)


def test_seeds() -> None:
    first, second = [Verdict.RIGHT] * 50 + [Verdict.WRONG] * 50, [Verdict.WRONG, Verdict.RIGHT] * 50
    assert contrast(first, second, seed=3) == contrast(first, second, seed=3)
    one, other = score(DATA, SPLIT, outputs({0})), score(DATA, SPLIT, outputs({1}))
    assert compare(one, other, seed=1).signature != compare(one, other, seed=2).signature


def test_what_cannot_be_compared() -> None:
    one = score(DATA, SPLIT, outputs({0}))
    with pytest.raises(OptionError, match="not of the same examples"):
        compare(one, score(DATA, SPLIT, outputs({0}), part="dev"))
    with pytest.raises(OptionError, match="not of the same examples and metrics"):
        compare(one, score(DATA, SPLIT, outputs({0}), matchers={}, match="text", part="dev"))
    with pytest.raises(OptionError, match="2 entries beside 1"):
        contrast([Verdict.RIGHT] * 2, [Verdict.RIGHT])
    with pytest.raises(OptionError, match="the seed is -1"):
        compare(one, one, seed=-1)
    with pytest.raises(OptionError, match="-1 gained"):
        mcnemar(-1, 2)
