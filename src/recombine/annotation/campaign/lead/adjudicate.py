"""A lead's decision, which stands above votes; it is a response like others, and all that follows from it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select

from recombine.annotation.campaign.items.item_state import ItemState
from recombine.annotation.campaign.people.worker_rows import as_worker, worker_row
from recombine.annotation.campaign.records import LEAD
from recombine.annotation.campaign.settle import (
    bring_about,
    count_for_parent,
    counted_answers,
    drop_control,
    write_verdict,
)
from recombine.annotation.campaign.states import ACCEPTED, ADJUDICATION, OPEN, PASSED, REJECTED, WAITING, WITHDRAWN
from recombine.annotation.campaign.work.submit_answers import write_response
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import content_id
from recombine.annotation.tasks.judge import Judgement, judge
from recombine.errors import AdjudicationError

if TYPE_CHECKING:
    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn

_i = schema.items.c
_TOUCHED = select(func.count()).where(
    _i.parent == bindparam("item"),
    _i.state.not_in((WAITING, WITHDRAWN)),
    _i.votes + _i.pending + _i.leased > 0,
)
_DECISIONS = select(func.count()).where(
    schema.responses.c.item == bindparam("item"), schema.responses.c.standing == ADJUDICATION
)


@dataclass(frozen=True)
class OutsideBatch:
    """A batch of one answer that was not handed out."""

    id: str
    worker: str
    round: int
    touched_at: float
    control: str = ""


def adjudicate(turn: Turn, rules: Rules, lead: str, name: str, accepted: bool, note: str) -> None:
    """Decide an item above its votes."""
    item = _checked(turn, rules, lead, name, accepted)
    before = item.state
    task = rules.flow.of(item.task)
    number = turn.read(_DECISIONS, {"item": name}).scalar_one()
    batch = OutsideBatch(content_id(ADJUDICATION, name, number), lead, 1, turn.now)
    write_outside_batch(turn, batch, item.task)
    said: dict[str, Any] = {"accepted": "yes" if accepted else "no", "note": note}
    write_response(turn, batch, item, said, standing=ADJUDICATION)
    item.state = ACCEPTED if accepted else REJECTED
    item.save(turn, task)
    answers = counted_answers(turn, item.id)
    shares = judge(task, item.show, answers).shares if answers else {}
    write_verdict(turn, item, Judgement(accepted, shares), by=lead)
    if item.state == before:
        return
    drop_control(turn, item.id)
    bring_about(turn, rules, item)
    valid = {(OPEN, True): 1, (REJECTED, True): 1, (ACCEPTED, False): -1}.get((before, accepted), 0)
    count_for_parent(turn, rules, item, valid=valid, pending=-1 if before == OPEN else 0)


def write_outside_batch(turn: Turn, batch: OutsideBatch, task: str, *, size: int = 1) -> None:
    """Store a batch that was not handed out."""
    row = {"id": batch.id, "number": turn.next("batches"), "worker": batch.worker, "task": task, "state": PASSED}
    counts = {"round": 1, "size": size, "answered": size, "failures": 0}
    times = {"touched_at": turn.now, "expires_at": turn.now}
    turn.write(insert(schema.batches), {**row, **counts, **times, "control": "", "expected": "{}"})


def _checked(turn: Turn, rules: Rules, lead: str, name: str, accepted: bool) -> ItemState:
    """The item, where it can be so decided by this worker."""
    who = as_worker(worker_row(turn.read, lead))
    if LEAD not in who.qualifications or who.state != "active":
        raise AdjudicationError("this worker is no lead", "add one with the qualification lead")
    item = ItemState.of(turn, name)
    if item is None or item.control:
        raise AdjudicationError(f"there is no item {name[:60]!r} to decide", "give the id of an item")
    task = rules.flow.of(item.task)
    if task.makes:
        raise AdjudicationError(f"an item of {task.name} is not voted on", "decide on what was made for it")
    if item.state in (WAITING, WITHDRAWN):
        raise AdjudicationError(f"the item is {item.state}", "decide on what it waits for")
    if item.author in (who.id, who.name) and item.author:
        raise AdjudicationError("the lead wrote this", "let another lead decide")
    if accepted and item.state == REJECTED:
        _check_room(turn, rules, item)
    if not accepted and item.state == ACCEPTED and turn.read(_TOUCHED, {"item": name}).scalar_one():
        raise AdjudicationError("others have gone on from this item", "leave it as it is")
    return item


def _check_room(turn: Turn, rules: Rules, item: ItemState) -> None:
    """Refuse to accept one more text than is wanted."""
    parent = ItemState.of(turn, item.parent) if item.response else None
    if parent is None:
        return
    wanted = rules.flow.of(parent.task).slots
    if parent.valid + parent.pending + parent.leased >= wanted:
        problem = f"{wanted} others are valid, or may be soon, where {wanted} are wanted"
        raise AdjudicationError(problem, "reject one of them first")
