"""The kinds of literals: what stands in the place of a literal where its kind counts and not what it is.

A literal is a constant that one example brings: a text, a number, a date, a truth value, or an identifier that says
nothing by itself (`m.0gkybzv`, `Q42`). A text that is a date is one. What a language writes as a literal it tells by
itself; most can do so leaf by leaf.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

STRING, NUMBER, DATE, BOOLEAN, ENTITY = "<string>", "<number>", "<date>", "<boolean>", "<entity>"
_NUMBER = re.compile(r"[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?0[xX][0-9a-fA-F]+")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?)?"
)
_QUOTED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)
_IDENTIFIER = re.compile(r"[mg]\.[0-9a-z_]+|Q[0-9]+")
_MARK = re.compile(r"<[a-z]+>")


def literal_kind(label: str) -> str | None:
    """The kind of a number, of a date, or of a text in quotes; none for what is none of these.

    >>> [literal_kind(label) for label in ("162", "'aerosmith'", "'2012-05-01'", "singer")]
    ['<number>', '<string>', '<date>', None]
    """
    if _NUMBER.fullmatch(label):
        return NUMBER
    if _DATE.fullmatch(label):
        return DATE
    quoted = _QUOTED.fullmatch(label)
    return None if quoted is None else DATE if _DATE.fullmatch(quoted[2]) else STRING


def identifier_kind(label: str) -> str | None:
    """`<entity>` for an identifier that says nothing by itself, as Freebase's and Wikidata's; else none.

    >>> identifier_kind("m.0gkybzv"), identifier_kind("Q42"), identifier_kind("film.film")
    ('<entity>', '<entity>', None)
    """
    return ENTITY if _IDENTIFIER.fullmatch(label) else None


def value_kind(label: str) -> str | None:
    """The kind of a literal, or of a truth value that is written as a word.

    >>> value_kind("True"), value_kind("3.5"), value_kind("truth")
    ('<boolean>', '<number>', None)
    """
    return BOOLEAN if label.lower() in ("true", "false") else literal_kind(label)


def leaves_typed(kind: Callable[[str], str | None]) -> Callable[[Tree], Tree]:
    """What puts kinds in the places of leaves, where a function of their labels gives one.

    >>> leaves_typed(literal_kind)(Tree(">", (Tree("age"), Tree("162"))))
    Tree(label='>', children=(Tree(label='age', children=()), Tree(label='<number>', children=())))
    """

    def change(node: Tree) -> Tree:
        found = None if node.children else kind(node.label)
        return node if found is None else Tree(found)

    return lambda tree: tree.mapped(change)


def leaves_anonymised(kind: Callable[[str], str | None]) -> Callable[[Tree], Tree]:
    """What puts kinds in capitals in the places of leaves, as templates have them.

    >>> leaves_anonymised(literal_kind)(Tree(">", (Tree("age"), Tree("162")))).children[1].label
    'NUMBER'
    """

    def capitals(label: str) -> str | None:
        found = kind(label)
        return None if found is None else found.strip("<>").upper()

    return leaves_typed(capitals)


def no_literals(tree: Tree) -> Tree:
    """The tree as it is: for a language that writes no literals."""
    return tree


def is_kind(tree: Tree) -> bool:
    """Whether a node is the kind of a literal or of a name.

    >>> is_kind(Tree("<string>")), is_kind(Tree("<"))
    (True, False)
    """
    return not tree.children and _MARK.fullmatch(tree.label) is not None
