"""What is to be guessed of an answer: of a choice which of the two it is, else the answer itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.scenes import name_of, operator_of

if TYPE_CHECKING:
    from recombine.scenes.programs.execute import Value
    from recombine.tree import Tree

CHOICES = frozenset({"choose_attr", "choose_name", "choose_rel"})
FIRST, SECOND = "the first choice", "the second choice"
OF_OBJECTS = frozenset({"find", "filter", "with_relation", "with_relation_object", "scene()"})
"""The operators that say which objects are meant."""


def answer_text(answer: Value) -> str:
    """An answer as a word.

    >>> answer_text(True), answer_text(3), answer_text("red")
    ('true', '3', 'red')
    """
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


def read_answer(text: Value) -> Value:
    """The answer of a word, as tables have it; a value is itself.

    >>> read_answer("true"), read_answer("3"), read_answer("red"), read_answer(False)
    (True, 3, 'red', False)
    """
    if not isinstance(text, str):
        return text
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdecimal() else text


def answer_class(program: Tree, answer: Value) -> str:
    """The class of an answer.

    >>> from recombine.languages.scenes import parse_scenes
    >>> answer_class(parse_scenes("choose_attr ( red , blue , unique ( find ( cap ) ) )"), "blue")
    'the second choice'
    """
    if program.label in CHOICES:
        return FIRST if name_of(program.children[0].label) == answer else SECOND
    return answer_text(answer)


def operators_of(program: Tree) -> str:
    """The operators of a program but for those that say which objects are meant, without names, types and numbers.

    >>> from recombine.languages.scenes import parse_scenes
    >>> operators_of(parse_scenes("geq ( count ( filter ( red , find ( cap ) ) ) , 2 )"))
    'geq count'
    """
    word = operator_of(program.label)[0]
    if word in OF_OBJECTS or not program.children:
        return ""
    return " ".join(filter(None, [word, *map(operators_of, program.children)]))
