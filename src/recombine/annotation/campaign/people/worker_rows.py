"""Workers: adding them, their tokens, and what is kept of them."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, delete, func, insert, select, update

from recombine.annotation.campaign.records import NewWorker, Worker
from recombine.annotation.campaign.rules import token_hash
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical
from recombine.errors import CampaignError, OptionError, UnknownNameError, UnknownTokenError, UnknownWorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn

ACTIVE, PAUSED, LEFT = "active", "paused", "left"
OUTER = "outer:"
"""What the names of workers who enrol by an outer platform's id start with, so that nobody enrols as an invited one."""
_w, _t = schema.workers.c, schema.tokens.c
_ANSWERED = (
    select(func.count()).where(schema.responses.c.worker == _w.id).correlate(schema.workers).scalar_subquery()
).label("answered")
_ALL = select(schema.workers, _ANSWERED)
_ONE = _ALL.where(_w.id == bindparam("worker"))
_NAMED = _ALL.where(_w.name == bindparam("name"))
_OF_TOKEN = _ALL.select_from(schema.tokens).join(schema.workers, _t.worker == _w.id).where(_t.hash == bindparam("hash"))
_NO_TOKENS = delete(schema.tokens).where(_t.worker == bindparam("of_worker"))
_NO_DRAFTS = delete(schema.drafts).where(schema.drafts.c.worker == bindparam("of_worker"))
_CHANGED = update(schema.workers)


def worker_row(read: Callable[..., Any], worker: str) -> Any:
    """The row of a worker."""
    row = read(_ONE, {"worker": worker}).one_or_none()
    if row is None:
        raise UnknownWorkerError(f"there is no worker {worker[:60]!r}", "see `recombine annotate workers`")
    return row


def named_row(read: Callable[..., Any], name: str) -> Any:
    """The row of a worker by name, if there is one."""
    return read(_NAMED, {"name": name}).one_or_none()


def all_rows(read: Callable[..., Any]) -> Any:
    """The rows of all workers, in the order they were added."""
    return read(_ALL.order_by(_w.number))


def token_row(read: Callable[..., Any], token: str) -> Any:
    """The row of the worker of a token."""
    row = read(_OF_TOKEN, {"hash": token_hash(token)}).one_or_none()
    if row is None:
        raise UnknownTokenError("this link is not known here", "ask for a new one")
    return row


def as_worker(row: Any) -> Worker:
    """A row as it is given out."""
    return Worker(
        id=row.id,
        name=row.name or "",
        kind=row.kind,
        qualifications=tuple(orjson.loads(row.qualifications)),
        state=row.state,
        consented=bool(row.consented),
        surveyed=bool(row.surveyed),
        answered=row.answered,
        set_aside=row.set_aside,
    )


def add_worker(turn: Turn, rules: Rules, name: str, qualifications: Iterable[str], kind: str) -> Any:
    """Add a worker; the id follows from the key and the order, and says nothing about the name."""
    wanted = sorted(set(qualifications))
    for each in wanted:
        if each not in rules.flow.qualifications:
            raise UnknownNameError("qualification", each, rules.flow.qualifications)
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise OptionError(f"the worker's name is {name[:60]!r}", "give a printable name of at most 200 characters")
    if named_row(turn.read, name) is not None:
        raise CampaignError(f"there is a worker called {name!r} already", "give another name")
    number = turn.next("workers")
    worker = f"w{rules.keyed('worker', number)[:12]}"
    row = {"id": worker, "number": number, "name": name, "kind": kind, "qualifications": canonical(wanted)}
    zero = {"state": ACTIVE, "consented": False, "surveyed": False, "set_aside": 0, "batches": 0}
    turn.write(insert(schema.workers), {**row, **zero})
    turn.note("worker", worker=worker, kind=kind, qualifications=wanted)
    return worker_row(turn.read, worker)


def give_token(turn: Turn, worker: str) -> str:
    """A further token, of which the hash alone is stored."""
    token = secrets.token_urlsafe(32)
    turn.write(insert(schema.tokens), {"hash": token_hash(token), "worker": worker})
    turn.note("token", worker=worker)
    return token


def add_workers(turn: Turn, rules: Rules, names: list[str], qualifications: list[str], kind: str) -> list[NewWorker]:
    """Add workers, all or none."""
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise OptionError(f"the name {repeated[0]!r} is given twice", "give each worker a name of their own")
    for name in names:
        if name.startswith(OUTER):
            raise OptionError(f"the name {name!r} starts with {OUTER!r}, as those who enrol do", "give another name")
        if named_row(turn.read, name) is not None:
            raise CampaignError(f"there is a worker called {name!r} already", "give another name")
    rows = [add_worker(turn, rules, name, qualifications, kind) for name in names]
    return [NewWorker(as_worker(row), give_token(turn, row.id)) for row in rows]


def enrol_worker(turn: Turn, rules: Rules, name: str, kind: str) -> NewWorker:
    """The worker of an outer platform's id, added where there is none, and never one who was invited."""
    if not rules.flow.open_enrolment:
        raise CampaignError("this campaign is not open to everybody", "ask for a link")
    row = named_row(turn.read, f"{OUTER}{name}") or add_worker(turn, rules, f"{OUTER}{name}", (), kind)
    if row.state == LEFT:
        raise UnknownWorkerError("this worker has left", "ask for a link")
    return NewWorker(as_worker(row), give_token(turn, row.id))


def renew_token(turn: Turn, worker: str) -> str:
    """A new token in place of those before it."""
    row = worker_row(turn.read, worker)
    if row.state == LEFT:
        raise UnknownWorkerError("this worker has left", "add them anew")
    turn.write(_NO_TOKENS, {"of_worker": worker})
    return give_token(turn, worker)


def set_worker(turn: Turn, worker: str, what: str, **values: Any) -> None:
    """Change a worker, and note that."""
    worker_row(turn.read, worker)
    turn.write(_CHANGED.where(_w.id == worker).values(**values))
    turn.note(what, worker=worker)


def forget_person(turn: Turn, worker: str) -> None:
    """Remove the name, the tokens and the drafts of a worker; what was answered stays under the id."""
    if (name := worker_row(turn.read, worker).name) is not None:
        turn.write(update(schema.items).where(schema.items.c.author == name).values(author=worker))
    set_worker(turn, worker, "forgotten", name=None, state=LEFT)
    turn.write(_NO_TOKENS, {"of_worker": worker})
    turn.write(_NO_DRAFTS, {"of_worker": worker})
