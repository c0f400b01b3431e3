"""SQL's literals and names by their kinds, for structures that count kinds."""

from __future__ import annotations

import re

from recombine.languages.literals import leaves_typed, literal_kind
from recombine.tree import Tree

TABLE, COLUMN = "<table>", "<column>"
_NAME = re.compile(r"[^\W\d]\w*")

type_literals = leaves_typed(literal_kind)
"""Texts in quotes, dates in quotes and numbers by their kinds."""


def type_names(tree: Tree) -> Tree:
    """Tables and columns as what they are, known by their places.

    >>> from recombine.languages.sql.sql import SQL
    >>> SQL.render(type_names(SQL.parse("select name from singer")))
    'select <column> from <table>'
    """
    return tree.mapped(_named)


def _named(node: Tree) -> Tree:
    label = TABLE if node.label in ("from", "join", "as") else COLUMN
    kinds = [TABLE, COLUMN] if node.label == "." else [label] * len(node.children)
    children = tuple(
        Tree(kind) if not child.children and _NAME.fullmatch(child.label) else child
        for kind, child in zip(kinds, node.children, strict=True)
    )
    return node if children == node.children else Tree(node.label, children)
