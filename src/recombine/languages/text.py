"""Plain text: `text` over one leaf for each token, in order.

Tokens are words, with the apostrophes, hyphens and dots inside them, and every other sign by itself. White space alone
does not matter; nothing is refused but an empty text. `anonymise` puts `NUMBER` and `DATE` in the place of such.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literal_kinds import anonymous_leaf, literal_kind, typed_leaf
from recombine.tree import Tree

NAME = "text"
_TOKEN = re.compile(r"[-+]?\d+(?:[.,:/-]\d+)*(?!\w)|<\w+>|\w+(?:['’.@/_-]\w+)*|\S")
_OWN_KINDS = ("number", "date")


def parse_text(text: str) -> Tree:
    """The tokens of a text.

    >>> [child.label for child in parse_text("what's new, Rome? 3.5%").children]
    ["what's", 'new', ',', 'Rome', '?', '3.5', '%']
    """
    words = text.split()
    if not words:
        raise ProgramError(NAME, 0, "an empty text", "leave the example out")
    return Tree(NAME, tuple(Tree(token) for word in words for token in _TOKEN.findall(word)))


def render_text(tree: Tree) -> str:
    """The tokens with one blank between them."""
    return " ".join(child.label for child in tree.children)


def _kind(node: Tree) -> str | None:
    kind = literal_kind(node.label)
    return kind if kind in _OWN_KINDS else None


def anonymise_text(tree: Tree) -> Tree:
    """The text with its numbers and dates replaced.

    >>> render_text(anonymise_text(parse_text("on 2026-01-31 at 7")))
    'on DATE at NUMBER'
    """
    return tree.mapped(lambda node: anonymous_leaf(node, _kind(node)))


def type_text(tree: Tree) -> Tree:
    """The text with the kinds of its numbers and dates."""
    return tree.mapped(lambda node: typed_leaf(node, _kind(node)))


TEXT = Language("text", parse_text, render_text, anonymise=anonymise_text, type_literals=type_text)
