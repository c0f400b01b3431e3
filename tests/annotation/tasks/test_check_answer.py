"""What is refused at entry, and under which word."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.annotation.tasks.check_answer import as_compared, check_answer, check_copies
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import RefusedAnswerError

FLOW = read_flow("grailqa")
SHOW = {"question": "who wrote [Jaws] in [1975]?"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[Jaws] was written by whom?", "brackets_lost"),
        ("Who wrote [jaws] in [1975]?", "brackets_lost"),
        ("Who wrote [Jaws] and [Jaws] in [1975]?", "brackets_added"),
        ("Who is the [writer] of [Jaws] in [1975]?", "brackets_added"),
        ("Who wrote [Jaws in [1975]?", "brackets_unbalanced"),
        ("Who wrote Jaws] in [1975]?", "brackets_unbalanced"),
        ("Who  wrote [Jaws] in [1975] ?", "copy_of_shown"),
        ("", "missing"),
        (" \n ", "missing"),
        ("[Jaws] [1975]" + "a" * 500, "too_long"),
        ("who\x00 of [Jaws] in [1975]", "not_text"),
        ("who\ud800 of [Jaws] in [1975]", "not_text"),
        (7, "not_text"),
        (["a"], "not_text"),
    ],
)
def test_a_paraphrase_is_refused(text: Any, reason: str) -> None:
    with pytest.raises(RefusedAnswerError) as caught:
        check_answer(FLOW.of("paraphrase"), SHOW, {"paraphrase": text})
    assert (caught.value.field, caught.value.reason) == ("paraphrase", reason)


def test_a_paraphrase_that_keeps_its_brackets_is_taken_with_its_spaces_set_right() -> None:
    answer = check_answer(FLOW.of("paraphrase"), SHOW, {"paraphrase": " In [1975], who\nwrote [Jaws]? "})
    assert answer == {"paraphrase": "In [1975], who wrote [Jaws]?"}


@pytest.mark.parametrize(
    ("answer", "field", "reason"),
    [
        ({"same": "yes"}, "fluent", "missing"),
        ({"same": "maybe", "fluent": "no"}, "same", "not_an_option"),
        ({"same": "yes", "fluent": "no", "more": "x"}, "more", "unknown_field"),
    ],
)
def test_a_check_is_refused(answer: dict[str, str], field: str, reason: str) -> None:
    with pytest.raises(RefusedAnswerError) as caught:
        check_answer(FLOW.of("check"), {}, answer)
    assert (caught.value.field, caught.value.reason) == (field, reason)


def test_names_that_are_chosen_come_in_their_order_and_once() -> None:
    show = {"name": "New York", "names": ["nyc", "ny", "boston"]}
    task = FLOW.of("surface_forms")
    assert check_answer(task, show, {"names": ["ny", "nyc", "ny"]}) == {"names": ["nyc", "ny"]}
    assert check_answer(task, show, {"names": "ny"}) == {"names": ["ny"]}
    assert check_answer(task, show, {}) == {"names": []}
    with pytest.raises(RefusedAnswerError, match="cannot be chosen"):
        check_answer(task, show, {"names": ["paris"]})


def test_copies_are_of_what_was_accepted_or_is_judged() -> None:
    rule = FLOW.of("paraphrase").refuse[0]
    for accepted, pending, reason in (({"who?"}, set(), "copy_of_accepted"), (set(), {"who?"}, "copy_of_pending")):
        with pytest.raises(RefusedAnswerError) as caught:
            check_copies(rule, "WHO?", {as_compared(t) for t in accepted}, {as_compared(t) for t in pending})
        assert caught.value.reason == reason
    check_copies(rule, "whom?", {"who"}, {"who"})
    check_copies(rule.model_copy(update={"accepted": False, "pending": False}), "who", {"who"}, {"who"})
