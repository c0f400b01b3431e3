"""SQL tree to text, in the spacing of Spider: lower-case keywords, ` , ` between items, `count(*)`.

Brackets are written where the tree needs them, so that reading the text gives the tree back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.sql.labels import BINDING, JOINS, QUERIES

if TYPE_CHECKING:
    from recombine.tree import Tree

_COMPARISON, _TIGHTEST = 4, 8
_KEYWORDS = {"select_distinct": "select distinct", "group": "group by", "order": "order by"}


def render(tree: Tree) -> str:
    """Write a query.

    >>> from recombine.languages.sql.parse import parse
    >>> render(parse('SELECT  (name) FROM dogs WHERE NOT (age>3 AND breed = "pug")'))
    "select name from dogs where not (age > 3 and breed = 'pug')"
    """
    if tree.label == "query":
        return " ".join(map(_clause, tree.children))
    left, right, *tail = tree.children
    # SQL reads chains from the left, so a set operation needs no brackets there unless it has an order or a limit.
    chain = left.label != "query" and len(left.children) == 2
    before = render(left) if chain or _is_plain(left) else f"({render(left)})"
    after = render(right) if _is_plain(right) else f"({render(right)})"
    return " ".join([before, tree.label.replace("_", " "), after, *map(_clause, tail)])


def _is_plain(tree: Tree) -> bool:
    """Whether this is one SELECT without a tail that a set operation around it would take for its own."""
    return tree.label == "query" and not any(child.label in ("order", "limit", "offset") for child in tree.children)


def _clause(tree: Tree) -> str:
    if tree.label in JOINS:
        return _join(tree)
    return f"{_KEYWORDS.get(tree.label, tree.label)} {' , '.join(map(_item, tree.children))}"


def _item(tree: Tree) -> str:
    if tree.label == "as" and tree.children:
        return f"{_at_least(tree.children[0], 0)} as {tree.children[1].label}"
    if tree.label in ("asc", "desc") and tree.children:
        return _at_least(tree.children[0], 0) + (" desc" if tree.label == "desc" else "")
    return _at_least(tree, 0)


def _join(tree: Tree) -> str:
    source, *conditions = tree.children
    text = f"{tree.label.replace('_', ' ')} {_item(source)}"
    for condition in conditions:
        using = condition.label == "using"
        text += f" using ({' , '.join(map(_item, condition.children))})" if using else f" on {_at_least(condition, 0)}"
    return text


def _binding(tree: Tree) -> int:
    """How tightly the outermost operator of an expression binds."""
    if not tree.children:
        return _TIGHTEST
    if tree.label == "not" and _negated(tree.children[0]):
        return _COMPARISON
    return _TIGHTEST if tree.label == "-" and len(tree.children) == 1 else BINDING.get(tree.label, _TIGHTEST)


def _at_least(tree: Tree, binding: int) -> str:
    """An expression, in brackets if it binds less tightly than its place needs."""
    text = _expression(tree)
    return f"({text})" if _binding(tree) < binding else text


def _expression(tree: Tree) -> str:
    label, children = tree.label, tree.children
    if not children:
        return label
    if label in QUERIES:
        return f"({render(tree)})"
    if label == ".":
        return f"{children[0].label}.{children[1].label}"
    if label == "not":
        return _negated(children[0]) or f"not {_at_least(children[0], BINDING['not'])}"
    if label == "-" and len(children) == 1:
        return f"- {_at_least(children[0], _TIGHTEST)}"
    if label in BINDING:
        return _operation(tree)
    if label == "exists":
        return f"exists {_expression(children[0])}"
    if label == "distinct":
        return f"distinct {_at_least(children[0], 0)}"
    return f"{label}({' , '.join(_at_least(child, 0) for child in children)})"


def _negated(tree: Tree) -> str:
    """`x not in (…)` and the like; empty for what has no such form."""
    return _operation(tree, negated=True) if tree.children and tree.label in ("in", "like", "between", "is") else ""


def _operation(tree: Tree, *, negated: bool = False) -> str:
    label, children, binding = tree.label, tree.children, BINDING[tree.label]
    if label in ("and", "or"):
        return f" {label} ".join(_at_least(child, binding + 1) for child in children)
    word = label
    if negated:
        word = "is not" if label == "is" else f"not {label}"
    # SQLite binds `||` tightest and other dialects do not: all around it goes in brackets.
    right = _TIGHTEST if label == "||" else binding + 1
    first = _at_least(children[0], binding if label in ("+", "-", "*", "/", "%") else right)
    others = [_at_least(child, right) for child in children[1:]]
    if label == "between":
        return f"{first} {word} {others[0]} and {others[1]}"
    if label == "in":
        query = len(children) == 2 and children[1].label in QUERIES and children[1].children
        return f"{first} {word} {others[0]}" if query else f"{first} {word} ({' , '.join(map(_item, children[1:]))})"
    return f"{first} {word} {others[0]}"
