"""What a score can be taken apart by, and the label of each entry.

Of questions over a knowledge base: level, relations, function, number of answers. Of all data: the template or another
field (`tag:NAME`), and whether a property holds (`property:has:quant & ans:3`), or all that have a name (`properties`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.groups.form_shape import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.evaluation.groups.form_shape import FormShape

LEVEL, RELATIONS, FUNCTION, ANSWERS = AXES = ("level", "relations", "function", "answers")
TEMPLATE, PROPERTIES = "template", "properties"
TAG, PROPERTY = "tag:", "property:"
KNOWN = (*AXES, TEMPLATE, PROPERTIES, f"{TAG}NAME", f"{PROPERTY}PREDICATE")
"""What can be named, as errors list it."""
LEVELS = ("i.i.d.", "compositional", "zero-shot")
UNKNOWN = "unknown"
"""The label of entries for which the data does not say it; they are counted, and never left out."""
ORDERS = {
    LEVEL: (*LEVELS, UNKNOWN),
    RELATIONS: ("0", "1", "2", "3", "4+"),
    FUNCTION: FUNCTIONS,
    ANSWERS: ("0", "1", ">1", UNKNOWN),
}
"""The labels of each in the order in which they are shown."""
_MANY = 4


def check_axes(asked: str | Iterable[str]) -> tuple[str, ...]:
    """What is asked for, as one text with commas or as several names, all of it known and each once.

    >>> check_axes("level,function")
    ('level', 'function')
    >>> check_axes("property:op:all,some & has:count,template")
    ('property:op:all,some & has:count', 'template')
    """
    names = [name for each in ((asked,) if isinstance(asked, str) else asked) for name in _pieces(each)]
    wanted = tuple(dict.fromkeys(name.strip() for name in names))
    if any(name in ("", TAG, PROPERTY) for name in wanted):
        raise OptionError(
            f"nothing is named in {asked!r}", f"name some of {', '.join(KNOWN)}, with commas between them"
        )
    for name in wanted:
        if not _is_axis(name):
            raise UnknownNameError("thing to take a score apart by", name, KNOWN)
    return wanted


def _pieces(text: str) -> list[str]:
    """What stands between commas; a predicate may hold some itself."""
    pieces: list[str] = []
    for piece in text.split(","):
        if pieces and pieces[-1].strip().startswith(PROPERTY) and piece.strip() and not _is_axis(piece.strip()):
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return pieces


def _is_axis(name: str) -> bool:
    return name in (*AXES, TEMPLATE, PROPERTIES) or name.startswith((TAG, PROPERTY))


def order_of(axis: str) -> tuple[str, ...]:
    """The labels of an axis in the order in which they are shown; empty where their names say it."""
    if axis.startswith(PROPERTY):
        return property_names(axis.removeprefix(PROPERTY))
    return ORDERS.get(axis, ())


def property_names(predicate: str) -> tuple[str, str]:
    """The labels of entries of which a predicate holds, and of the others.

    >>> property_names("has:quant"), property_names("has:quant | ans:3")
    (('has:quant', 'not has:quant'), ('has:quant | ans:3', 'not (has:quant | ans:3)'))
    """
    bare = predicate.strip()
    return bare, f"not {bare}" if not set(bare) & set("&| ") else f"not ({bare})"


def relation_labels(shapes: Sequence[FormShape]) -> list[str]:
    """The number of relations, up to three, else `4+`."""
    return [f"{_MANY}+" if shape.relations >= _MANY else str(shape.relations) for shape in shapes]


def function_labels(shapes: Sequence[FormShape]) -> list[str]:
    """The function of each form."""
    return [shape.function for shape in shapes]


def answer_labels(counts: Sequence[int | None]) -> list[str]:
    """Whether there is no answer, one or several; none where it is not known.

    >>> answer_labels([1, 3, None])
    ['1', '>1', 'unknown']
    """
    return [UNKNOWN if count is None else str(count) if count < 2 else ">1" for count in counts]
