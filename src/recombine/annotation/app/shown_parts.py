"""What a task shows of an item, as the templates read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from recombine.annotation.app.shown_tree import shown_tree

if TYPE_CHECKING:
    from recombine.annotation.tasks.task import Shown, Task


def shown_parts(task: Task, show: Mapping[str, Any], item: str) -> list[dict[str, Any]]:
    """The parts in the task's order; parts that the item does not have are left out."""
    return [
        {"label": part.label or part.name, "kind": part.kind, "value": _value(part, show[part.name], item)}
        for part in task.show
        if show.get(part.name) not in (None, "", [], {})
    ]


def picture_name(value: Any, number: int) -> str:
    """The file that a picture of an item is in: the value itself, or its `path`."""
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if not 0 <= number < len(listed):
        return ""
    entry = listed[number]
    return str(entry.get("path", "")) if isinstance(entry, Mapping) else str(entry)


def _value(part: Shown, value: Any, item: str) -> Any:
    if part.kind == "tree":
        return shown_tree(value)
    listed = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if part.kind == "images":
        return [_picture(part.name, entry, number, item) for number, entry in enumerate(listed)]
    return [text_of(each) for each in listed] if part.kind == "list" else "\n".join(map(text_of, listed))


def _picture(name: str, entry: Any, number: int, item: str) -> dict[str, str]:
    said = str(entry.get("alt") or "") if isinstance(entry, Mapping) else ""
    url = f"/picture/{quote(name, safe='')}/{number}/{quote(item, safe='')}"
    return {"url": url, "alt": said or f"Picture {number + 1}"}


def text_of(value: Any) -> str:
    """A value as a person reads it.

    >>> text_of(["a", 2]), text_of({"name": "Rhine", "about": "a river"})
    ('a, 2', 'name: Rhine, about: a river')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {text_of(each)}" for key, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(text_of, value))
    return "" if value is None else str(value)
