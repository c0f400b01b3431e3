"""Open items of a campaign as tasks of Label Studio, a list of `{data}` for each of our tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.annotation.app.shown_tree import shown_tree
from recombine.annotation.exchange.item_rows import open_items
from recombine.annotation.exchange.label_studio.labelling_config import labelling_config

if TYPE_CHECKING:
    from recombine.annotation.app.shown_tree import Node
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import ItemRow
    from recombine.annotation.tasks.task import Task


@dataclass(frozen=True)
class LabelStudioTask:
    """What becomes one project of Label Studio."""

    task: str
    config: str
    tasks: tuple[dict[str, Any], ...]


def label_studio_tasks(campaign: Campaign) -> list[LabelStudioTask]:
    """A project for each task that has open items; controls are not among them."""
    return [_project(task, items) for task in campaign.flow.task if (items := open_items(campaign, task))]


def _project(task: Task, items: list[ItemRow]) -> LabelStudioTask:
    absent = frozenset(part.name for part in task.show if all(part.name not in item.show for item in items))
    parts = [part for part in task.show if part.name not in absent]
    tasks = []
    for item in items:
        data: dict[str, Any] = {"item": item.item, "name": item.name}
        data |= {f"show_{part.name}": _value(part.kind, item.show.get(part.name)) for part in parts}
        for field in task.ask:
            if field.options_from is not None:
                data[f"options_{field.name}"] = [{"value": each} for each in field.options_of(dict(item.show))]
        tasks.append({"data": data})
    return LabelStudioTask(task.name, labelling_config(task, absent=absent), tuple(tasks))


def _value(kind: str, value: Any) -> Any:
    """A part as Label Studio shows it: texts, and addresses of pictures."""
    if kind == "images":
        return [each["path"] if isinstance(each, Mapping) else str(each) for each in value or ()]
    if kind == "list":
        return "\n".join(str(each) for each in value or ())
    if kind == "tree":
        return "" if value is None else "\n".join(_lines(shown_tree(value)))
    return str(value or "")


def _lines(node: Node, depth: int = 0) -> list[str]:
    """A tree as lines, deeper ones further in."""
    return ["  " * depth + node.label, *(line for child in node.children for line in _lines(child, depth + 1))]
