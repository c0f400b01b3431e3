"""What a task asks, as the templates read it, and an answer as its form brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.annotation.app.bracket_parts import bracket_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.annotation.app.requests.read_form import Form
    from recombine.annotation.tasks.task import Asked, Task

NAMES = {"yes": "Yes", "no": "No"}
SHORT = 24


def asked_fields(
    task: Task,
    show: Mapping[str, Any],
    answer: Mapping[str, Any] | None = None,
    problems: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """The fields in the task's order, filled with an answer or a draft, each with why it was refused."""
    given, wrong = answer or {}, problems or {}
    return [_field(task, each, show, given.get(each.name), wrong.get(each.name, "")) for each in task.ask]


def read_answer(task: Task, form: Form, prefix: str = "") -> dict[str, Any]:
    """An answer as the form brings it; fields that it does not bring are left out, but for `several`."""
    answer: dict[str, Any] = {}
    for each in task.ask:
        values = form.all(prefix + each.name)
        if each.kind == "several":
            answer[each.name] = values
        elif values:
            answer[each.name] = form.one(prefix + each.name)
    return answer


def missing_fields(task: Task, answer: Mapping[str, Any]) -> dict[str, str]:
    """The fields that want an answer and have none, with what to do."""
    wanted = [each for each in task.ask if not each.may_be_empty and not _given(answer.get(each.name))]
    return {each.name: "Write something." if each.kind == "text" else "Choose one." for each in wanted}


def problem_text(task: Task, name: str, why: str) -> str:
    """What is wrong with a field, after what the field asks."""
    label = next((each.label for each in task.ask if each.name == name), name)
    return f"{label} {why}" if label.endswith(("?", ":", ".")) else f"{label}: {why}"


def _given(value: Any) -> bool:
    return bool(value.strip() if isinstance(value, str) else value)


def _field(task: Task, asked: Asked, show: Mapping[str, Any], value: Any, why: str) -> dict[str, Any]:
    options = [] if asked.kind == "text" else list(asked.options_of(dict(show)))
    chosen = set(value) if isinstance(value, list) else {value}
    names = NAMES if asked.kind == "yes_no" else {}
    return {
        "name": asked.name,
        "kind": asked.kind,
        "label": asked.label,
        "help": asked.help,
        "why": why,
        "required": not asked.may_be_empty,
        "longest": asked.longest,
        "value": value if isinstance(value, str) else "",
        "long": len(options) > 4 or any(len(option) > SHORT for option in options),
        "options": [{"value": each, "label": names.get(each, each), "chosen": each in chosen} for each in options],
        "keep": _kept_parts(task, asked, show),
    }


def _kept_parts(task: Task, asked: Asked, show: Mapping[str, Any]) -> list[str]:
    """The bracketed parts that the text must bring, in their order."""
    names = [rule.brackets_of for rule in task.refuse if rule.field == asked.name and rule.brackets_of]
    texts = [str(show.get(name, "")) for name in names if name]
    return list(dict.fromkeys(part for text in texts for part, kept in bracket_parts(text) if kept))
