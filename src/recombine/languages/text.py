"""Plain text: `text` over one leaf for each token, in order.

Tokens are words, with the apostrophes, hyphens and dots inside them, and every other sign by itself. White space alone
does not matter; nothing is refused but an empty text. `anonymise` puts `NUMBER` and `DATE` in the place of such.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import DATE, NUMBER, leaves_anonymised, leaves_typed, literal_kind
from recombine.tree import Tree

NAME = "text"
_TOKEN = re.compile(r"[-+]?\d+(?:[.,:/-]\d+)*(?!\w)|<\w+>|\w+(?:['’.@/_-]\w+)*|\S")


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


def _kind(label: str) -> str | None:
    kind = literal_kind(label)
    return kind if kind in (NUMBER, DATE) else None


def anonymise_text(tree: Tree) -> Tree:
    """The text with its numbers and dates replaced.

    >>> render_text(anonymise_text(parse_text("on 2026-01-31 at 7")))
    'on DATE at NUMBER'
    """
    return leaves_anonymised(_kind)(tree)


TEXT = Language("text", parse_text, render_text, anonymise=anonymise_text, type_literals=leaves_typed(_kind))
