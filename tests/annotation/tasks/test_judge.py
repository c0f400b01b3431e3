"""What answers come to. The shares of 4 votes are those of GrailQA, section 3.1: same 75 %, fluent 60 %."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from recombine.annotation.tasks.judge import deciding, judge, reaches
from recombine.annotation.tasks.read_flow import read_flow

CHECK = read_flow("grailqa").of("check")


def votes(same: int, fluent: int, number: int = 4) -> list[dict[str, str]]:
    return [{"same": "yes" if k < same else "no", "fluent": "yes" if k < fluent else "no"} for k in range(number)]


@pytest.mark.parametrize(("same", "fluent"), [*product(range(5), range(5))])
def test_of_four_votes_both_thresholds_need_three(same: int, fluent: int) -> None:
    assert judge(CHECK, {}, votes(same, fluent)).accepted == (same >= 3 and fluent >= 3)


def test_of_five_votes_same_needs_four_and_fluent_three() -> None:
    assert judge(CHECK, {}, votes(4, 3, 5)).accepted
    assert not judge(CHECK, {}, votes(3, 5, 5)).accepted
    assert not judge(CHECK, {}, votes(5, 2, 5)).accepted


@pytest.mark.parametrize(("right", "passed"), [(0.95, 0.972), (0.5, 0.098)])
def test_good_texts_pass_as_often_as_exact_binomials_say(right: float, passed: float) -> None:
    """Both fields independent: the probability of at least 3 of 4, squared, summed over all outcomes of the rule."""
    chance = 0.0
    for same, fluent in product(range(5), range(5)):
        if judge(CHECK, {}, votes(same, fluent)).accepted:
            chance += (
                comb(4, same) * right**same * (1 - right) ** (4 - same)
                * comb(4, fluent) * right**fluent * (1 - right) ** (4 - fluent)
            )  # fmt: skip
    assert round(chance, 3) == passed


def test_shares_are_in_whole_numbers() -> None:
    # In floats 0.1 * 3 is more than 0.3, and 3 of 10 would not reach it.
    assert reaches(3, 10, 0.3)
    assert reaches(7, 10, 0.7)
    assert not reaches(69, 100, 0.7)


def test_unanimous_is_every_field_of_every_answer() -> None:
    assert judge(CHECK, {}, votes(4, 4)).unanimous
    assert judge(CHECK, {}, votes(0, 4)).unanimous
    assert not judge(CHECK, {}, votes(4, 3)).unanimous


def test_a_remark_decides_nothing() -> None:
    audit = read_flow("audit").of("audit")
    answers = [{"right": "yes", "natural": "no", "remark": text} for text in ("", "clumsy")]
    assert judge(audit, {}, answers).unanimous
    assert deciding(audit, answers[1]) == {"right": "yes"}


def test_names_are_kept_each_by_itself() -> None:
    task = read_flow("grailqa").of("surface_forms")
    show = {"names": ["nyc", "ny", "boston"]}
    judgement = judge(task, show, [{"names": ["nyc", "ny"]}, {"names": ["nyc"]}, {"names": ["ny", "boston"]}])
    assert judgement.kept == ("nyc", "ny")  # two of three each; boston has one
    assert judgement.accepted
    assert not judge(task, show, [{"names": []}] * 3).accepted


def test_all_must_say_valid_for_a_question_about_pictures() -> None:
    task = read_flow("covr").of("validate")
    assert judge(task, {}, [{"verdict": "valid"}] * 3).accepted
    assert not judge(task, {}, [{"verdict": "valid"}, {"verdict": "valid"}, {"verdict": "unsure"}]).accepted


def test_an_answer_is_right_where_it_is_the_one_that_is_not_shown() -> None:
    task = read_flow("covr").of("answer")
    assert judge(task, {"answer": "Yes"}, [{"answer": "yes"}]).accepted
    assert not judge(task, {"answer": "3"}, [{"answer": "4"}]).accepted
