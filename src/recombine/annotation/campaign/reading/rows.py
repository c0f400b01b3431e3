"""Reading a campaign row by row, in the order things came; why each answer counts or not follows from its batch."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, select

from recombine.annotation.campaign.records import (
    BatchRow,
    Control,
    ItemRow,
    LogEntry,
    ResponseRow,
    ValidAnswer,
    Verdict,
)
from recombine.annotation.campaign.states import ADJUDICATION, PASSED
from recombine.annotation.store import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

_r, _b, _i, _w, _v = (
    schema.responses.c,
    schema.batches.c,
    schema.items.c,
    schema.workers.c,
    schema.verdicts.c,
)
_ITEMS = select(schema.items).order_by(_i.number)
_RESPONSES = (
    select(
        schema.responses,
        _i.task,
        _i.parent,
        _i.author,
        _w.kind,
        _b.control,
        _b.state.label("batch_state"),
        _b.round.label("batch_round"),
        _b.expected,
    )
    .select_from(schema.responses)
    .join(schema.items, _r.item == _i.id)
    .join(schema.batches, _r.batch == _b.id)
    .join(schema.workers, _r.worker == _w.id)
    .order_by(_r.number)
)
_LAST_ROUNDS = select(_r.batch, _r.item, _r.revision).where(_r.revision > 1)
_VERDICTS = (
    select(schema.verdicts, _i.task, _i.parent).join_from(schema.verdicts, schema.items, _v.item == _i.id)
).order_by(_i.number)
_checks = schema.items.alias("checks")
_VALID = (
    select(
        _r.item, _r.worker, _r.answer, _i.name, _i.task, _i.parent, _i.show, _i.keep,
        _checks.c.id.label("check_item"), _v.votes, _v.shares,
    )
    .select_from(_checks)
    .join(schema.responses, _checks.c.response == _r.id)
    .join(schema.items, _r.item == _i.id)
    .join(schema.verdicts, _v.item == _checks.c.id)
    .where(_checks.c.state == "accepted")
    .order_by(_r.number)
)  # fmt: skip


def iter_items(connection: Connection, task: str | None = None) -> Iterator[ItemRow]:
    """The items in order."""
    chosen = _ITEMS if task is None else _ITEMS.where(_i.task == task)
    for row in connection.execute(chosen):
        yield as_item(row)


def as_item(row: Any) -> ItemRow:
    """A row of items as it is given out."""
    return ItemRow(
        item=row.id,
        name=row.name,
        task=row.task,
        parent=row.parent,
        author=row.author,
        show=orjson.loads(row.show),
        keep=orjson.loads(row.keep),
        control=bool(row.control),
        state=row.state,
        votes=row.votes,
        valid=row.valid,
        pending=row.pending,
        leased=row.leased,
    )


def iter_responses(connection: Connection, item: str | None = None) -> Iterator[ResponseRow]:
    """The answers in order."""
    chosen = _RESPONSES if item is None else _RESPONSES.where(_r.item == item)
    last = {(row.batch, row.item): row.revision for row in connection.execute(_LAST_ROUNDS.order_by(_r.revision))}
    for row in connection.execute(chosen):
        reason = standing(row, last.get((row.batch, row.item), 1))
        control = row.control == row.item
        yield ResponseRow(
            response=row.id,
            item=row.item,
            task=row.task,
            parent=row.parent,
            author=row.author,
            worker=row.worker,
            kind=row.kind,
            batch=row.batch,
            control=control,
            expected=orjson.loads(row.expected) if control else None,
            answer=orjson.loads(row.answer),
            counted=reason in ("", ADJUDICATION),
            reason=reason,
            revision=row.revision,
            seconds=row.seconds,
            at=as_time(row.at),
        )


def standing(row: Any, last_revision: int) -> str:
    """Why an answer is not counted; empty where it is."""
    if row.standing:
        return str(row.standing)
    if row.control == row.item:
        return "control"
    if not row.control:
        return ""
    if row.batch_state in ("open", "reconsider"):
        return "pending"
    if row.batch_state != PASSED:
        return str(row.batch_state)
    return "revised" if row.revision < last_revision else ""


def as_time(seconds: float) -> str:
    """A time as it is written.

    >>> as_time(0.5)
    '1970-01-01T00:00:00.500Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def iter_verdicts(connection: Connection) -> Iterator[Verdict]:
    """What was decided, in the order of items."""
    for row in connection.execute(_VERDICTS):
        yield as_verdict(row)


def one_verdict(connection: Connection, item: str) -> Verdict:
    """What was decided on an item."""
    return as_verdict(connection.execute(_VERDICTS.where(_v.item == bindparam("of_item")), {"of_item": item}).one())


def as_verdict(row: Any) -> Verdict:
    """A row of verdicts as it is given out."""
    shares, kept = orjson.loads(row.shares), tuple(orjson.loads(row.kept))
    return Verdict(row.item, row.task, row.parent, row.state, row.votes, shares, kept, row.by)


def iter_valid_answers(connection: Connection, task: str | None = None) -> Iterator[ValidAnswer]:
    """Answers that were accepted, in order."""
    chosen = _VALID if task is None else _VALID.where(_i.task == task)
    for row in connection.execute(chosen):
        yield ValidAnswer(
            item=row.item,
            name=row.name,
            task=row.task,
            parent=row.parent,
            worker=row.worker,
            answer=orjson.loads(row.answer),
            show=orjson.loads(row.show),
            keep=orjson.loads(row.keep),
            check=row.check_item,
            votes=row.votes,
            shares=orjson.loads(row.shares),
        )


def iter_controls(connection: Connection) -> Iterator[Control]:
    """The controls in order."""
    for row in connection.execute(select(schema.controls).order_by(schema.controls.c.number)):
        yield Control(row.item, row.task, orjson.loads(row.expected), bool(row.good), bool(row.grown))


def iter_batches(connection: Connection) -> Iterator[BatchRow]:
    """The batches in order."""
    for row in connection.execute(select(schema.batches).order_by(_b.number)):
        yield BatchRow(row.id, row.worker, row.task, row.state, row.round, row.size, row.control, row.failures)


def iter_log(connection: Connection) -> Iterator[LogEntry]:
    """The entries of the log in order."""
    for row in connection.execute(select(schema.log).order_by(schema.log.c.number)):
        yield LogEntry(row.number, as_time(row.at), row.what, orjson.loads(row.data), row.hash)
