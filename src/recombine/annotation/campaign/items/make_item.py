"""Making items: those that a flow makes of others, and those that come from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select

from recombine.annotation.campaign.items.item_state import free_slots
from recombine.annotation.campaign.states import OPEN, WAITING
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.task import Feed, Task

_IS_THERE = select(schema.items.c.id).where(schema.items.c.id == bindparam("item"))
_INSERT = insert(schema.items)


def make_item(
    turn: Turn,
    task: Task,
    *,
    show: Mapping[str, Any],
    name: str = "",
    parent: str = "",
    author: str = "",
    response: str = "",
    keep: Mapping[str, Any] | None = None,
    control: bool = False,
    waiting: bool = False,
    again: bool = False,
) -> str | None:
    """Add an item; its id, or none where it is there already and is not wanted `again`."""
    parts = [task.name, parent, show, control]
    item = content_id(*parts)
    times = 0
    while turn.read(_IS_THERE, {"item": item}).one_or_none() is not None:
        if not again:
            return None
        times += 1
        item = content_id(*parts, times)
    state = WAITING if waiting else OPEN
    turn.write(
        _INSERT,
        {
            "id": item,
            "number": turn.next("items"),
            "name": name,
            "task": task.name,
            "parent": parent,
            "author": author,
            "response": response,
            "show": canonical(show),
            "keep": canonical(keep or {}),
            "control": control,
            "state": state,
            "votes": 0,
            "valid": 0,
            "pending": 0,
            "leased": 0,
            "open": 0 if control else free_slots(task, state, 0, 0, 0, 0),
            "rank": turn.next("ranks"),
        },
    )
    return item


def fed_show(feed: Feed, show: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown of an item that another brings about."""
    made = dict(show)
    for name, place in feed.show.items():
        kind, _, key = place.partition(".")
        made[name] = (answer if kind == "answer" else show).get(key, "")
    return made
