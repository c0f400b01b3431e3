"""Items that a lead may want to look at."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import select

from recombine.annotation.campaign.reading.rows import as_item, iter_responses
from recombine.annotation.campaign.states import ACCEPTED, EXHAUSTED, REJECTED
from recombine.annotation.store import schema
from recombine.annotation.tasks.judge import deciding

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from recombine.annotation.campaign.records import ItemRow
    from recombine.annotation.tasks.flow import Flow


def read_disputes(connection: Connection, flow: Flow) -> list[ItemRow]:
    """Items decided by votes that were apart, and items for which too little was made; none that a lead decided."""
    voted = {task.name for task in flow.task if not task.makes}
    said = defaultdict[str, list[object]](list)
    for row in iter_responses(connection):
        if row.counted and not row.reason and row.task in voted:
            said[row.item].append(deciding(flow.of(row.task), row.answer))
    decided = select(schema.verdicts.c.item).where(schema.verdicts.c.by == "")
    chosen = (
        select(schema.items)
        .where(schema.items.c.state.in_((ACCEPTED, REJECTED, EXHAUSTED)), schema.items.c.id.in_(decided))
        .order_by(schema.items.c.number)
    )
    rows = [as_item(row) for row in connection.execute(chosen)]
    return [row for row in rows if row.state == EXHAUSTED or any(each != said[row.item][0] for each in said[row.item])]
