"""What the answers to an item come to, by its task's rules of acceptance."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.annotation.tasks.task import Accept, Task


@dataclass(frozen=True)
class Judgement:
    """Whether an item is accepted, with the shares by which it is."""

    accepted: bool
    shares: dict[str, float] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    unanimous: bool = False
    """Whether all answers are the same in the fields that decide."""


def judge(task: Task, show: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]) -> Judgement:
    """The judgement of the counted answers, of which there is one at least."""
    shares: dict[str, float] = {}
    accepted, kept = True, list[str]()
    for rule in task.accept:
        if task.asked(rule.field).kind == "several":
            kept += _kept(rule, task, show, answers)
            shares[rule.field] = len(kept) / max(1, len(task.asked(rule.field).options_of(dict(show))))
            accepted = accepted and bool(kept)
        else:
            right = sum(is_right(rule, show, answer) for answer in answers)
            shares[rule.field] = right / len(answers)
            accepted = accepted and reaches(right, len(answers), rule.at_least)
    unanimous = all(deciding(task, answer) == deciding(task, answers[0]) for answer in answers)
    return Judgement(accepted, shares, tuple(kept), unanimous)


def deciding(task: Task, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that rules of acceptance name: what a control must have right."""
    return {rule.field: answer[rule.field] for rule in task.accept}


def reaches(right: int, answers: int, at_least: float) -> bool:
    """Whether a share is at least what a rule says, in whole numbers.

    >>> reaches(3, 5, 0.6), reaches(2, 4, 0.6)
    (True, False)
    """
    return right >= Fraction(str(at_least)) * answers


def is_right(rule: Accept, show: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Whether an answer has the value that a rule asks for."""
    wanted = str(show.get(rule.equals_shown, "")) if rule.equals_shown is not None else rule.equals
    return str(answer[rule.field]).casefold() == str(wanted).casefold()


def passes(said: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether an answer to a control has every field right."""
    return all(said.get(field) == value for field, value in expected.items())


def _kept(rule: Accept, task: Task, show: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]) -> list[str]:
    """The options that enough answers chose."""
    options = dict.fromkeys(task.asked(rule.field).options_of(dict(show)))
    chosen = {option: sum(option in answer[rule.field] for answer in answers) for option in options}
    return [option for option, count in chosen.items() if reaches(count, len(answers), rule.at_least)]
