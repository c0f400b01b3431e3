"""Taking answers in that were given elsewhere, under the same rules; those that break one are named and counted.

An answer from outside needs an open slot, a worker who may answer, and has to pass what is refused at entry; it is
counted at once, as there is no batch that could be set aside. Rows that say that they did not count are kept as that.
Reasons: `malformed`, `unknown_item`, `own_text`, `twice`, `no_slot`, `not_qualified`, `paused`, `not_a_lead`, and those
of `RefusedAnswerError`.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, func, insert, select

from recombine.annotation.campaign.items.item_state import ItemState
from recombine.annotation.campaign.lead.adjudicate import OutsideBatch, adjudicate, write_outside_batch
from recombine.annotation.campaign.people.worker_rows import add_worker, named_row
from recombine.annotation.campaign.records import PERSON, Broken
from recombine.annotation.campaign.states import ADJUDICATION
from recombine.annotation.campaign.work.submit_answers import check_made_copies, count_answer, write_response
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id
from recombine.annotation.tasks.check_answer import check_answer
from recombine.errors import AdjudicationError, RecombineError, RefusedAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task

KEPT = ("late", "control", "pending", "set_aside", "expired", "given_back", "revised")
"""Reasons of rows that are kept and not counted."""
ADDED, REPEATED = "added", "repeated"
TOGETHER = 50
"""So many rows are taken in by one operation: each commit costs, and others wait for a long one."""
_i, _r, _a, _w = schema.items.c, schema.responses.c, schema.assignments.c, schema.workers.c
_ITEM_NAMED = select(_i.id).where(_i.name == bindparam("name")).order_by(_i.number).limit(1)
_SAME = select(_r.answer, _r.revision).where(_r.item == bindparam("item"), _r.worker == bindparam("worker"))
_HAD = select(func.count()).where(_a.item == bindparam("item"), _a.worker == bindparam("worker"), _a.state != "free")
_TIMES = select(func.count()).where(_r.item == bindparam("item"), _r.worker == bindparam("worker"))
_WORKER = select(schema.workers).where(_w.id == bindparam("worker"))


def take_rows_in(
    turn: Turn, rules: Rules, rows: Sequence[tuple[str, Mapping[str, Any]]], pseudonyms: Mapping[str, str]
) -> list[str | Broken]:
    """Take rows in, each after where it stands; what became of each."""
    return [take_row_in(turn, rules, row, pseudonyms, where) for where, row in rows]


def take_row_in(
    turn: Turn, rules: Rules, row: Mapping[str, Any], pseudonyms: Mapping[str, str], where: str
) -> str | Broken:
    """Take one row in: `added` or `repeated`, or what it breaks."""
    fault = _malformed(row)
    if fault:
        return Broken(where, "malformed", fault)
    item = _item(turn, str(row["item"]))
    if item is None:
        return Broken(where, "unknown_item", f"there is no item {str(row['item'])[:60]!r}")
    worker = _worker(turn, str(row["worker"]), pseudonyms)
    task = rules.flow.of(item.task)
    if row.get("reason") == ADJUDICATION:
        return _decision(turn, rules, row, item, worker, where)
    try:
        answer = check_answer(task, item.show, row["answer"])
        if worker is not None and _is_there(turn, item, worker.id, answer, row):
            return REPEATED
        kept = str(row.get("reason") or "") if row.get("counted") is False or row.get("control") else ""
        if row.get("control"):
            kept = "control"
        if not kept and (broken := _broken(turn, task, item, worker, answer, str(row["worker"]))):
            return Broken(where, *broken)
    except RefusedAnswerError as error:
        return Broken(where, error.reason, error.problem)
    try:
        who = worker or add_worker(turn, rules, str(row["worker"]), (), str(row.get("kind") or PERSON))
    except RecombineError as error:
        return Broken(where, "malformed", error.problem)
    _store(turn, rules, task, item, who.id, answer, kept if kept in KEPT or not kept else "late", row)
    return ADDED


def _malformed(row: Mapping[str, Any]) -> str:
    for name in ("item", "worker"):
        if not isinstance(row.get(name), str) or not row[name]:
            return f"{name!r} is no text"
    if not isinstance(row.get("answer"), dict):
        return "'answer' is no object"
    if row.get("at") is not None and _time(row["at"]) is None:
        return f"'at' is {str(row['at'])[:40]!r}, no time"
    return ""


def _item(turn: Turn, name: str) -> ItemState | None:
    item = ItemState.of(turn, name)
    if item is None and (there := turn.read(_ITEM_NAMED, {"name": name}).scalar_one_or_none()) is not None:
        item = ItemState.of(turn, str(there))
    return item


def _worker(turn: Turn, name: str, pseudonyms: Mapping[str, str]) -> Any:
    """The worker of an id, a pseudonym or a name, if there is one."""
    worker = turn.read(_WORKER, {"worker": pseudonyms.get(name, name)}).one_or_none()
    return worker if worker is not None else named_row(turn.read, name)


def _is_there(turn: Turn, item: ItemState, worker: str, answer: dict[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether the answer is stored, of the revision that the row says, if it says one."""
    said, revision = canonical(answer), row.get("revision")
    same = turn.read(_SAME, {"item": item.id, "worker": worker})
    return any(each.answer == said and revision in (None, each.revision) for each in same)


def _broken(
    turn: Turn, task: Task, item: ItemState, worker: Any, answer: dict[str, Any], name: str
) -> tuple[str, str] | None:
    """The rule that an answer breaks, if any."""
    own = {name} if worker is None else {worker.id, worker.name}
    qualifications = [] if worker is None else orjson.loads(worker.qualifications)
    if item.control:
        return "no_slot", "the item is a control"
    if "author" in task.not_by and item.author in own:
        return "own_text", f"{name!r} wrote what is judged"
    if worker is not None and worker.state != "active":
        return "paused", f"{name!r} is {worker.state}"
    if task.qualification is not None and task.qualification not in qualifications:
        return "not_qualified", f"{name!r} is not qualified as {task.qualification}"
    if worker is not None and task.distinct and turn.read(_HAD, {"item": item.id, "worker": worker.id}).scalar_one():
        return "twice", f"{name!r} has had this item"
    if item.slots(task) < 1:
        return "no_slot", f"the item is {item.state}, and has no open slot"
    check_made_copies(turn, task, item, answer)
    return None


def _store(
    turn: Turn,
    rules: Rules,
    task: Task,
    item: ItemState,
    worker: str,
    answer: dict[str, Any],
    standing: str,
    row: Mapping[str, Any],
) -> None:
    times = turn.read(_TIMES, {"item": item.id, "worker": worker}).scalar_one()
    batch = OutsideBatch(content_id("outside", item.id, worker, times), worker, _revision(row), turn.now)
    write_outside_batch(turn, batch, task.name)
    had = turn.read(_HAD, {"item": item.id, "worker": worker}).scalar_one()
    state = "free" if standing == "revised" or (had and task.distinct) else "answered"
    place = {"batch": batch.id, "position": 1, "item": item.id, "worker": worker, "state": state, "round": 1}
    turn.write(insert(schema.assignments), {**place, "again": 0 if task.distinct else had})
    response = write_response(turn, batch, item, answer, standing=standing, at=_time(row.get("at")))
    if not standing:
        count_answer(turn, rules, task, item, answer, worker=worker, response=response)


def _decision(
    turn: Turn, rules: Rules, row: Mapping[str, Any], item: ItemState, worker: Any, where: str
) -> str | Broken:
    """Take a lead's decision in."""
    answer = row["answer"]
    said = {"accepted": answer.get("accepted"), "note": answer.get("note", "")}
    if worker is not None and _is_there(turn, item, worker.id, said, row):
        return REPEATED
    if worker is None:
        return Broken(where, "not_a_lead", f"{row['worker']!r} is no lead")
    try:
        adjudicate(turn, rules, worker.id, item.id, said["accepted"] == "yes", str(said["note"]))
    except AdjudicationError as error:
        return Broken(where, "not_a_lead", error.problem)
    return ADDED


def _revision(row: Mapping[str, Any]) -> int:
    revision = row.get("revision")
    return revision if isinstance(revision, int) and revision > 0 else 1


def _time(value: Any) -> float | None:
    """Seconds since 1970 of a time as it is written; none where it is no time."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None
