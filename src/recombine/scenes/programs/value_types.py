"""What operators take and give, and the place of the first fault in a program.

A program is checked before it is executed: every operator gives one type of value, and takes certain ones. Only `eq`
takes two: numbers, or values of attributes and names.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import ProgramError
from recombine.languages.arities import refuse_first_fault
from recombine.languages.functional import render_functional, without_empty_brackets
from recombine.languages.scenes import EVERYTHING, NAME, SCENES, operator_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.tree import Tree


class ValueType(StrEnum):
    """The types of values."""

    OBJECTS = "objects"
    OBJECT = "one object"
    IMAGES = "images"
    GROUPS = "groups"
    NUMBER = "a number"
    TRUTH = "true or false"
    WORD = "a word"
    NAME = "a name"


class Signature(NamedTuple):
    """For each argument the types it may have, and the type of what is given."""

    arguments: tuple[tuple[ValueType, ...], ...]
    gives: ValueType


def _signature(*arguments: ValueType | tuple[ValueType, ...], gives: ValueType) -> Signature:
    return Signature(tuple(each if isinstance(each, tuple) else (each,) for each in arguments), gives)


_SOME, _ONE, _NUMBER, _TRUTH, _NAME = (
    ValueType.OBJECTS,
    ValueType.OBJECT,
    ValueType.NUMBER,
    ValueType.TRUTH,
    ValueType.NAME,
)
SIGNATURES: Mapping[str, Signature] = {
    EVERYTHING: _signature(gives=_SOME),
    "find": _signature(_NAME, gives=_SOME),
    "filter": _signature(_NAME, _SOME, gives=_SOME),
    **dict.fromkeys(("with_relation", "with_relation_object"), _signature(_SOME, _NAME, _SOME, gives=_SOME)),
    "assert_unique": _signature(_SOME, gives=_SOME),
    "unique": _signature(_SOME, gives=_ONE),
    "exists": _signature(_SOME, gives=_TRUTH),
    "count": _signature((_SOME, ValueType.IMAGES, ValueType.GROUPS), gives=_NUMBER),
    "unique_images": _signature(_SOME, gives=ValueType.IMAGES),
    "group_by_images": _signature(_SOME, gives=ValueType.GROUPS),
    **dict.fromkeys(("keep_eq", "keep_geq", "keep_leq"), _signature(ValueType.GROUPS, _NUMBER, gives=ValueType.GROUPS)),
    "keys": _signature(ValueType.GROUPS, gives=ValueType.IMAGES),
    "eq": _signature((_NUMBER, ValueType.WORD), (_NUMBER, ValueType.WORD), gives=_TRUTH),
    **dict.fromkeys(("gt", "lt", "geq", "leq"), _signature(_NUMBER, _NUMBER, gives=_TRUTH)),
    **dict.fromkeys(("and", "or"), _signature(_TRUTH, _TRUTH, gives=_TRUTH)),
    **dict.fromkeys(("all", "some", "none"), _signature(_SOME, _SOME, gives=_TRUTH)),
    "all_same": _signature(_SOME, gives=_TRUTH),
    "query_attr": _signature(_ONE, gives=ValueType.WORD),
    "query_name": _signature(_ONE, gives=ValueType.WORD),
    "verify_attr": _signature(_NAME, _ONE, gives=_TRUTH),
    "choose_attr": _signature(_NAME, _NAME, _ONE, gives=ValueType.WORD),
    "choose_name": _signature(_NAME, _NAME, _ONE, gives=ValueType.WORD),
    "choose_rel": _signature(_NAME, _NAME, _ONE, _SOME, gives=ValueType.WORD),
}
"""What each operator takes and gives."""
ANSWERS = frozenset({ValueType.NUMBER, ValueType.TRUTH, ValueType.WORD})
"""The types that a question can have as its answer."""


@lru_cache(maxsize=4096)
def check_types(program: Tree) -> ValueType:
    """The type of what a program gives; raises with the column of the first fault in the program as it is written."""
    text = render_functional(program)
    # what the language refuses has no types
    if SCENES.parse(text) != program:
        raise ProgramError(NAME, 0, "the tree has a label that is read in another way", "write such a name in quotes")
    refuse_first_fault(without_empty_brackets(text), program, _fault, language=NAME)
    return type_given(program)


def type_given(program: Tree) -> ValueType:
    """The type of what the outermost operator gives."""
    if not program.children and program.label != EVERYTHING:
        return ValueType.NUMBER
    return SIGNATURES[operator_of(program.label)[0]].gives


def _fault(node: Tree) -> str | None:
    word = operator_of(node.label)[0]
    taken = SIGNATURES[word].arguments
    given = []
    for place, (types, argument) in enumerate(zip(taken, node.children, strict=True), start=1):
        if types == (ValueType.NAME,):
            continue
        gives = type_given(argument)
        given.append(gives)
        if gives not in types:
            return f"argument {place} of {word!r} is {gives} where {' or '.join(types)} belong"
    if word == "eq" and given[0] is not given[1]:
        return f"'eq' compares {given[0]} with {given[1]}"
    return None
