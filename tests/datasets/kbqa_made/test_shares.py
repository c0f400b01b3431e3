"""Shares of kinds of questions become counts that meet them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.kbqa_made.shares import (
    FUNCTIONS,
    RELATIONS,
    cell_counts,
    read_function_shares,
    read_relation_shares,
)
from recombine.datasets.kbqa_made.spread import spread
from recombine.errors import OptionError

KNOWN = ("none", "count", "superlative", "comparative")


@given(st.integers(1, 200_000))
def test_counts_meet_both_shares(n: int) -> None:
    relations, functions = read_relation_shares(RELATIONS), read_function_shares(FUNCTIONS, KNOWN)
    counts = cell_counts(n, relations, functions)
    assert sum(counts.values()) == n
    for number, share in relations.items():
        assert abs(sum(each for cell, each in counts.items() if cell[0] == number) - n * share) <= len(functions)
    for name, share in functions.items():
        assert abs(sum(each for cell, each in counts.items() if cell[1] == name) - n * share) <= len(relations)


@pytest.mark.parametrize("text", ["", "1,x", "-1,2", "0,0", "1,2,3,4,5", "nan", "inf"])
def test_shares_of_relations_that_are_none(text: str) -> None:
    with pytest.raises(OptionError):
        read_relation_shares(text)


@pytest.mark.parametrize("text", ["", "none", "none:x", "most:1", "none:1,none:2", "none:0"])
def test_shares_of_functions_that_are_none(text: str) -> None:
    with pytest.raises(OptionError):
        read_function_shares(text, KNOWN)


@given(st.integers(0, 300), st.lists(st.integers(0, 40), max_size=12))
def test_questions_are_spread_as_evenly_as_can_be(count: int, most: list[int]) -> None:
    given_ = spread(count, most)
    assert sum(given_) == min(count, sum(most))
    assert all(one <= limit for one, limit in zip(given_, most, strict=True))
    open_ = [one for one, limit in zip(given_, most, strict=True) if one < limit]
    assert not open_ or max(given_) - min(open_) <= 1
