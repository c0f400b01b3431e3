"""Taking items and controls in from lines of files; a line that cannot be taken is an error that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select

from recombine.annotation.campaign.items.make_item import make_item
from recombine.annotation.campaign.records import Added
from recombine.annotation.campaign.settle import add_control
from recombine.annotation.campaign.states import ACCEPTED, REJECTED
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id
from recombine.annotation.tasks.check_answer import check_answer
from recombine.annotation.tasks.judge import deciding, judge
from recombine.errors import RecombineError, RecordError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task

_i = schema.items.c
_NAMED = select(_i.id, _i.task, _i.state).where(_i.name == bindparam("name")).order_by(_i.number)
_OF = select(_i.id, _i.task, _i.state).where(_i.id == bindparam("name"))


def add_items(turn: Turn, rules: Rules, lines: Sequence[Mapping[str, Any]], file: Path | str) -> Added:
    """Add the items of lines, all or none.

    An item whose `parent` is an item of the campaign that is voted on waits until that is accepted.
    """
    checked = [_checked(rules, line, file, number) for number, line in enumerate(lines, start=1)]
    added = 0
    for line, task in checked:
        parent, waiting = _parent(turn, rules, str(line.get("parent") or ""))
        made = make_item(
            turn,
            task,
            show=line["show"],
            name=str(line.get("item") or ""),
            parent=parent,
            author=str(line.get("author") or ""),
            keep=line.get("keep"),
            waiting=waiting,
        )
        added += made is not None
    if added:
        turn.note("items", added=added, hash=content_id([canonical(dict(line)) for line in lines]))
    return Added(added, len(lines) - added)


def add_controls(turn: Turn, rules: Rules, lines: Sequence[Mapping[str, Any]], file: Path | str) -> Added:
    """Add controls, all or none: items with the answers that must be given to them."""
    checked = [_checked(rules, line, file, number) for number, line in enumerate(lines, start=1)]
    answers = [_expected(task, line, file, number) for number, (line, task) in enumerate(checked, start=1)]
    added = 0
    for (line, task), answer in zip(checked, answers, strict=True):
        made = make_item(
            turn,
            task,
            show=line["show"],
            name=str(line.get("item") or ""),
            author=str(line.get("author") or ""),
            control=True,
        )
        if made is not None:
            good = judge(task, line["show"], [answer]).accepted
            added += add_control(turn, rules, made, task.name, deciding(task, answer), good=good, grown=False)
    return Added(added, len(lines) - added)


def _checked(rules: Rules, line: Mapping[str, Any], file: Path | str, number: int) -> tuple[Mapping[str, Any], Task]:
    """A line and its task, where all that the task shows is there."""
    where = f"line {number}"
    try:
        task = rules.flow.of(str(line.get("task")))
    except RecombineError as error:
        raise RecordError(file, where, error.problem, error.remedy, reason="unknown_task") from None
    show = line.get("show")
    if not isinstance(show, dict):
        raise RecordError(file, where, "'show' is no object", 'give {"show": {…}}', reason="missing_field")
    if not isinstance(line.get("keep") or {}, dict):
        raise RecordError(file, where, "'keep' is no object", 'give {"keep": {…}}', reason="wrong_type")
    needed = [shown.name for shown in task.show if not shown.optional]
    needed += [asked.options_from for asked in task.ask if asked.options_from]
    needed += [rule.equals_shown for rule in task.accept if rule.equals_shown]
    for name in needed:
        if name not in show:
            problem = f"'show' has no {name!r}, which the task {task.name} needs"
            raise RecordError(file, where, problem, "add it", reason="missing_field")
    return line, task


def _expected(task: Task, line: Mapping[str, Any], file: Path | str, number: int) -> dict[str, Any]:
    where = f"line {number}"
    if not task.controlled:
        raise RecordError(file, where, f"the task {task.name} has no controls", "leave it out", reason="unknown_task")
    if not isinstance(line.get("answer"), dict):
        raise RecordError(file, where, "'answer' is no object", 'give {"answer": {…}}', reason="missing_field")
    try:
        return check_answer(task, line["show"], line["answer"])
    except RecombineError as error:
        raise RecordError(file, where, error.problem, error.remedy, reason="malformed") from None


def _parent(turn: Turn, rules: Rules, name: str) -> tuple[str, bool]:
    """The id of a parent, where it is an item of the campaign, and whether its verdict is waited for."""
    if not name:
        return "", False
    row = turn.read(_OF, {"name": name}).one_or_none() or turn.read(_NAMED, {"name": name}).first()
    if row is None:
        return name, False
    return str(row.id), not rules.flow.of(row.task).makes and row.state not in (ACCEPTED, REJECTED)
