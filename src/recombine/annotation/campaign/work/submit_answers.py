"""Storing answers: each once, on time or marked late, by whom it is kept for, and by the rules of entry."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import and_, bindparam, delete, insert, select, update

from recombine.annotation.campaign.items.item_state import ItemState
from recombine.annotation.campaign.items.make_item import fed_show, make_item
from recombine.annotation.campaign.people.worker_rows import PAUSED, worker_row
from recombine.annotation.campaign.records import Receipt
from recombine.annotation.campaign.settle import settle
from recombine.annotation.campaign.states import OPEN, PASSED, RECONSIDER
from recombine.annotation.campaign.work.end_batch import end_batch
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id
from recombine.annotation.store.log_entry import response_hash
from recombine.annotation.tasks.check_answer import as_compared, check_answer, check_copies
from recombine.errors import AlreadyAnsweredError, NotYoursError, RefusedAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task

_b, _a, _r, _i = schema.batches.c, schema.assignments.c, schema.responses.c, schema.items.c
_BATCH = select(schema.batches).where(_b.id == bindparam("batch"))
_ASSIGNED = (
    select(
        schema.items,
        _r.id.label("response_id"),
        _r.answer.label("said"),
        _r.standing.label("standing"),
        schema.drafts.c.item.label("draft"),
    )
    .select_from(schema.assignments)
    .join(schema.items, _a.item == _i.id)
    .outerjoin(schema.responses, and_(_r.batch == _a.batch, _r.item == _a.item, _r.revision == bindparam("revision")))
    .outerjoin(schema.drafts, and_(schema.drafts.c.worker == _a.worker, schema.drafts.c.item == _a.item))
    .where(_a.batch == bindparam("batch"), _a.item == bindparam("item"))
)
_HELD = select(_a.position).where(_a.worker == bindparam("worker"), _a.item == bindparam("item"), _a.state != "free")
_RESPONSE = insert(schema.responses)
_ANSWERED = (
    update(schema.assignments)
    .where(_a.batch == bindparam("of_batch"), _a.item == bindparam("of_item"))
    .values(state=bindparam("new_state"), round=bindparam("new_round"))
)
_TOUCHED = (
    update(schema.batches)
    .where(_b.id == bindparam("of_batch"))
    .values(
        answered=bindparam("new_answered"), touched_at=bindparam("new_touched"), expires_at=bindparam("new_expires")
    )
)
_NO_DRAFT = delete(schema.drafts).where(
    schema.drafts.c.worker == bindparam("of_worker"), schema.drafts.c.item == bindparam("of_item")
)
_CHILDREN = select(_i.show, _i.state).where(_i.parent == bindparam("item"), _i.task == bindparam("task"))
_REFUSED = select(schema.refusals.c.times).where(
    schema.refusals.c.task == bindparam("task"), schema.refusals.c.reason == bindparam("reason")
)


@dataclass(frozen=True)
class Refused:
    """An answer that was refused: that is counted and committed, and then raised."""

    error: RefusedAnswerError


def submit_answers(
    turn: Turn, rules: Rules, worker: str, batch: str, answers: Mapping[str, Mapping[str, Any]], round_: int
) -> Receipt | Refused:
    """Store answers to items of a batch, all or none; the receipt of the last."""
    kept = turn.read(_BATCH, {"batch": batch}).one_or_none()
    if kept is None or kept.worker != worker:
        raise NotYoursError("this work is not kept for you", "go on with the work that is")
    held = SimpleNamespace(**kept._asdict())
    task = rules.flow.of(held.task)
    given: list[tuple[ItemState, bool, dict[str, Any]]] = []
    receipt = None
    for name, answer in answers.items():
        row = turn.read(_ASSIGNED, {"batch": batch, "item": name, "revision": round_}).one_or_none()
        if row is None:
            raise NotYoursError("this item is not kept for you", "go on with the work that is")
        item = ItemState(row)
        try:
            checked = check_answer(task, item.show, answer)
            receipt = _earlier(turn, held, row, checked, round_)
            if receipt is not None:
                continue
            check_made_copies(turn, task, item, checked)
        except RefusedAnswerError as error:
            return refuse(turn, task, worker, name, error)
        given.append((item, row.draft is not None, checked))
    for item, has_draft, checked in given:
        if has_draft:
            turn.write(_NO_DRAFT, {"of_worker": worker, "of_item": item.id})
        receipt = _store(turn, rules, task, held, item, checked)
    if receipt is None:
        raise NotYoursError("there is no answer", "answer an item")
    return receipt


def refuse(turn: Turn, task: Task, worker: str, item: str, error: RefusedAnswerError) -> Refused:
    """Count an answer that is refused."""
    values = {"task": task.name, "reason": error.reason}
    count = turn.read(_REFUSED, values).scalar_one_or_none()
    if count is None:
        turn.write(insert(schema.refusals), {**values, "times": 1})
    else:
        there = schema.refusals.c
        changed = update(schema.refusals).where(there.task == task.name, there.reason == error.reason)
        turn.write(changed.values(times=count + 1))
    turn.note("refused", worker=worker, item=item, field=error.field, reason=error.reason)
    return Refused(error)


def _earlier(turn: Turn, batch: Any, row: Any, answer: dict[str, Any], round_: int) -> Receipt | None:
    """The receipt of the same answer in this round, if there is one; another answer is an error."""
    if row.said is None:
        if round_ != batch.round:
            raise AlreadyAnsweredError("this page is of an earlier round", "go on with your work")
        return None
    if orjson.loads(row.said) != answer:
        raise AlreadyAnsweredError("you have answered this already", "go on with the next")
    ended = batch.state not in (OPEN, RECONSIDER)
    reconsider = batch.state == RECONSIDER and round_ < batch.round
    paused = worker_row(turn.read, batch.worker).state == PAUSED
    return Receipt(row.response_id, row.standing == "late", True, ended, reconsider, paused)


def _store(turn: Turn, rules: Rules, task: Task, batch: Any, item: ItemState, answer: dict[str, Any]) -> Receipt:
    """Store one answer; and what follows from it."""
    late = batch.state not in (OPEN, RECONSIDER)
    response = write_response(turn, batch, item, answer, standing="late" if late else "")
    if late:
        if turn.read(_HELD, {"worker": batch.worker, "item": item.id}).first() is None:
            _set_assignment(turn, batch, item, "late")
        return Receipt(response, True, False, False, False, False)
    _set_assignment(turn, batch, item, "answered")
    batch.answered, batch.touched_at, batch.expires_at = (
        batch.answered + 1,
        turn.now,
        turn.now + 60 * task.lease_minutes,
    )
    times = {"new_touched": batch.touched_at, "new_expires": batch.expires_at}
    turn.write(_TOUCHED, {"of_batch": batch.id, "new_answered": batch.answered, **times})
    if not batch.control:
        item.leased -= 1
        count_answer(turn, rules, task, item, answer, worker=batch.worker, response=response)
    if batch.answered < batch.size:
        return Receipt(response, False, False, False, False, False)
    state = end_batch(turn, rules, batch)
    paused = state != PASSED and worker_row(turn.read, batch.worker).state == PAUSED
    return Receipt(response, False, False, state != RECONSIDER, state == RECONSIDER, paused)


def count_answer(
    turn: Turn, rules: Rules, task: Task, item: ItemState, answer: dict[str, Any], *, worker: str, response: str
) -> None:
    """Count an answer: as a vote, or as something made, which is then judged."""
    item.votes += 1
    if task.judged_by is not None:
        item.pending += 1
        judged = rules.flow.of(task.judged_by.task)
        show = fed_show(task.judged_by, item.show, answer)
        make_item(turn, judged, show=show, parent=item.id, author=worker, response=response, keep=item.keep, again=True)
    settle(turn, rules, item)


def write_response(
    turn: Turn, batch: Any, item: ItemState, answer: dict[str, Any], *, standing: str, at: float | None = None
) -> str:
    """Add a response, and note its hash."""
    row = {
        "number": turn.next("responses"),
        "id": content_id("response", batch.id, item.id, batch.round),
        "batch": batch.id,
        "item": item.id,
        "worker": batch.worker,
        "revision": batch.round,
        "answer": canonical(answer),
        "standing": standing,
        "seconds": round(max(0.0, turn.now - batch.touched_at), 3),
        "at": turn.now if at is None else at,
    }
    turn.write(_RESPONSE, row)
    turn.note("response", response=row["id"], item=item.id, worker=batch.worker, hash=response_hash(row))
    return str(row["id"])


def _set_assignment(turn: Turn, batch: Any, item: ItemState, state: str) -> None:
    turn.write(_ANSWERED, {"of_batch": batch.id, "of_item": item.id, "new_state": state, "new_round": batch.round})


def check_made_copies(turn: Turn, task: Task, item: ItemState, answer: dict[str, Any]) -> None:
    """Refuse a copy of what was made for the same item."""
    rules = [rule for rule in task.refuse if rule.accepted or rule.pending]
    if not rules or task.judged_by is None:
        return
    children = turn.read(_CHILDREN, {"item": item.id, "task": task.judged_by.task}).all()
    for rule in rules:
        name = next((key for key, place in task.judged_by.show.items() if place == f"answer.{rule.field}"), None)
        texts = [(as_compared(str(orjson.loads(row.show).get(name, ""))), row.state) for row in children]
        accepted = {text for text, state in texts if state == "accepted"}
        check_copies(rule, answer[rule.field], accepted, {text for text, state in texts if state == OPEN})
