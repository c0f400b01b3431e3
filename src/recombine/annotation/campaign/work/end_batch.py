"""How a batch ends: passed, set aside after its control was failed again, expired, or given back.

Answers of a batch with a control count once it has passed. Who fails the control is asked to reconsider the whole batch
(GrailQA, section 3.1, task 2); who fails it then too, or leaves it so, has it set aside, and some such batches pause
the worker.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, select, update

from recombine.annotation.campaign.items.item_state import ItemState
from recombine.annotation.campaign.people.worker_rows import PAUSED, set_worker, worker_row
from recombine.annotation.campaign.settle import settle
from recombine.annotation.campaign.states import EXPIRED, OPEN, PASSED, RECONSIDER, SET_ASIDE
from recombine.annotation.store import schema
from recombine.annotation.tasks.judge import passes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn

_b, _a, _r, _i = schema.batches.c, schema.assignments.c, schema.responses.c, schema.items.c
_EXPIRED = (
    select(schema.batches)
    .where(_b.state.in_(("open", RECONSIDER)), _b.expires_at <= bindparam("now"))
    .order_by(_b.expires_at, _b.number)
)
_STATE = (
    update(schema.batches)
    .where(_b.id == bindparam("of_batch"))
    .values(
        state=bindparam("new_state"),
        round=bindparam("new_round"),
        answered=bindparam("new_answered"),
        failures=bindparam("new_failures"),
        expires_at=bindparam("new_expires"),
    )
)
_VOTED = (
    update(schema.items)
    .where(_i.id.in_(bindparam("of_items", expanding=True)))
    .values(leased=_i.leased - 1, votes=_i.votes + 1)
)
_DECIDED = (
    select(schema.items)
    .where(_i.id.in_(bindparam("items", expanding=True)), _i.votes >= bindparam("votes"), _i.state == OPEN)
    .order_by(_i.number)
)
_IN = select(schema.assignments).where(_a.batch == bindparam("batch")).order_by(_a.position)
_FREE = (
    update(schema.assignments)
    .where(_a.batch == bindparam("of_batch"), _a.state == "leased", _a.round == 0)
    .values(state="free")
)
_SAID = (
    select(_r.answer)
    .where(_r.batch == bindparam("batch"), _r.item == bindparam("item"), _r.standing == "")
    .order_by(_r.revision.desc())
    .limit(1)
)


def expire_batches(turn: Turn, rules: Rules) -> None:
    """Return what was kept for workers for too long."""
    for row in turn.read(_EXPIRED, {"now": turn.now}).all():
        return_batch(turn, rules, SimpleNamespace(**row._asdict()), EXPIRED)


def return_batch(turn: Turn, rules: Rules, batch: Any, state: str) -> int:
    """End a batch that is not answered to its end; how many unanswered items come back.

    Answers of a batch with a control come to nothing; of one without, they are counted already.
    """
    rows = turn.read(_IN, {"batch": batch.id}).all()
    if batch.state == RECONSIDER:
        set_aside(turn, rules, batch, rows)
        return sum(row.round < batch.round for row in rows)
    turn.write(_FREE, {"of_batch": batch.id})
    _set_state(turn, batch, state)
    turn.note(state, batch=batch.id, worker=batch.worker)
    for row in rows:
        if row.item != batch.control and (batch.control or row.round == 0):
            item = _item(turn, row.item)
            item.leased -= 1
            settle(turn, rules, item, returned=True)
    return sum(row.round == 0 for row in rows)


def end_batch(turn: Turn, rules: Rules, batch: Any) -> str:
    """What becomes of a batch whose round is answered: its state."""
    task = rules.flow.of(batch.task)
    if not batch.control:
        _set_state(turn, batch, PASSED)
        return PASSED
    said = orjson.loads(turn.read(_SAID, {"batch": batch.id, "item": batch.control}).scalar_one())
    rows = turn.read(_IN, {"batch": batch.id}).all()
    if passes(said, orjson.loads(batch.expected)):
        _pass(turn, rules, batch, rows)
        return PASSED
    if task.batch is not None and batch.failures < task.batch.reconsider:
        expires = turn.now + 60 * task.lease_minutes
        _set_state(turn, batch, RECONSIDER, round_=batch.round + 1, answered=0, failures=1, expires_at=expires)
        turn.note(RECONSIDER, batch=batch.id, worker=batch.worker)
        return RECONSIDER
    set_aside(turn, rules, batch, rows, failures=1)
    return SET_ASIDE


def _pass(turn: Turn, rules: Rules, batch: Any, rows: Sequence[Any]) -> None:
    """Count the answers of a batch."""
    _set_state(turn, batch, PASSED)
    turn.note(PASSED, batch=batch.id, worker=batch.worker)
    names = [row.item for row in rows if row.item != batch.control]
    turn.write(_VOTED, {"of_items": names})
    votes = rules.flow.of(batch.task).slots
    for row in turn.read(_DECIDED, {"items": names, "votes": votes}).all():
        settle(turn, rules, ItemState(row))


def set_aside(turn: Turn, rules: Rules, batch: Any, rows: Sequence[Any], *, failures: int = 0) -> None:
    """Let the answers of a batch come to nothing, and pause its worker where that is one too many."""
    task = rules.flow.of(batch.task)
    _set_state(turn, batch, SET_ASIDE, failures=failures)
    turn.note(SET_ASIDE, batch=batch.id, worker=batch.worker)
    for row in rows:
        if row.item != batch.control:
            item = _item(turn, row.item)
            item.leased -= 1
            settle(turn, rules, item, returned=True)
    worker = worker_row(turn.read, batch.worker)
    count = worker.set_aside + 1
    set_worker(turn, batch.worker, "set_aside_counted", set_aside=count)
    limit = task.batch.pause_after if task.batch is not None else 0
    if limit and count >= limit and worker.state == "active":
        set_worker(turn, batch.worker, "paused", state=PAUSED)


def _set_state(
    turn: Turn,
    batch: Any,
    state: str,
    *,
    round_: int | None = None,
    answered: int | None = None,
    failures: int = 0,
    expires_at: float | None = None,
) -> None:
    batch.state = state
    turn.write(
        _STATE,
        {
            "of_batch": batch.id,
            "new_state": state,
            "new_round": batch.round if round_ is None else round_,
            "new_answered": batch.answered if answered is None else answered,
            "new_failures": batch.failures + failures,
            "new_expires": batch.expires_at if expires_at is None else expires_at,
        },
    )


def _item(turn: Turn, item: str) -> ItemState:
    state = ItemState.of(turn, item)
    assert state is not None, "an assignment has its item"  # noqa: S101
    return state
