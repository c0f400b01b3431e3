"""Answers from a JSON export of Label Studio, as rows of responses.

An annotation is an answer of whom `completed_by` names to the item of its task's data. Annotations that their worker
skipped are left out and counted; predictions are no answers. What is odd about an answer is for the campaign to find.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_utf8

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.annotation.tasks.flow import Flow


class LabelStudioRows(NamedTuple):
    """Rows of responses, and how many annotations were skipped."""

    rows: list[dict[str, Any]]
    skipped: int


def read_label_studio(path: Path | str, flow: Flow, tasks: Mapping[str, str]) -> LabelStudioRows:
    """The answers of a JSON export; `tasks` has the task of each item."""
    try:
        exported = orjson.loads(read_utf8(path))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: not JSON ({error})", "give what Label Studio exports as JSON") from None
    if not isinstance(exported, list):
        raise InputFileError(f"{path}: no list of tasks", "give what Label Studio exports as JSON, not JSON-MIN")
    rows: list[dict[str, Any]] = []
    skipped = 0
    for number, task in enumerate(exported, start=1):
        item = _item(task, path, number)
        for annotation in task.get("annotations", ()):
            if annotation.get("was_cancelled"):
                skipped += 1
                continue
            several = _several(flow, tasks.get(item))
            answer = _answer(annotation, several, path, number)
            rows.append({"item": item, "worker": _worker(annotation), "answer": answer, "from": "label-studio"})
    return LabelStudioRows(rows, skipped)


def _item(task: Any, path: Path | str, number: int) -> str:
    data = task.get("data") if isinstance(task, dict) else None
    item = data.get("item") if isinstance(data, dict) else None
    if not isinstance(item, str) or not isinstance(task.get("annotations", []), list):
        problem = "has no data.item, or no list of annotations"
        raise RecordError(path, f"task {number}", problem, "export the project that our files made, as JSON")
    return item


def _worker(annotation: Mapping[str, Any]) -> str:
    """Whom an annotation is from: the address, where the export has it, else the number."""
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return f"label-studio:{who}"


def _several(flow: Flow, task: str | None) -> dict[str, bool]:
    """The fields of a task, and whether each takes several options."""
    return {} if task is None else {field.name: field.kind == "several" for field in flow.of(task).ask}


def _answer(
    annotation: Mapping[str, Any], several: Mapping[str, bool], path: Path | str, number: int
) -> dict[str, Any]:
    """The fields of an answer; an optional one that has no result is empty."""
    answer: dict[str, Any] = {}
    for result in annotation.get("result") or ():
        value, name = result.get("value"), result.get("from_name")
        given = value.get("choices", value.get("text")) if isinstance(value, dict) else None
        if given is None or not isinstance(name, str):
            problem = f"has a result of the type {result.get('type')!r}, which is none of ours"
            raise RecordError(path, f"task {number}", problem, "label with the configuration that was exported")
        texts = [given] if isinstance(given, str) else [str(each) for each in given]
        answer[name] = texts if several.get(name) else "\n".join(texts)
    return answer | {name: [] for name, many in several.items() if many and name not in answer}
