"""Flows that ship, options of them, and what is wrong with a file in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.annotation.tasks.check_answer import check_answer
from recombine.annotation.tasks.read_flow import FLOWS, known_flows, read_flow
from recombine.errors import FlowError, RefusedAnswerError, UnknownNameError


def test_the_flows_have_the_papers_numbers() -> None:
    grailqa, covr = read_flow("grailqa"), read_flow("covr")
    check, paraphrase = grailqa.of("check"), grailqa.of("paraphrase")
    assert check.batch is not None
    assert (check.workers, check.batch.size, check.batch.controls) == (4, 10, 1)
    assert [(rule.field, rule.at_least) for rule in check.accept] == [("same", 0.75), ("fluent", 0.6)]
    assert check.not_by == ("author",)
    assert (check.batch.reconsider, check.batch.pause_after) == (1, 2)
    assert (paraphrase.until_valid, paraphrase.attempts) == (5, 12)
    assert (grailqa.of("surface_forms").workers, grailqa.of("surface_forms").accept[0].at_least) == (3, 0.6)
    assert [grailqa.of(name).qualification for name in ("form", "canonical", "canonical_check")] == ["expert"] * 3
    assert (covr.of("validate").workers, covr.of("validate").accept[0].at_least) == (3, 1.0)


@pytest.mark.parametrize("name", known_flows())
def test_a_flow_that_ships_has_consent_and_worked_examples_that_pass_its_own_rules(name: str) -> None:
    flow = read_flow(name)
    assert len(flow.consent.split()) > 40
    for task in flow.task:
        assert len(task.instructions.split()) > 15, task.name
        for example in task.example:
            try:
                check_answer(task, example.show, example.answer)
            except RefusedAnswerError as error:
                pytest.fail(f"{task.name}: {error}")


def test_every_number_is_an_option() -> None:
    changes = {
        "check.workers": 3,
        "check.batch.size": 5,
        "check.batch.pause_after": 0,
        "paraphrase.attempts": 20,
        "paraphrase.distinct": False,
    }
    flow = read_flow("grailqa", changes=changes)
    batch = flow.of("check").batch
    assert batch is not None
    assert (flow.of("check").workers, batch.size, batch.pause_after, batch.controls) == (3, 5, 0, 1)
    assert (flow.of("paraphrase").attempts, flow.of("paraphrase").distinct) == (20, False)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "Right and natural?"', "", "task audit: the key 'title' is missing"),
        ("workers = 1", "wokers = 1", "task audit: unknown key 'wokers'"),
        ("workers = 1", "workers = 0", "task audit: workers is 0"),
        ("workers = 1", "until_valid = 5", "task audit: until_valid wants attempts and judged_by"),
        ('field = "right"', 'field = "rigth"', "task audit: a rule names the field 'rigth'"),
        ('equals = "yes"\n', "", "wants one of equals and equals_shown"),
        ("at_least = 0.5", "at_least = 1.5", "task audit accept 1: at_least is 1.5"),
        ('name = "right"', 'name = "_right"', "task audit ask 1: name is '_right'"),
        ('kind = "yes_no"', 'kind = "yes-no"', "task audit ask 1: kind is 'yes-no'"),
        ('name = "audit"\ntitle = "A look', 'name = "audit\ntitle = "A look', "not TOML"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (FLOWS / "audit.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(FlowError) as caught:
        read_flow(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_flow_that_is_not_there_and_an_option_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'grailqa'"):
        read_flow("grailqa2")
    with pytest.raises(UnknownNameError, match="chek"):
        read_flow("grailqa", changes={"chek.workers": 3})
    with pytest.raises(FlowError, match="unknown key 'wokers'"):
        read_flow("grailqa", changes={"check.wokers": 3})


def test_tasks_that_feed_each_other_are_there() -> None:
    with pytest.raises(FlowError, match="feeds 'nothing', which is no task"):
        read_flow("grailqa", changes={"paraphrase.judged_by.task": "nothing"})
    with pytest.raises(FlowError, match="which is not voted on"):
        read_flow("grailqa", changes={"paraphrase.judged_by.task": "canonical"})
