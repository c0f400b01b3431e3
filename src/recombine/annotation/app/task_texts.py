"""A task's title, instructions and worked examples (GrailQA, Figure 8), as the templates read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.app.asked_fields import NAMES
from recombine.annotation.app.shown_parts import shown_parts, text_of

if TYPE_CHECKING:
    from recombine.annotation.tasks.task import Task, WorkedExample


def task_texts(task: Task) -> dict[str, Any]:
    """A task's title, instructions and examples, as the templates read them."""
    examples = [_example(task, each) for each in task.example]
    return {"title": task.title, "instructions": task.instructions, "examples": examples}


def _example(task: Task, example: WorkedExample) -> dict[str, Any]:
    answers = [(each.label, _said(example.answer[each.name])) for each in task.ask if each.name in example.answer]
    parts = [part for part in shown_parts(task, example.show, "-") if part["kind"] != "images"]
    return {"parts": parts, "answers": answers, "reason": example.reason}


def _said(value: Any) -> str:
    return NAMES.get(value, value) if isinstance(value, str) else text_of(value)
