"""Handing out work: an indexed look at the items that are open, past what a worker has had.

Items are handed out by their rank. A worker's cursor is the rank up to which the worker has had every item, or may not
have it; an item whose slot comes back gets a new rank, past all cursors. So nothing is sorted, and nothing that a
worker has had is looked at again. A whole batch comes before other work, and less than a whole one after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, delete, exists, func, insert, not_, select, update

from recombine.annotation.campaign.people.worker_rows import worker_row
from recombine.annotation.campaign.records import NoWork
from recombine.annotation.campaign.states import HELD, OPEN, WAITING
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id
from recombine.errors import ConsentError, UnknownNameError

if TYPE_CHECKING:
    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task

_i, _a, _c = schema.items.c, schema.assignments.c, schema.controls.c
_HAD = exists().where(_a.worker == bindparam("worker"), _a.item == _i.id, _a.state != "free")
_HAS_NOW = exists().where(_a.worker == bindparam("worker"), _a.item == _i.id, _a.state == "leased")
_CANDIDATES = (
    select(_i.id, _i.rank)
    .where(_i.task == bindparam("task"), _i.open > 0, _i.rank > bindparam("cursor"))
    .where(_i.author != bindparam("author_id"), _i.author != bindparam("author_name"))
    .order_by(_i.rank)
    .limit(bindparam("most"))
)
_DISTINCT, _ANY = _CANDIDATES.where(not_(_HAD)), _CANDIDATES.where(not_(_HAS_NOW))
_CURSOR = select(schema.cursors.c.rank).where(
    schema.cursors.c.worker == bindparam("worker"), schema.cursors.c.task == bindparam("task")
)
_FORGET_CURSOR = delete(schema.cursors).where(
    schema.cursors.c.worker == bindparam("of_worker"), schema.cursors.c.task == bindparam("of_task")
)
_SET_CURSOR = insert(schema.cursors)
_CONTROL = (
    select(_c.item, _c.expected)
    .join_from(schema.controls, schema.items, _c.item == _i.id)
    .where(_c.task == bindparam("task"), _c.good == bindparam("good"))
    .where(_c.place > bindparam("after"))
    .where(_i.author != bindparam("author_id"), _i.author != bindparam("author_name"), not_(_HAD))
    .order_by(_c.place)
    .limit(1)
)
_AGAIN = select(func.count()).where(_a.worker == bindparam("worker"), _a.item == bindparam("item"), _a.state != "free")
_BATCH, _ASSIGNMENTS = insert(schema.batches), insert(schema.assignments)
_HELD_BATCH = select(schema.batches.c.id).where(
    schema.batches.c.worker == bindparam("worker"), schema.batches.c.state.in_(HELD)
)
_COUNTED = (
    update(schema.workers).where(schema.workers.c.id == bindparam("of_worker")).values(batches=bindparam("now_batches"))
)
_LEASED = (
    update(schema.items)
    .where(_i.id.in_(bindparam("of_items", expanding=True)))
    .values(leased=_i.leased + 1, open=_i.open - 1)
)
_UNDECIDED = (
    select(_i.id).where(_i.task == bindparam("task"), _i.state.in_((OPEN, WAITING)), _i.control.is_(False)).limit(1000)
)


def claim_work(turn: Turn, rules: Rules, worker: str, task: str | None) -> str | NoWork:
    """The id of the batch that a worker has now, else why there is none."""
    row = worker_row(turn.read, worker)
    if task is not None:
        rules.flow.of(task)
    if row.state != "active":
        return NoWork(str(row.state), 0)
    if not row.consented:
        raise ConsentError("the worker has not agreed to the consent text", "ask for it first")
    if (held := turn.read(_HELD_BATCH, {"worker": worker}).scalar_one_or_none()) is not None:
        return str(held)
    may = [each for each in rules.flow.task if _may(row, each)]
    if task is not None and not any(each.name == task for each in may):
        raise UnknownNameError("task for this worker", task, [each.name for each in may])
    return _claim_new(turn, rules, row, [each for each in may if task in (None, each.name)])


def _claim_new(turn: Turn, rules: Rules, row: Any, tasks: list[Task]) -> str | NoWork:
    """New work of the first task that has a whole batch, else of the first that has a smaller one."""
    parts: list[tuple[Task, list[Any]]] = []
    no_control = False
    for task in tasks:
        wanted = 1 if task.batch is None else task.batch.size - task.batch.controls
        rows = _candidates(turn, task, row, wanted)
        if not rows:
            continue
        if len(rows) < wanted:
            if task.batch is not None and len(rows) >= task.batch.smallest:
                parts.append((task, rows))
            continue
        if (batch := _hand_out(turn, rules, task, row, rows)) is not None:
            return batch
        no_control = True
    for task, rows in parts:
        if (batch := _hand_out(turn, rules, task, row, rows)) is not None:
            return batch
        no_control = True
    undecided = sum(len(turn.read(_UNDECIDED, {"task": task.name}).all()) for task in tasks)
    if no_control:
        return NoWork("no_control", undecided)
    return NoWork("none_for_you" if undecided else "done", undecided)


def _candidates(turn: Turn, task: Task, row: Any, most: int) -> list[Any]:
    """The next items of a task that a worker may have."""
    cursor = turn.read(_CURSOR, {"worker": row.id, "task": task.name}).scalar_one_or_none() if task.distinct else 0
    values = {"worker": row.id, "task": task.name, "cursor": cursor or 0, "most": most, **_authors(task, row)}
    return list(turn.read(_DISTINCT if task.distinct else _ANY, values))


def _hand_out(turn: Turn, rules: Rules, task: Task, row: Any, rows: list[Any]) -> str | None:
    """Make a batch of items, with a control where the task has them; none where there is no control for the worker."""
    control = _control(turn, rules, task, row) if task.controlled else None
    if task.controlled and control is None:
        return None
    number = row.batches + 1
    batch = content_id("batch", row.id, number)
    order = [str(each.id) for each in rows]
    if control is not None:
        order.insert(rules.draw("position", batch) % (len(order) + 1), str(control.item))
    turn.write(_COUNTED, {"of_worker": row.id, "now_batches": number})
    _write_batch(turn, task, row.id, batch, order, control)
    turn.write(_LEASED, {"of_items": [each.id for each in rows]})
    if task.distinct:
        turn.write(_FORGET_CURSOR, {"of_worker": row.id, "of_task": task.name})
        turn.write(_SET_CURSOR, {"worker": row.id, "task": task.name, "rank": rows[-1].rank})
    turn.note("claim", batch=batch, worker=row.id, task=task.name, items=order)
    return batch


def _write_batch(turn: Turn, task: Task, worker: str, batch: str, order: list[str], control: Any) -> None:
    turn.write(
        _BATCH,
        {
            "id": batch,
            "number": turn.next("batches"),
            "worker": worker,
            "task": task.name,
            "state": "open",
            "round": 1,
            "size": len(order),
            "answered": 0,
            "control": "" if control is None else control.item,
            "expected": "{}" if control is None else canonical(orjson.loads(control.expected)),
            "failures": 0,
            "touched_at": turn.now,
            "expires_at": turn.now + 60 * task.lease_minutes,
        },
    )
    rows = [
        {
            "batch": batch,
            "position": place,
            "item": item,
            "worker": worker,
            "state": "leased",
            "round": 0,
            "again": 0 if task.distinct else turn.read(_AGAIN, {"worker": worker, "item": item}).scalar_one(),
        }
        for place, item in enumerate(order, start=1)
    ]
    turn.write(_ASSIGNMENTS, rows)


def _control(turn: Turn, rules: Rules, task: Task, row: Any) -> Any:
    """A control that a worker has not seen, did not write and did not judge.

    Controls stand in a ring, where each worker starts at another place; whether it is a good or a bad one is drawn.
    """
    number = row.batches + 1
    share = task.batch.bad_share if task.batch is not None else 0.0
    bad = rules.draw("bad", row.id, number) < share * 2**62
    start = rules.draw("ring", row.id, number)
    for good in (not bad, bad):
        for after in (start, -1):
            values = {"worker": row.id, "task": task.name, "good": good, "after": after, **_authors(task, row, True)}
            if (control := turn.read(_CONTROL, values).one_or_none()) is not None:
                return control
    return None


def _authors(task: Task, row: Any, always: bool = False) -> dict[str, str]:
    """Whose items a worker does not get: the worker's own, by id and by name."""
    own = always or "author" in task.not_by
    return {"author_id": row.id if own else "\x01", "author_name": (row.name or row.id) if own else "\x01"}


def _may(row: Any, task: Task) -> bool:
    return task.qualification is None or task.qualification in orjson.loads(row.qualifications)
