"""The work that is kept for a worker, as it is given out: nothing in it says which item is the control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import and_, bindparam, select

from recombine.annotation.campaign.records import Assignment, Work
from recombine.annotation.campaign.states import HELD
from recombine.annotation.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.annotation.tasks.flow import Flow

_b, _a, _i, _d, _r = (
    schema.batches.c,
    schema.assignments.c,
    schema.items.c,
    schema.drafts.c,
    schema.responses.c,
)
_HELD = select(schema.batches).where(_b.worker == bindparam("worker"), _b.state.in_(HELD))
_ROWS = (
    select(_a.position, _a.item, _a.round, _i.show, _d.draft, _r.answer)
    .select_from(schema.assignments)
    .join(schema.items, _a.item == _i.id)
    .outerjoin(schema.drafts, and_(_d.worker == _a.worker, _d.item == _a.item))
    .outerjoin(schema.responses, and_(_r.batch == _a.batch, _r.item == _a.item, _r.revision == _a.round))
    .where(_a.batch == bindparam("batch"))
    .order_by(_a.position)
)


def read_work(read: Callable[..., Any], flow: Flow, worker: str, now: float) -> Work | None:
    """The work that is kept for a worker, if any, and its time has not run out."""
    batch = read(_HELD, {"worker": worker}).one_or_none()
    if batch is None or batch.expires_at <= now:
        return None
    task = flow.of(batch.task)
    hidden = {rule.equals_shown for rule in task.accept if rule.equals_shown}
    rows = read(_ROWS, {"batch": batch.id}).all()
    if all(row.round >= batch.round for row in rows):  # it was ended between the two statements
        return None
    assignments = tuple(_assignment(row, batch, hidden) for row in rows)
    return Work(batch.id, batch.task, batch.round, assignments, batch.expires_at)


def _assignment(row: Any, batch: Any, hidden: set[str]) -> Assignment:
    show = {name: value for name, value in orjson.loads(row.show).items() if name not in hidden}
    answer = None if row.answer is None else orjson.loads(row.answer)
    draft = None if row.draft is None else orjson.loads(row.draft)
    return Assignment(row.item, batch.task, row.position, show, answer, row.round >= batch.round, draft)
