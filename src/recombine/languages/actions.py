"""Sequences of actions, as SCAN's: `I_TURN_LEFT I_JUMP I_JUMP`.

The tree is flat: `actions` over one leaf per action, in order. There are no brackets and no commas; order matters, and
no action is a detail, so that programs are equal when their words are.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import no_literals
from recombine.tree import Tree

NAME = "actions"
_BRACKET = re.compile(r"[()\[\]{},]")


def parse_actions(text: str) -> Tree:
    """The tree of a sequence.

    >>> parse_actions("I_WALK I_JUMP")
    Tree(label='actions', children=(Tree(label='I_WALK', children=()), Tree(label='I_JUMP', children=())))
    """
    bracket = _BRACKET.search(text)
    if bracket is not None:
        raise ProgramError(NAME, bracket.start(), f"{bracket[0]!r} in a sequence of words", "remove it")
    words = text.split()
    if not words:
        raise ProgramError(NAME, 0, "an empty program", "leave the example out")
    return Tree("actions", tuple(map(Tree, words)))


def render_actions(tree: Tree) -> str:
    """The text of a sequence, one blank between actions."""
    return " ".join(child.label for child in tree.children)


ACTIONS = Language("actions", parse_actions, render_actions, type_literals=no_literals)
