"""What must be stored, worked out from the responses and the assignments alone, and how the store differs from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import select

from recombine.annotation.campaign.items.item_state import free_slots
from recombine.annotation.campaign.settle import made_state
from recombine.annotation.campaign.states import (
    ACCEPTED,
    ADJUDICATION,
    OPEN,
    PASSED,
    RECONSIDER,
    REJECTED,
    SET_ASIDE,
    WAITING,
    WITHDRAWN,
)
from recombine.annotation.store import schema
from recombine.annotation.tasks.judge import judge, passes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from recombine.annotation.tasks.flow import Flow


def recompute(connection: Connection, flow: Flow) -> list[str]:
    """Every difference between what is stored and what follows, as a line."""
    return list(_Recomputed(connection, flow).iter_differences())


class _Recomputed:
    """All tables read once; items are worked out from those made of them upwards."""

    def __init__(self, connection: Connection, flow: Flow) -> None:
        self.flow = flow
        self.items = {row.id: row for row in connection.execute(select(schema.items).order_by(schema.items.c.number))}
        self.batches = {row.id: row for row in connection.execute(select(schema.batches))}
        self.verdicts = {row.item: row for row in connection.execute(select(schema.verdicts))}
        self.grown = {row.item for row in connection.execute(select(schema.controls)) if row.grown}
        self.assignments = connection.execute(select(schema.assignments)).all()
        self.said = defaultdict[tuple[str, str], list[Any]](list)
        self.decided = dict[str, bool]()
        self.by_item = defaultdict[str, list[tuple[str, dict[str, Any]]]](list)
        for row in connection.execute(select(schema.responses).order_by(schema.responses.c.number)):
            answer = orjson.loads(row.answer)
            if row.standing == ADJUDICATION:
                self.decided[row.item] = answer["accepted"] == "yes"
            elif not row.standing:
                self.said[row.batch, row.item].append(answer)
        self._count_answers()
        self.made = defaultdict[str, list[Any]](list)
        for row in self.items.values():
            if row.response:
                self.made[row.parent].append(row)

    def _count_answers(self) -> None:
        """Which answers count, and how many slots are kept for workers, by item."""
        self.leased = Counter[str]()
        for (batch, item), answers in self.said.items():
            held = self.batches[batch]
            if held.control == item:
                continue
            if not held.control or self.batch_state(held) == PASSED:
                self.by_item[item].append((batch, answers[-1]))
        for row in self.assignments:
            held = self.batches[row.batch]
            unanswered = held.state == OPEN and row.round == 0
            if held.control != row.item and (unanswered or (held.control and held.state in (OPEN, RECONSIDER))):
                self.leased[row.item] += 1

    def batch_state(self, batch: Any) -> str:
        """The state of a batch with a control, from the answers to that."""
        rule = self.flow.of(batch.task).batch
        if batch.state in ("expired", "given_back") or rule is None:
            return str(batch.state)
        rows = [row for row in self.assignments_of(batch.id) if row.round >= batch.round]
        answers = self.said.get((batch.id, batch.control), [])
        if len(rows) < batch.size:
            return SET_ASIDE if batch.state == SET_ASIDE else (OPEN if batch.round == 1 else RECONSIDER)
        if passes(answers[-1], orjson.loads(batch.expected)):
            return PASSED
        return SET_ASIDE if len(answers) > rule.reconsider else RECONSIDER

    def assignments_of(self, batch: str) -> list[Any]:
        """The assignments of a batch."""
        if not hasattr(self, "_of_batch"):
            self._of_batch = defaultdict[str, list[Any]](list)
            for row in self.assignments:
                self._of_batch[row.batch].append(row)
        return self._of_batch[batch]

    def iter_differences(self) -> Iterator[str]:
        """What differs."""
        for batch in self.batches.values():
            if batch.control and batch.state != self.batch_state(batch):
                yield f"batch {batch.id} is {batch.state}, and must be {self.batch_state(batch)}"
        for row in self.items.values():
            if not row.control:
                yield from self._item_differences(row)

    def _item_differences(self, row: Any) -> Iterator[str]:
        task = self.flow.of(row.task)
        votes, leased = len(self.by_item[row.id]), self.leased[row.id]
        valid = pending = 0
        if task.makes:
            made = self.made[row.id]
            states = [self.voted_state(each) for each in made]
            valid, pending = states.count(ACCEPTED), states.count(OPEN)
            votes = len(made)
            state = made_state(task, valid, votes, pending, leased)
        else:
            state = self.voted_state(row)
        if row.state in (WAITING, WITHDRAWN):
            state = row.state
        slots = free_slots(task, state, votes, valid, pending, leased)
        wanted = {"state": state, "votes": votes, "valid": valid, "pending": pending, "leased": leased, "open": slots}
        for name, value in wanted.items():
            if getattr(row, name) != value:
                yield f"item {row.id} ({row.task}): {name} is {getattr(row, name)}, and must be {value}"
        if votes > (task.attempts or task.slots):
            yield f"item {row.id} ({row.task}): has {votes} answers that count"
        yield from self._verdict_differences(row, state)

    def voted_state(self, row: Any) -> str:
        """The state of an item that is voted on."""
        if row.id in self.decided:
            return ACCEPTED if self.decided[row.id] else REJECTED
        task = self.flow.of(row.task)
        answers = [answer for _, answer in self.by_item[row.id]]
        if len(answers) < task.slots:
            return OPEN
        return ACCEPTED if judge(task, orjson.loads(row.show), answers).accepted else REJECTED

    def _verdict_differences(self, row: Any, state: str) -> Iterator[str]:
        stored = self.verdicts.get(row.id)
        if (stored is None) != (state in (OPEN, WAITING, WITHDRAWN)):
            yield f"item {row.id} ({row.task}): is {state}, and has {'no' if stored is None else 'a'} verdict"
        elif stored is not None and stored.state != state:
            yield f"item {row.id} ({row.task}): the verdict is {stored.state}, and must be {state}"
        task = self.flow.of(row.task)
        answers = [answer for _, answer in self.by_item[row.id]]
        if stored is None or stored.by or task.makes or not answers:
            return
        judgement = judge(task, orjson.loads(row.show), answers)
        if orjson.loads(stored.shares) != judgement.shares or tuple(orjson.loads(stored.kept)) != judgement.kept:
            yield f"item {row.id} ({row.task}): the shares are {stored.shares}, and must be {judgement.shares}"
        grows = task.controlled and task.batch is not None and task.batch.grow and task.slots > 1
        if (row.id in self.grown) != (grows and judgement.unanimous):
            yield f"item {row.id} ({row.task}): is {'a' if row.id in self.grown else 'no'} control"
