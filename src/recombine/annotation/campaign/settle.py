"""What becomes of an item when its counts changed: a verdict, and all that a verdict brings about.

A voted item is decided once it has its votes. What was made is then valid or not, which counts for the item that it was
made for; an accepted item feeds others; an item that all judges agree on becomes a control.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, delete, insert, select

from recombine.annotation.campaign.items.item_state import ItemState
from recombine.annotation.campaign.items.make_item import fed_show, make_item
from recombine.annotation.campaign.states import (
    ACCEPTED,
    COMPLETE,
    EXHAUSTED,
    OPEN,
    PASSED,
    REJECTED,
    WAITING,
    WITHDRAWN,
)
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical
from recombine.annotation.tasks.judge import Judgement, deciding, judge

if TYPE_CHECKING:
    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task


_r, _b, _i = schema.responses.c, schema.batches.c, schema.items.c
_VOTES = (
    select(_r.answer, _r.revision, _r.batch, _b.control, _b.state)
    .join_from(schema.responses, schema.batches, _r.batch == _b.id)
    .where(_r.item == bindparam("item"), _r.standing == "")
    .order_by(_r.number)
)
_FORGET_VERDICT = delete(schema.verdicts).where(schema.verdicts.c.item == bindparam("of_item"))
_VERDICT = insert(schema.verdicts)
_CHILDREN = select(schema.items).where(_i.parent == bindparam("item")).order_by(_i.number)
_CONTROL = insert(schema.controls)
_IS_CONTROL = select(schema.controls.c.item).where(schema.controls.c.item == bindparam("item"))
_NO_CONTROL = delete(schema.controls).where(
    schema.controls.c.item == bindparam("of_item"), schema.controls.c.grown.is_(True)
)


def counted_answers(turn: Turn, item: str) -> list[dict[str, Any]]:
    """The answers to an item that count: the last revision of each, of batches that passed or have no control."""
    last: dict[str, dict[str, Any]] = {}
    for row in turn.read(_VOTES, {"item": item}):
        if not row.control or row.state == PASSED:
            last[row.batch] = orjson.loads(row.answer)
    return list(last.values())


def settle(turn: Turn, rules: Rules, item: ItemState, *, returned: bool = False) -> None:
    """Decide an item that can be decided, and write it back."""
    task = rules.flow.of(item.task)
    judgement, was_open = None, item.state == OPEN
    if was_open and not item.control:
        if not task.makes and item.votes >= task.slots:
            judgement = judge(task, item.show, counted_answers(turn, item.id))
            item.state = ACCEPTED if judgement.accepted else REJECTED
        elif task.makes:
            item.state = made_state(task, item.valid, item.votes, item.pending, item.leased)
    item.save(turn, task, returned=returned)
    if task.makes and was_open and item.state != OPEN:
        write_verdict(turn, item, Judgement(item.state == COMPLETE))
    if judgement is not None:
        write_verdict(turn, item, judgement)
        _grow_control(turn, rules, item, judgement)
        bring_about(turn, rules, item)
        count_for_parent(turn, rules, item, valid=int(judgement.accepted), pending=-1)


def made_state(task: Task, valid: int, votes: int, pending: int, leased: int) -> str:
    """The state of an item for which something is made."""
    if valid >= task.slots:
        return COMPLETE
    return EXHAUSTED if votes >= (task.attempts or 0) and not pending and not leased else OPEN


def write_verdict(turn: Turn, item: ItemState, judgement: Judgement, *, by: str = "") -> None:
    """Store what was decided, in place of what was decided before."""
    turn.write(_FORGET_VERDICT, {"of_item": item.id})
    shares, kept = canonical(judgement.shares), canonical(judgement.kept)
    row = {"item": item.id, "state": item.state, "votes": item.votes, "shares": shares, "kept": kept, "by": by}
    turn.write(_VERDICT, row)
    turn.note("verdict", item=item.id, state=item.state, votes=item.votes, shares=judgement.shares, by=by)


def count_for_parent(turn: Turn, rules: Rules, item: ItemState, *, valid: int, pending: int) -> None:
    """Count what was decided on a made answer for the item that it was made for."""
    if not item.response:
        return
    parent = ItemState.of(turn, item.parent)
    if parent is None:
        return
    parent.valid += valid
    parent.pending += pending
    task = rules.flow.of(parent.task)
    if parent.state in (COMPLETE, EXHAUSTED):  # a lead decided otherwise: it is looked at afresh
        parent.state = OPEN
        turn.write(_FORGET_VERDICT, {"of_item": parent.id})
    settle(turn, rules, parent, returned=parent.slots(task) > 0)


def bring_about(turn: Turn, rules: Rules, item: ItemState) -> None:
    """Feed what an accepted item feeds; release what waits for it, or withdraw it where the item is rejected."""
    task = rules.flow.of(item.task)
    children = [ItemState(row) for row in turn.read(_CHILDREN, {"item": item.id})]
    for child in children:
        _follow(turn, rules, child, accepted=item.state == ACCEPTED)
    if item.state == ACCEPTED:
        there = {child.task for child in children}
        for feed in task.feeds:
            if feed.task not in there:
                made = fed_show(feed, item.show, {})
                fed = rules.flow.of(feed.task)
                make_item(turn, fed, show=made, parent=item.id, author=item.author, keep=item.keep, again=True)


def _follow(turn: Turn, rules: Rules, child: ItemState, *, accepted: bool) -> None:
    """Let an item that nobody has yet answered go on, or withdraw it."""
    if accepted and child.state in (WAITING, WITHDRAWN):
        child.state = OPEN
        child.save(turn, rules.flow.of(child.task), returned=True)
    elif not accepted and child.state in (WAITING, OPEN):
        child.state = WITHDRAWN
        child.save(turn, rules.flow.of(child.task))


def _grow_control(turn: Turn, rules: Rules, item: ItemState, judgement: Judgement) -> None:
    """Make a control of an item that all its judges agree on."""
    task = rules.flow.of(item.task)
    if task.batch is None or not task.controlled or not task.batch.grow:
        return
    if judgement.unanimous and task.slots > 1:
        expected = deciding(task, counted_answers(turn, item.id)[0])
        add_control(turn, rules, item.id, task.name, expected, good=judgement.accepted, grown=True)


def add_control(
    turn: Turn, rules: Rules, item: str, task: str, expected: dict[str, Any], *, good: bool, grown: bool
) -> bool:
    """Add a control, unless it is one; its place in the ring of controls follows from the key."""
    if turn.read(_IS_CONTROL, {"item": item}).one_or_none() is not None:
        return False
    row = {"item": item, "number": turn.next("controls"), "task": task, "expected": canonical(expected)}
    turn.write(_CONTROL, {**row, "good": good, "grown": grown, "place": rules.draw("control", item)})
    turn.note("control", item=item, expected=expected, grown=grown)
    return True


def drop_control(turn: Turn, item: str) -> None:
    """Take an item out of the controls that it grew into."""
    turn.write(_NO_CONTROL, {"of_item": item})
