"""Write the tree of a SPARQL query as SPARQL 1.1, with whole IRIs and one blank between words.

Each node of a tree writes one pair of brackets at most, so what is read again is not deeper than the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recombine.tree import Tree

_SELECTS = {"select": "SELECT", "select_distinct": "SELECT DISTINCT", "select_reduced": "SELECT REDUCED"}
_WITHOUT_CHILDREN = frozenset({"NOW", "RAND", "UUID", "STRUUID", "BNODE", "CONCAT", "COALESCE", "exists", "not_exists"})
"""What is no term where it has no children."""
_OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(7)
_LEVELS = {
    "||": _OR,
    "&&": _AND,
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">=", "in", "not_in"), _RELATION),
    **dict.fromkeys("+-", _SUM),
    **dict.fromkeys("*/", _PRODUCT),
    **dict.fromkeys(("!", "negative"), _UNARY),
}
"""How tightly operators bind; in a chain of `||` or `&&` another of its kind has brackets, which the tree keeps."""
_PATH_LEVELS = {"|": 0, "/": 1, "^": 2, "*": 3, "+": 3, "?": 3}


def write_query(tree: Tree) -> str:
    """The text of a query.

    >>> from recombine.languages.sparql.read_query import read_query
    >>> write_query(read_query("select count(*) { ?x wdt:P31 wd:Q5 ; a ?c filter(?c != 'x' or ?c > -1) }").tree)
    'SELECT (COUNT(*) AS ?value0) WHERE { ?x <http://www.wikidata.org/prop/direct/P31> ... FILTER (?c != "x" || ?c...'
    """
    if tree.label == "ask":
        return " ".join(["ASK", *_tail(tree.children)])
    project, *rest = tree.children
    return " ".join([_SELECTS[tree.label], *map(_item, project.children), *_tail(rest)])


def _tail(parts: Iterable[Tree]) -> list[str]:
    """What is after the projection: FROM, which trees have last, then the rest in their order."""
    written = [(part.label, _TAIL[part.label](part)) for part in parts]
    return [text for label, text in written if label in _FROM] + [text for label, text in written if label not in _FROM]


def _item(tree: Tree) -> str:
    return _as(tree) if tree.label == "as" and tree.children else _expression(tree)


def _as(tree: Tree) -> str:
    value, variable = tree.children
    return f"({_expression(value)} AS {variable.label})"


def _group_key(tree: Tree) -> str:
    if not tree.children and tree.label[0] == "?":
        return tree.label
    return _as(tree) if tree.label == "as" else f"({_expression(tree)})"


def _braces(elements: Iterable[Tree]) -> str:
    return " ".join(["{", *map(_element, elements), "}"])


def _element(tree: Tree) -> str:
    if tree.label in _SELECTS:
        return f"{{ {write_query(tree)} }}"
    return _ELEMENTS[tree.label](tree)


def _triple(tree: Tree) -> str:
    subject, path, value = tree.children
    return f"{subject.label} {_path(path)} {value.label} ."


def _filter(tree: Tree) -> str:
    (condition,) = tree.children
    if condition.label in ("exists", "not_exists"):
        return f"FILTER {_expression(condition)}"
    return f"FILTER ({_expression(condition)})"


def _values(tree: Tree) -> str:
    variables, *rows = tree.children
    if len(variables.children) == 1:
        values = " ".join(row.children[0].label for row in rows)
        return f"VALUES {variables.children[0].label} {{ {values} }}"
    return f"VALUES {_row(variables)} {{ {' '.join(map(_row, rows))} }}"


def _row(tree: Tree) -> str:
    return f"({' '.join(child.label for child in tree.children)})"


def _placed(word: str) -> Callable[[Tree], str]:
    return lambda tree: f"{word} {tree.children[0].label} {_braces(tree.children[1:])}"


_FROM = ("from", "from_named")
_TAIL: dict[str, Callable[[Tree], str]] = {
    "where": lambda tree: f"WHERE {_braces(tree.children)}",
    "group_by": lambda tree: f"GROUP BY {' '.join(map(_group_key, tree.children))}",
    "having": lambda tree: f"HAVING {' '.join(f'({_expression(child)})' for child in tree.children)}",
    "order_by": lambda tree: f"ORDER BY {' '.join(map(_order, tree.children))}",
    "limit": lambda tree: f"LIMIT {tree.children[0].label}",
    "offset": lambda tree: f"OFFSET {tree.children[0].label}",
    "values": _values,
    "from": lambda tree: f"FROM {tree.children[0].label}",
    "from_named": lambda tree: f"FROM NAMED {tree.children[0].label}",
}
_ELEMENTS: dict[str, Callable[[Tree], str]] = {
    "triple": _triple,
    "filter": _filter,
    "bind": lambda tree: f"BIND {_as(tree)}",
    "values": _values,
    "optional": lambda tree: f"OPTIONAL {_braces(tree.children)}",
    "minus": lambda tree: f"MINUS {_braces(tree.children)}",
    "group": lambda tree: _braces(tree.children),
    "union": lambda tree: " UNION ".join(_braces(group.children) for group in tree.children),
    "graph": _placed("GRAPH"),
    "service": _placed("SERVICE"),
    "service_silent": _placed("SERVICE SILENT"),
}


def _order(tree: Tree) -> str:
    return f"{tree.label.upper()}({_expression(tree.children[0])})"


def _path(tree: Tree, least: int = 0) -> str:
    """A path, in brackets where it binds less tightly than it must."""
    if tree.label == "!":
        return f"!({'|'.join(map(_path, tree.children))})"
    if not tree.children:
        return tree.label
    level = _PATH_LEVELS[tree.label]
    parts = [_path(child, level + 1) for child in tree.children]
    if level < _PATH_LEVELS["^"]:
        text = tree.label.join(parts)
    elif tree.label == "^":
        text = f"^{parts[0]}"
    else:
        text = f"{parts[0]}{tree.label}"
    return f"({text})" if level < least else text


def _expression(tree: Tree, least: int = _OR) -> str:
    """An expression, in brackets where it binds less tightly than it must."""
    if not tree.children and tree.label not in _WITHOUT_CHILDREN:
        return tree.label
    level = _LEVELS.get(tree.label, _PRIMARY)
    text = _function(tree) if level == _PRIMARY else _operation(tree, level)
    return f"({text})" if level < least else text


def _operation(tree: Tree, level: int) -> str:
    label, children = tree.label, tree.children
    if level == _UNARY:
        return f"{'!' if label == '!' else '- '}{_expression(children[0], _UNARY)}"
    if label in ("in", "not_in"):
        word = "IN" if label == "in" else "NOT IN"
        return f"{_expression(children[0], _SUM)} {word} ({', '.join(map(_expression, children[1:]))})"
    first, *rest = children
    own = level if level in (_SUM, _PRODUCT) else level + 1
    return f" {label} ".join([_expression(first, own), *(_expression(child, level + 1) for child in rest)])


def _function(tree: Tree) -> str:
    label, children = tree.label, tree.children
    if label in ("exists", "not_exists"):
        return f"{'EXISTS' if label == 'exists' else 'NOT EXISTS'} {_braces(children)}"
    if label == "call":
        label, children = children[0].label, children[1:]
    return f"{label}({_arguments(children)})"


def _arguments(children: tuple[Tree, ...]) -> str:
    distinct = ""
    if children and children[0].label == "distinct" and children[0].children:
        distinct, children = "DISTINCT ", (children[0].children[0], *children[1:])
    if children and children[-1].label == "separator" and children[-1].children:
        return f"{distinct}{_expression(children[0])}; SEPARATOR={children[-1].children[0].label}"
    return distinct + ", ".join(map(_expression, children))
