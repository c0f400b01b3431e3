"""First wrong tokens, after Table 4 of the paper."""

from __future__ import annotations

import pytest

from recombine.easiness.easiness import EasinessRule
from recombine.evaluation.errors.first_error import (
    completes,
    first_difference,
    first_errors,
    output_tokens,
    unobserved_pairs,
)
from small_programs import structures_of

# Table 4: all four models go wrong exactly where `exists` should follow under `or`.
GOLD = "or ( gt ( count ( find ( dog ) ) , count ( filter ( white , find ( animal ) ) ) ) , exists ( find ( dog ) ) )"
OUTPUTS = {
    "T5": GOLD.replace("exists", "there"),
    "BART": GOLD.replace("exists", "ists"),
    "T5-L": GOLD.replace("exists", "eq"),
    "BART-L": GOLD[: GOLD.index("exists")] + "with_relation (",
}


def test_table_4() -> None:
    found = first_errors((GOLD, output, False, [("or", "exists")]) for output in OUTPUTS.values())
    assert (found.outputs, found.wrong, found.asked, found.completed, found.share) == (4, 4, 4, 4, 1.0)


def test_what_counts_and_what_does_not() -> None:
    late = GOLD.replace("exists ( find ( dog )", "exists ( find ( cat )")
    found = first_errors(
        [
            (GOLD, GOLD, True, [("or", "exists")]),  # right
            (GOLD, late, False, []),  # wrong, but nothing is unobserved
            (GOLD, late, False, [("or", "exists")]),  # goes wrong elsewhere
            (GOLD, GOLD, False, [("or", "exists")]),  # the same tokens, judged wrong
            (GOLD, "", False, [("<s>", "or")]),  # the root stands before the first token
        ]
    )
    assert found.to_record() == {
        "outputs": 5,
        "wrong": 4,
        "asked": 3,
        "same_tokens": 1,
        "completed": 1,
        "share": pytest.approx(1 / 3),
    }
    assert first_errors([]).share is None


def test_the_first_difference() -> None:
    assert first_difference(list("abc"), list("abd")) == 2
    assert first_difference(list("abc"), list("ab")) == 2
    assert first_difference(list("ab"), list("abc")) == 2
    assert first_difference(list("ab"), list("ab")) is None
    assert not completes(list("ab"), 2, [("a", "b")])  # the output goes on after the whole program
    assert not completes(list("ba"), 0, [("a", "b")])  # a comes only later
    assert completes(list("ab"), 1, [("a", "b")])


def test_tokens() -> None:
    assert output_tokens("eq(query_attr [ color ](scene()), playing with)") == [
        *("eq", "(", "query_attr[color]", "(", "scene", "(", ")", ")", ",", "playing", "with", ")")
    ]


def test_pairs_of_a_fitted_rule() -> None:
    found = structures_of(["f ( a )", "g ( a , b )", "g ( f ( a ) , b )"], "local:3")
    fitted = EasinessRule(found).fit([0, 1])
    assert unobserved_pairs(fitted, 2) == [("g", "f"), ("f", "b")]
