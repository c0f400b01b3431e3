"""What a score can be taken apart by, and the label of each entry: level, relations, function, number of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.groups.form_shape import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.evaluation.groups.form_shape import FormShape

LEVEL, RELATIONS, FUNCTION, ANSWERS = AXES = ("level", "relations", "function", "answers")
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
    """
    names = asked.split(",") if isinstance(asked, str) else [name for each in asked for name in each.split(",")]
    wanted = tuple(dict.fromkeys(name.strip() for name in names))
    if "" in wanted:
        raise OptionError(f"nothing is named in {asked!r}", f"name some of {', '.join(AXES)}, with commas between them")
    for name in wanted:
        if name not in AXES:
            raise UnknownNameError("thing to take a score apart by", name, AXES)
    return wanted


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
