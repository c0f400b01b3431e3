"""A task as a labelling configuration of Label Studio: what is shown and what is asked, by our names.

What an item shows is the data `show_NAME`, and the control of a field has the field's name, so that an export tells
which is which. Options of an item's own are data too (`options_NAME`). Label Studio does not know the rules of a task:
who may answer, how many are wanted and what is refused is seen to when answers come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from recombine.annotation.tasks.task import Asked, Shown, Task

_TEXT_STYLE = "white-space: pre-wrap"


def labelling_config(task: Task, *, absent: frozenset[str] = frozenset()) -> str:
    """The configuration; parts that no item has (`absent`) are left out."""
    parts = [part for part in task.show if part.name not in absent]
    shown = [line for part in parts for line in _shown(part)]
    about = _element("Header", value=task.title)
    asked = [line for field in task.ask for line in _asked(field, f"show_{parts[0].name}")]
    return "\n".join(["<View>", *(f"  {line}" for line in (about, *shown, *asked)), "</View>", ""])


def _shown(part: Shown) -> list[str]:
    head = [_element("Header", value=part.label, size="5")] if part.label else []
    if part.kind == "images":
        return [*head, _element("Image", name=f"show_{part.name}", valueList=f"$show_{part.name}")]
    text = _element("Text", name=f"show_{part.name}", value=f"$show_{part.name}")
    return [*head, f'<View style="{_TEXT_STYLE}">{text}</View>']


def _asked(field: Asked, about: str) -> list[str]:
    head = _element("Header", value=field.label, size="5")
    if field.kind == "text":
        needed = {} if field.may_be_empty else {"required": "true"}
        return [head, _element("TextArea", name=field.name, toName=about, maxSubmissions="1", rows="3", **needed)]
    choice = "multiple" if field.kind == "several" else "single-radio"
    needed = {} if field.kind == "several" or field.may_be_empty else {"required": "true"}
    if field.options_from is not None:
        made = _element("Choices", name=field.name, toName=about, choice=choice, value=f"$options_{field.name}")
        return [head, made]
    options = "".join(_element("Choice", value=option) for option in field.options_of({}))
    opened = _element("Choices", name=field.name, toName=about, choice=choice, **needed).removesuffix("/>")
    return [head, f"{opened}>{options}</Choices>"]


def _element(tag: str, /, **values: str) -> str:
    """An element without content.

    >>> _element("Text", name="q", value='"$show"')
    '<Text name="q" value=\\'"$show"\\'/>'
    """
    return f"<{tag}{''.join(f' {key}={quoteattr(value)}' for key, value in values.items())}/>"
