"""What a word is a value of, where nothing is known of the language but what people write everywhere."""

from __future__ import annotations

import re

from recombine.tree import Tree

_KINDS = {
    "date": re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?)?)?"),
    "number": re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"),
    "boolean": re.compile(r"true|false", re.IGNORECASE),
}


def literal_kind(word: str) -> str | None:
    """The kind of a word: a date, a number or a truth.

    >>> literal_kind("2026-01-31"), literal_kind("-3.5"), literal_kind("True"), literal_kind("m0")
    ('date', 'number', 'boolean', None)
    """
    return next((kind for kind, pattern in _KINDS.items() if pattern.fullmatch(word)), None)


def typed_leaf(node: Tree, kind: str | None) -> Tree:
    """The node, or its kind in its place."""
    return node if kind is None or node.children else Tree(f"<{kind}>")


def anonymous_leaf(node: Tree, kind: str | None) -> Tree:
    """The node, or its kind in capitals in its place."""
    return node if kind is None or node.children else Tree(kind.upper())
