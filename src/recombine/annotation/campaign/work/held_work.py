"""What is kept for a worker: drafts, giving it back, and going on after a pause."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, insert, select, update

from recombine.annotation.campaign.people.worker_rows import ACTIVE, LEFT, set_worker, worker_row
from recombine.annotation.campaign.states import GIVEN_BACK, HELD
from recombine.annotation.campaign.work.end_batch import return_batch
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical
from recombine.errors import NotYoursError, RefusedAnswerError, UnknownWorkerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn

LONGEST_DRAFT = 20_000
_b, _a, _d = schema.batches.c, schema.assignments.c, schema.drafts.c
_HELD = select(schema.batches).where(_b.worker == bindparam("worker"), _b.state.in_(HELD))
_IS_IN = select(_a.position).where(_a.batch == bindparam("batch"), _a.item == bindparam("item"))
_NO_DRAFT = delete(schema.drafts).where(_d.worker == bindparam("of_worker"), _d.item == bindparam("of_item"))
_PUT_OFF = update(schema.batches).where(_b.id == bindparam("of_batch")).values(expires_at=bindparam("new_expires"))


def save_draft(turn: Turn, rules: Rules, worker: str, batch: str, item: str, draft: Mapping[str, Any]) -> None:
    """Keep what is written so far of an item, in place of what was kept before; it is kept for the worker longer."""
    held = turn.read(_HELD, {"worker": worker}).one_or_none()
    if held is None or held.id != batch or turn.read(_IS_IN, {"batch": batch, "item": item}).first() is None:
        raise NotYoursError("this item is not kept for you", "go on with the work that is")
    said = canonical(dict(draft))
    if len(said) > LONGEST_DRAFT or "\\u0000" in said:
        raise RefusedAnswerError("", "too_long", "the draft is too long", "shorten it")
    turn.write(_NO_DRAFT, {"of_worker": worker, "of_item": item})
    turn.write(insert(schema.drafts), {"worker": worker, "item": item, "draft": said})
    expires = turn.now + 60 * rules.flow.of(held.task).lease_minutes
    turn.write(_PUT_OFF, {"of_batch": batch, "new_expires": expires})


def give_back(turn: Turn, rules: Rules, worker: str) -> int:
    """Return what is kept for a worker; how many unanswered items."""
    worker_row(turn.read, worker)
    held = turn.read(_HELD, {"worker": worker}).one_or_none()
    return 0 if held is None else return_batch(turn, rules, SimpleNamespace(**held._asdict()), GIVEN_BACK)


def resume_worker(turn: Turn, worker: str) -> None:
    """Let a worker go on, with no batch held against them."""
    if worker_row(turn.read, worker).state == LEFT:
        raise UnknownWorkerError("this worker has left", "add them anew")
    set_worker(turn, worker, "resumed", state=ACTIVE, set_aside=0)
