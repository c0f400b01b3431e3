"""An item that is changed: its counts, how many of its slots are free, and its place in the order of handing out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import bindparam, select, update

from recombine.annotation.campaign.states import OPEN
from recombine.annotation.store import schema

if TYPE_CHECKING:
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Task


_ONE = select(schema.items).where(schema.items.c.id == bindparam("item"))
_SAVED = (
    update(schema.items)
    .where(schema.items.c.id == bindparam("item"))
    .values(
        {name: bindparam(f"new_{name}") for name in ("state", "votes", "valid", "pending", "leased", "open", "rank")}
    )
)


class ItemState:
    """One row of items; `save` writes it back."""

    def __init__(self, row: Any) -> None:
        self.id, self.task, self.parent, self.author = str(row.id), str(row.task), str(row.parent), str(row.author)
        self.name, self.response, self.control = str(row.name), str(row.response), bool(row.control)
        self.state = str(row.state)
        self.votes, self.valid, self.pending, self.leased = row.votes, row.valid, row.pending, row.leased
        self._rank = int(row.rank)
        self._show, self._keep = row.show, row.keep

    @classmethod
    def of(cls, turn: Turn, item: str) -> ItemState | None:
        """An item by its id, if there is one."""
        row = turn.read(_ONE, {"item": item}).one_or_none()
        return None if row is None else cls(row)

    @property
    def show(self) -> dict[str, Any]:
        """What is shown."""
        shown: dict[str, Any] = orjson.loads(self._show)
        return shown

    @property
    def keep(self) -> dict[str, Any]:
        """What it keeps unseen."""
        kept: dict[str, Any] = orjson.loads(self._keep)
        return kept

    def slots(self, task: Task) -> int:
        """How many more workers may get it now."""
        return free_slots(task, self.state, self.votes, self.valid, self.pending, self.leased)

    def save(self, turn: Turn, task: Task, *, returned: bool = False) -> None:
        """Write it back; where a slot came back it goes to the end of the order, past every worker's cursor."""
        slots = 0 if self.control else self.slots(task)
        if returned and slots > 0:
            self._rank = turn.next("ranks")
        turn.write(
            _SAVED,
            {
                "item": self.id,
                "new_state": self.state,
                "new_votes": self.votes,
                "new_valid": self.valid,
                "new_pending": self.pending,
                "new_leased": self.leased,
                "new_open": slots,
                "new_rank": self._rank,
            },
        )


def free_slots(task: Task, state: str, votes: int, valid: int, pending: int, leased: int) -> int:
    """How many more workers may get an item that has so many answers."""
    if state != OPEN:
        return 0
    if not task.makes:
        return max(0, task.slots - votes - pending - leased)
    return max(0, min(task.slots - valid - pending - leased, (task.attempts or 0) - votes - leased))
