"""Which trees have nothing but nodes with rules of their own, as all queries of Spider have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.sql.dialect import classes
from recombine.languages.sql.labels import JOINS, OTHER_JOIN, QUERIES, STRUCTURAL
from recombine.languages.sql.slots import is_named

if TYPE_CHECKING:
    from recombine.tree import Tree

_OTHERS = frozenset({OTHER_JOIN, "identifier", "raw", "cte"})
_WITH_NAMES = frozenset({"select", "select_distinct", "from", *JOINS})
"""Where something may get a name: `f(a AS b)` is of other dialects."""


def is_plain(tree: Tree) -> bool:
    """Whether a tree has nothing but nodes with rules of their own.

    >>> from recombine.languages.sql.parse import parse
    >>> is_plain(parse("select a from b")), is_plain(parse("select cast(a as real) from b"))
    (True, False)
    """
    return all(map(_has_rules, tree.iter_nodes()))


def _has_rules(node: Tree) -> bool:
    label, children = node.label, node.children
    if not children:
        return label[:1] in "'`" or not (label.startswith(("::", "@")) or label.endswith("()") or is_named(label))
    if label in ("from", *JOINS) and children[0].children and children[0].label not in ("as", *QUERIES):
        return False
    if label == "as" and children[0].label == "." and children[1].children:
        return False
    if label not in _WITH_NAMES and any(child.label == "as" and child.children for child in children):
        return False
    if label in (".", "distinct", "exists"):
        return len(children) == (2 if label == "." else 1) and (label != "exists" or children[0].label in QUERIES)
    if label in _OTHERS or label.startswith("::") or is_named(label):
        return False
    return label in STRUCTURAL or label not in classes()
