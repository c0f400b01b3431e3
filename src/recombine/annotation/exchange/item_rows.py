"""Open items as lines `{item, task, parent, author, show, ask}`, for who works elsewhere and sends answers back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.campaign.items.item_state import free_slots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import ItemRow
    from recombine.annotation.tasks.task import Asked, Task


def open_items(campaign: Campaign, task: Task) -> list[ItemRow]:
    """The items of a task that somebody could still answer, less controls."""
    return [
        item
        for item in campaign.items(task=task.name)
        if not item.control and free_slots(task, item.state, item.votes, item.valid, item.pending, item.leased)
    ]


def iter_item_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Open items by task; of what an item holds, what its task shows."""
    names = {worker.id: campaign.pseudonym(worker.id) for worker in campaign.workers()}
    for item in (item for task in campaign.flow.task for item in open_items(campaign, task)):
        task = campaign.flow.of(item.task)
        show = {part.name: item.show[part.name] for part in task.show if part.name in item.show}
        yield {
            "item": item.item,
            "task": item.task,
            "parent": item.parent,
            "author": names.get(item.author, item.author),
            "show": show,
            "ask": {field.name: _asked(field, dict(item.show)) for field in task.ask},
        }


def _asked(field: Asked, show: dict[str, Any]) -> str | list[str]:
    """The options of a field, or that it is a text."""
    return "text" if field.kind == "text" else list(field.options_of(show))
