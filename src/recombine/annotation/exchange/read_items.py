"""Items that other verbs wrote, as a campaign takes them.

Lines `{item, task, parent, author, show, ask}` are those of `scenes hand-off` and `kb tasks`. What the latter calls a
`judgement` is a `check` here. A line may have `keep` too, what workers do not see, such as the `target` of examples; a
graph query is the target, as JSON, where there is no other. What is asked is the task's to say, so `ask` is not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from pathlib import Path

OTHER_NAMES = {"judgement": "check"}
"""Tasks that other verbs call otherwise."""


def read_items(path: Path | str) -> list[dict[str, Any]]:
    """The items of a file, in its order."""
    text = read_utf8(path)
    lines = [_line(record, path, number) for number, record in iter_json_lines(text, path)] if text.strip() else []
    if not lines:
        raise InputFileError(f"{path}: holds no item", "give a line {item, task, parent, author, show, ask} for each")
    return lines


def read_controls(path: Path | str) -> list[dict[str, Any]]:
    """The lines `{task, show, answer}` of a file, in its order."""
    text = read_utf8(path)
    lines = [record for _, record in iter_json_lines(text, path)] if text.strip() else []
    if not lines:
        raise InputFileError(f"{path}: holds no control", "give a line {task, show, answer} for each")
    return lines


def _line(record: dict[str, Any], path: Path | str, number: int) -> dict[str, Any]:
    show, task = record.get("show"), record.get("task")
    if not isinstance(show, dict) or not isinstance(task, str):
        problem = "has no task, or no object `show`"
        raise RecordError(path, f"line {number}", problem, 'give {"item": …, "task": …, "show": {…}}')
    return {**record, "task": OTHER_NAMES.get(task, task), "keep": with_target(record)}


def with_target(record: dict[str, Any]) -> dict[str, Any]:
    """What a line keeps unseen: what it says, and its graph query as the target where it has no other."""
    kept = record.get("keep") or {}
    graph = record["show"].get("graph_query")
    if not isinstance(graph, dict) or not isinstance(kept, dict) or "target" in kept:
        return kept
    return {"target": orjson.dumps(graph, option=orjson.OPT_SORT_KEYS).decode(), **kept}
