"""Open items as lines `{item, task, parent, author, show, ask}`, for who works elsewhere and sends answers back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.tasks.task import Asked


def iter_item_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Items that are open, less controls; of what an item holds, what its task shows."""
    names = {worker.id: campaign.pseudonym(worker.id) for worker in campaign.workers()}
    for item in campaign.items():
        if item.state != "open" or item.control:
            continue
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
