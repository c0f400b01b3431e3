"""Splits by levels whose sizes become smaller where more cannot be held out."""

from __future__ import annotations

import pytest

import recombine
from recombine.errors import InfeasibleError
from recombine.records.dataset import Dataset
from recombine.splits.fitted_levels import fitted_levels
from recombine.splits.hold_out.levels import LevelsSplitter


def questions(small: int) -> Dataset:
    """A large domain of ten templates, and two small ones of so many examples."""
    forms = [f"(JOIN big.c.r{n % 5} m.0{n})" for n in range(50)]
    forms += [f"(AND big.c (JOIN big.c.r{n % 5} m.1{n}))" for n in range(50)]
    forms += [f"(JOIN small{d}.c.r m.0{n})" for d in range(2) for n in range(small)]
    return recombine.load([(form, form) for form in forms], language="sexpression")


SPLITTER = LevelsSplitter(dev_domains=1, test_domains=1, max_unused=1.0, seed=1)


def test_the_largest_sizes_that_can_be_met() -> None:
    # Half of a test of 20 % would be 11 zero-shot questions; a quarter of the size has three of them.
    made = fitted_levels(questions(4), SPLITTER)
    assert made.split.sizes()["test"] == 5
    assert made.notes[0] == "dev and test have 25% of their usual sizes, as more cannot be held out"
    assert "usual" not in "".join(fitted_levels(questions(14), SPLITTER).notes)


def test_what_is_asked_for_stays() -> None:
    with pytest.raises(InfeasibleError, match="test has 4 of 11 zero-shot"):
        fitted_levels(questions(4), SPLITTER, fixed_sizes=True)
    with pytest.raises(InfeasibleError, match="of 10 zero-shot"):  # what is said is of the sizes asked for
        fitted_levels(questions(1), SPLITTER)


def test_what_is_unused_is_said() -> None:
    made = fitted_levels(questions(40), SPLITTER)
    unused = 180 - sum(made.split.sizes().values())
    assert made.notes == (f"{unused} of 180 examples are in no part: what is held out has more than dev and test need",)


@pytest.mark.parametrize(("domains", "held_out"), [(86, (5, 10)), (27, (2, 3)), (57, (3, 7)), (3, (1, 1)), (2, (0, 1))])
def test_domains_are_held_out_as_in_the_paper(domains: int, held_out: tuple[int, int]) -> None:
    fitted = LevelsSplitter(dev_domains=None, test_domains=None)._fitted(domains)
    assert (fitted.dev_domains, fitted.test_domains) == held_out


def test_without_two_domains_nothing_is_zero_shot() -> None:
    assert LevelsSplitter(dev_domains=None, test_domains=None)._fitted(1).zero_shot == 0
    given = LevelsSplitter(dev_domains=2, test_domains=3)
    assert given._fitted(1) is given
