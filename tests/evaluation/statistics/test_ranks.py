"""Average ranks, by hand and those of Table 2 of the NQG paper."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.statistics.ranks import average_ranks, ranks

EVALUATIONS = ("jump", "turn left", "length", "mcd", "standard", "template", "geo length", "tmcd")
TABLE_2 = {
    "Syntactic Attn.": (91.0, 99.9, 15.2, 2.9, 77.5, 70.6, 23.6, 0.0),
    "CGPS": (98.8, 99.7, 20.3, 2.0, 62.1, 32.8, 9.3, 32.3),
    "T5-Base": (99.5, 62.0, 14.4, 15.4, 92.9, 87.0, 39.1, 54.3),
    "NQG-T5-Base": (100, 100, 100, 100, 92.9, 88.8, 52.2, 56.6),
    "NQG": (100, 100, 100, 100, 76.8, 61.9, 37.4, 41.1),
}
SCORES = {system: dict(zip(EVALUATIONS, row, strict=True)) for system, row in TABLE_2.items()}


def test_one_evaluation() -> None:
    values = {"a": 3.0, "b": 5.0, "c": 3.0, "d": 1.0, "e": 3.0}
    assert ranks(values) == {"b": 1, "a": 3, "c": 3, "e": 3, "d": 5}
    assert ranks(values, ties="best") == {"b": 1, "a": 2, "c": 2, "e": 2, "d": 5}


def test_table_2() -> None:
    found = average_ranks(SCORES, ties="best")
    assert found == {"Syntactic Attn.": 3.875, "CGPS": 4.375, "T5-Base": 2.875, "NQG-T5-Base": 1.0, "NQG": 2.25}
    # The paper prints 3.9, 4.4, 2.9, 1.0 and 2.3. Ties averaged, NQG-T5 shares four first places and T5 one.
    assert average_ranks(SCORES) == found | {"NQG-T5-Base": 1 + 5 / 16, "NQG": 2.25 + 4 / 16, "T5-Base": 2.875 + 1 / 16}


def test_ranks_of_one_evaluation_have_one_sum() -> None:
    assert sum(average_ranks(SCORES).values()) == 1 + 2 + 3 + 4 + 5


def test_what_cannot_be_ranked() -> None:
    with pytest.raises(OptionError, match="GECA has no score in turn left"):
        average_ranks({**SCORES, "GECA": {"jump": 87.0}})
    with pytest.raises(OptionError, match="nothing to rank"):
        average_ranks({})
    with pytest.raises(UnknownNameError, match="way to rank ties"):
        ranks({"a": 1.0}, ties="first")
