"""The values that a query speaks of, by the columns it compares them with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.tree import Tree

Value: TypeAlias = "str | int | float"
_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">=", "like", "in", "between", "is", "glob", "ilike"})
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def wanted_values(tree: Tree) -> dict[str, list[Value]]:
    """The values for each column, by its name in lower case and without its table; those just beside a bound, too.

    >>> from recombine.languages.sql.parse import parse
    >>> wanted_values(parse("select a from b where c = 'pug' and t.age > 3 and name like '%it%'"))
    {'c': ['pug'], 'age': [3, 4, 2], 'name': ['it']}
    """
    wanted: dict[str, list[Value]] = {}
    for node in tree.iter_nodes():
        if node.label in _COMPARED and node.children:
            values = [value for child in node.children for value in _values(node.label, child)]
            for name in _columns(node):
                known = wanted.setdefault(name, [])
                known += [value for value in values if value not in known]
    return {name: values for name, values in wanted.items() if values}


def _values(label: str, leaf: Tree) -> Iterator[Value]:
    if leaf.children:
        return
    if leaf.label.startswith("'"):
        text = leaf.label[1:-1].replace("''", "'")
        if label in ("like", "ilike", "glob"):
            text = text.replace("%", "").replace("*", "").replace("_", "a").replace("?", "a")
        yield text
        if _NUMBER.fullmatch(text) and label not in ("=", "like"):
            yield from (_number(text) + 1, _number(text) - 1)
    elif _NUMBER.fullmatch(leaf.label):
        number = _number(leaf.label)
        yield number
        if label not in ("=", "in"):
            yield from (number + 1, number - 1)


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def _columns(node: Tree) -> Iterator[str]:
    """The columns of a comparison, also inside of functions, and what an inner query on one side gives."""
    for child in node.children:
        if not child.children:
            if child.label[0] not in "'0123456789-*":
                yield child.label.strip("`").lower()
        elif child.label == ".":
            yield child.children[-1].label.strip("`").lower()
        elif child.label == "query":
            yield from _columns(child.children[0])
        else:
            yield from _columns(child)
