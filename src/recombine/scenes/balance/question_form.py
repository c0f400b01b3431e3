"""The form of a question: all that its program says of the answer but for which objects are meant.

These are its operators; where a number is asked for, the numbers that it is asked with; and where a name is asked for,
of what: the type of an attribute, or the relation that the thing stands in. Where true or false is asked for, numbers
and types say nothing of the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.scenes import name_of, operator_of
from recombine.scenes.balance.answer_class import OF_OBJECTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.tree import Tree

_TRUTHS = frozenset({"eq", "geq", "leq", "gt", "lt"})
_REFERRED = "with_relation_object"


def question_form(program: Tree) -> str:
    """The form that a program has.

    >>> from recombine.languages.scenes import parse_scenes
    >>> question_form(parse_scenes("count ( keep_geq ( group_by_images ( filter ( red , find ( cap ) ) ) , 2 ) )"))
    'count keep_geq group_by_images 2'
    >>> question_form(parse_scenes("query_attr [ color ] ( unique ( find ( cap ) ) )"))
    'query_attr unique color'
    """
    asked = operator_of(program.label)
    of: list[str] = []
    if asked[0] == "query_attr":
        of = [asked[1]]
    elif asked[0] == "query_name":
        of = _relation(program)
    return " ".join([*_words(program, asked[0] not in _TRUTHS), *of])


def _words(program: Tree, numbers: bool) -> Iterator[str]:
    """Operators and numbers above the objects, in their order."""
    word = operator_of(program.label)[0]
    if word in OF_OBJECTS:
        return
    if program.children or (word.isdecimal() and numbers):
        yield word
    for child in program.children:
        yield from _words(child, numbers)


def _relation(program: Tree) -> list[str]:
    """The relation in which the thing stands whose name is asked for."""
    while program.children and operator_of(program.label)[0] not in OF_OBJECTS:
        program = program.children[0]
    if program.label != _REFERRED or len(program.children) < 2:
        return []
    return [name_of(program.children[1].label)]
