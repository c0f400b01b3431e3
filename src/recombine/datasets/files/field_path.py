"""Fields of records, also those inside others: `call.arguments`, `turns.0.text`.

A field that has the whole name comes first, so that a name with a dot is what it was. Else the parts between dots are
followed: keys of objects, and numbers of items of arrays, the first being 0.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from recombine.languages.canonical_json import canonical_json
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MISSING: Any = object()
"""The value of a field that is not there."""


def find_field(record: Mapping[str, Any], field: str) -> Any:
    """The value of a field, or `MISSING`.

    >>> record = {"call": {"arguments": {"city": "Rome"}}, "turns": [{"text": "weather?"}], "a.b": 1}
    >>> find_field(record, "call.arguments"), find_field(record, "turns.0.text"), find_field(record, "a.b")
    ({'city': 'Rome'}, 'weather?', 1)
    >>> find_field(record, "turns.1.text") is MISSING
    True
    """
    if field in record or "." not in field:
        return record.get(field, MISSING)
    value: Any = record
    for part in field.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return MISSING
    return value


def nearest(name: str, known: Sequence[str]) -> str:
    """A question about the known name that is most like one, with a blank after it; nothing where none is.

    >>> nearest("qestion", ["question", "sql"]), nearest("x", ["question", "sql"])
    ("did you mean 'question'? ", '')
    """
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}? " if near else ""


def near_fields(record: Mapping[str, Any], field: str) -> str:
    """What a record has, for whoever asked for a field that it has not: those of the object where the path ends."""
    place, value = "", record
    for part in field.split(".")[:-1]:
        inner = value.get(part, MISSING)
        if not isinstance(inner, dict):
            break
        place, value = f"{place}{part}.", inner
    names = [f"{place}{name}" for name in value]
    return nearest(field, names) + f"it has: {', '.join(names) or 'nothing'}"


def text_of_value(value: Any, *, any_value: bool) -> str | None:
    """The text of a target that is no text: an object or an array as JSON, and with `any_value` all that JSON has."""
    if not isinstance(value, dict | list) and not (any_value and isinstance(value, int | float)):
        return None
    if _is_deep(value):
        return None
    try:
        return canonical_json(value)
    except ValueError:
        return None


def _is_deep(value: Any) -> bool:
    """Whether there are more lists and objects inside each other than are read anywhere."""
    level, depth = ([value] if isinstance(value, dict | list) else []), 0
    while level and depth <= MAX_DEPTH:
        inner = (item for outer in level for item in (outer.values() if isinstance(outer, dict) else outer))
        level, depth = [item for item in inner if isinstance(item, list | dict)], depth + 1
    return depth > MAX_DEPTH
