"""Where a campaign stands, in counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, exists, func, not_, select

from recombine.annotation.campaign.reading.rows import iter_responses
from recombine.annotation.campaign.records import Status, TaskStatus
from recombine.annotation.campaign.states import OPEN, WAITING
from recombine.annotation.store import schema

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from recombine.annotation.tasks.flow import Flow

_i, _b, _w, _c, _a, _f = (
    schema.items.c,
    schema.batches.c,
    schema.workers.c,
    schema.controls.c,
    schema.assignments.c,
    schema.refusals.c,
)


def read_status(connection: Connection, flow: Flow, name: str, signature: str) -> Status:
    """Count items, answers, batches and workers."""
    counts = _Counts(connection)
    tasks = tuple(counts.of(task.name) for task in flow.task)
    states = {row[0]: row[1] for row in connection.execute(select(_w.state, func.count()).group_by(_w.state))}
    return Status(
        campaign=name,
        flow=flow.name,
        signature=signature,
        tasks=tasks,
        workers=dict(sorted(states.items())),
        without_control=_without_control(connection, flow),
        log_entries=connection.execute(select(schema.head.c.log)).scalar_one(),
        done=all(not task.states.get(OPEN) and not task.states.get(WAITING) for task in tasks),
    )


class _Counts:
    """All counts by task, each table read once."""

    def __init__(self, connection: Connection) -> None:
        self.states, self.leased = defaultdict[str, Counter[str]](Counter), Counter[str]()
        items = select(_i.task, _i.state, func.count(), func.sum(_i.leased)).where(_i.control.is_(False))
        for task, state, number, leased in connection.execute(items.group_by(_i.task, _i.state)):
            self.states[task][state] = number
            self.leased[task] += int(leased)
        self.answers, self.counted = Counter[str](), Counter[str]()
        self.seconds = defaultdict[str, list[float]](list)
        for row in iter_responses(connection):
            self.answers[row.task] += 1
            self.counted[row.task] += row.counted
            self.seconds[row.task].append(row.seconds)
        self.batches = _table(connection, select(_b.task, _b.state, func.count()).group_by(_b.task, _b.state))
        self.controls = _table(connection, select(_c.task, _c.good, func.count()).group_by(_c.task, _c.good))
        self.refused = _table(connection, select(_f.task, _f.reason, _f.times))

    def of(self, task: str) -> TaskStatus:
        """The counts of one task."""
        return TaskStatus(
            task=task,
            items=self.states[task].total(),
            states=dict(sorted(self.states[task].items())),
            answers=self.answers[task],
            counted=self.counted[task],
            leased=self.leased[task],
            controls=sum(self.controls[task].values()),
            good_controls=self.controls[task].get(True, 0),
            batches=self.batches[task],
            refused=self.refused[task],
            median_seconds=median(self.seconds[task]) if self.seconds[task] else None,
        )


def _table(connection: Connection, statement: Any) -> defaultdict[str, dict[Any, int]]:
    """Rows of a task, a kind and a count, as a table."""
    table = defaultdict[str, dict[Any, int]](dict)
    for task, kind, number in sorted(connection.execute(statement), key=lambda row: (row[0], str(row[1]))):
        table[task][kind] = number
    return table


def _without_control(connection: Connection, flow: Flow) -> int:
    """How many active workers have had all controls of a task whose items are still open."""
    without: set[str] = set()
    for task in flow.task:
        still = select(_i.id).where(_i.task == task.name, _i.open > 0).limit(1)
        if not task.controlled or connection.execute(still).first() is None:
            continue
        had = exists().where(and_(_a.worker == _w.id, _a.item == _c.item, _a.state != "free"))
        own = exists().where(and_(_i.id == _c.item, _i.author == _w.id))
        free = exists().where(and_(_c.task == task.name, not_(had), not_(own))).correlate(schema.workers)
        without |= {row.id for row in connection.execute(select(_w.id).where(_w.state == "active", not_(free)))}
    return len(without)
