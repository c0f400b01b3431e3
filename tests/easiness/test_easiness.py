"""Easiness by hand and against its definition, and the reason for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.easiness.easiness import EasinessRule
from recombine.easiness.reason import Reason, explain
from recombine.easiness.structure_similarity import structure_similarity
from recombine.errors import OptionError, UnknownNameError
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree
from small_programs import column, structures_of, trees

# After Figure 1: `or ( exists … )` is asked for. Split 1 shows `all` and `some` under `or`; split 2 only numbers.
TRAIN_1 = [
    "exists ( find )",
    "and ( exists ( find ) , gt )",
    "all ( find )",
    "and ( all ( find ) , gt )",
    "or ( all ( find ) , gt )",
]
TRAIN_2 = ["exists ( find )", "and ( exists ( find ) , gt )", "or ( gt , gt )"]
TEST = "or ( exists ( find ) , gt )"


def test_similar_structures_make_it_easy() -> None:
    found = structures_of([*TRAIN_1, TEST])
    fitted = EasinessRule(found).fit(range(5))
    easiness = fitted.predict([5])
    # or > exists is like or > all. children 1 (find), right 1 (gt), parents {<s>, and} of {<s>, and, or}: 2/3.
    assert easiness.scores.tolist() == [pytest.approx((1 + 1 + 2 / 3) / 3)]
    assert found.name(int(easiness.hardest[0])) == "or > exists"
    assert easiness.unobserved.tolist() == [1]
    (reason,) = explain(fitted, easiness)
    assert reason == Reason("or > exists", pytest.approx(8 / 9), "or > all", ("exists", "all"), (4,), 1)
    assert str(reason) == "or > exists was not observed; or > all was, in 1 program (0.889)"


def test_nothing_similar_makes_it_hard() -> None:
    found = structures_of([*TRAIN_2, TEST])
    fitted = EasinessRule(found).fit(range(3))
    easiness = fitted.predict([3])
    # or > exists: `and > exists` has `and` for `or`: parents 1, children {exists, gt} and {gt}: 1/2, so 3/4;
    # `or > gt` has `gt` for `exists`: parents {or, and} of {<s>, and, or}: 1/3, children 0, right 1/1, left 0/1: 1/3.
    assert fitted.symbols.of("or", "and") == pytest.approx(3 / 4)
    assert fitted.symbols.of("exists", "gt") == pytest.approx((1 / 3 + 0 + 1 + 0) / 4)
    assert easiness.scores.tolist() == [pytest.approx(3 / 4)]
    strict = EasinessRule(found, "none").fit(range(3))
    assert strict.predict([3]).scores.tolist() == [0.0]
    (reason,) = explain(strict, strict.predict([3]))
    assert reason == Reason("or > exists", 0.0, None, None, (), 0)
    assert str(reason) == "or > exists was not observed, nor anything like it"


def test_the_least_easy_structure_decides() -> None:
    found = structures_of([*TRAIN_1, "or ( exists ( find ) , find )"])
    easiness = EasinessRule(found).fit(range(5)).predict([5])
    # Unobserved: or > exists, or > find, exists ~ find. `find` shares no context with `gt`, the one seen beside exists.
    assert easiness.unobserved.tolist() == [3]
    assert found.name(int(easiness.hardest[0])) == "exists ~ find"
    assert (easiness.scores[0], easiness.nearest[0]) == (0.0, -1)


def test_what_was_observed_is_easy() -> None:
    found = structures_of(TRAIN_1)
    fitted = EasinessRule(found).fit(range(5))
    easiness = fitted.predict(range(5))
    assert easiness.scores.tolist() == [1.0] * 5
    assert explain(fitted, easiness) == [None] * 5
    assert easiness.mean() == 1.0


def test_an_unobserved_structure_may_be_as_easy_as_an_observed_one() -> None:
    # f and g have the same contexts, so f > b is as easy as g > b; it is named all the same.
    found = structures_of(["f ( a )", "g ( a )", "g ( b )", "f ( b )"], "local:2,no-siblings")
    fitted = EasinessRule(found).fit([0, 1, 2])
    score = fitted.symbols.of("f", "g")
    assert fitted.predict([3]).scores.tolist() == [max(score, fitted.symbols.of("b", "a"))]
    assert found.name(int(fitted.predict([3]).hardest[0])) == "f > b"


def test_an_unseen_symbol_has_no_easiness() -> None:
    found = structures_of(["f ( a )", "f ( b )", "f ( zebra )"])
    easiness = EasinessRule(found).fit([0, 1]).predict([2])
    assert (easiness.scores[0], easiness.nearest[0]) == (0.0, -1)


def test_no_structures_at_all() -> None:
    found = structures_of(["f ( a , b )", "f ( a )"], "local:2,no-parents")
    easiness = EasinessRule(found).fit([0]).predict([1])
    assert easiness.scores.tolist() == [1.0]
    assert easiness.unobserved.tolist() == [0]


def test_bad_options() -> None:
    found = structures_of(TRAIN_1)
    with pytest.raises(OptionError, match="the training set is empty"):
        EasinessRule(found).fit([])
    with pytest.raises(UnknownNameError, match="unknown similarity 'nosim'"):
        EasinessRule(found, "nosim")


def test_repeats_in_train_change_nothing() -> None:
    found = structures_of([*TRAIN_1, TEST])
    once, twice = EasinessRule(found).fit(range(5)), EasinessRule(found).fit([4, 0, 1, 2, 3, 4, 4])
    assert once.predict([5]).scores.tolist() == twice.predict([5]).scores.tolist()
    assert twice.train.tolist() == [0, 1, 2, 3, 4]
    assert explain(once, once.predict([5])) == explain(twice, twice.predict([5]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(trees(), min_size=1, max_size=5),
    st.lists(trees("abcde"), min_size=1, max_size=3),
    st.sampled_from(["local:2", "local:3", "local:4", "local:2,no-siblings", "local:3,no-parents", "ngram:2"]),
    st.sampled_from(["contexts", "relations", "none"]),
)
def test_against_the_definition(train: list[Tree], test: list[Tree], definition: str, similarity: str) -> None:
    found = local_structures(program_arrays([*train, *test]), definition)
    rows = np.arange(len(train), len(train) + len(test))
    fitted = EasinessRule(found, similarity).fit(range(len(train)))
    easiness = fitted.predict(rows)
    observed = sorted({int(c) for row in range(len(train)) for c in found.row(row)})
    for place, row in enumerate(rows):
        highest = [
            max(
                (
                    float(one == other)
                    if similarity == "none"
                    else structure_similarity(found, fitted.symbols, int(one), other)
                    for other in observed
                ),
                default=0.0,
            )
            for one in found.row(int(row))
        ]
        assert easiness.scores[place] == pytest.approx(min(highest, default=1.0), abs=1e-12)
        if easiness.nearest[place] >= 0:
            pair = int(easiness.hardest[place]), int(easiness.nearest[place])
            assert structure_similarity(found, fitted.symbols, *pair) == pytest.approx(easiness.scores[place])
            assert pair[1] in observed


def test_columns_by_name() -> None:
    found = structures_of(["f ( a )"])
    assert found.programs_with(column(found, "f > a")).tolist() == [0]
