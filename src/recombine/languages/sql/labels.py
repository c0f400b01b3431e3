"""The words of SQL trees: which label stands for which construct, and how tightly operators bind."""

from __future__ import annotations

import re
from functools import cache

SET_OPERATIONS = {"Union": "union", "Intersect": "intersect", "Except": "except"}
"""sqlglot's set operations; `_all` is added where repeats are kept."""

BINARY = {
    "EQ": "=",
    "NEQ": "!=",
    "GT": ">",
    "GTE": ">=",
    "LT": "<",
    "LTE": "<=",
    "Is": "is",
    "Like": "like",
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "Mod": "%",
    "DPipe": "||",
}
"""sqlglot's operators of two operands."""

FUNCTIONS = {
    "Count": "count",
    "Sum": "sum",
    "Avg": "avg",
    "Min": "min",
    "Max": "max",
    "Abs": "abs",
    "Round": "round",
    "Length": "length",
    "Lower": "lower",
    "Upper": "upper",
    "Coalesce": "coalesce",
}
"""sqlglot's functions with a class of their own; all others keep their name."""

QUERIES = frozenset({"query", *SET_OPERATIONS.values(), *(f"{name}_all" for name in SET_OPERATIONS.values())})
"""The labels of whole queries."""

OTHER_JOIN = "other_join"
"""The label of a join that is neither inner nor left, right or full on a condition: natural, semi, as of, and so on."""

JOINS = frozenset({"join", "left_join", "right_join", "full_join", OTHER_JOIN})
"""The labels of joins."""

CLAUSES = frozenset({"select", "select_distinct", "from", "where", "group", "having", "order", "limit", "offset"})
"""The labels of the other parts of a query."""

BINDING = {
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(("=", "!=", ">", ">=", "<", "<=", "is", "like", "in", "between"), 4),
    "||": 5,
    "+": 6,
    "-": 6,
    "*": 7,
    "/": 7,
    "%": 7,
}
"""How tightly operators bind; what is not here needs no brackets."""

STRUCTURAL = frozenset(
    {*QUERIES, *JOINS, *CLAUSES, *BINDING, *FUNCTIONS.values(), "as", ".", "asc", "desc", "using", "distinct", "exists"}
)
"""Every label that a function of another name must not have."""

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z][A-Z])(?=[A-Z][a-z])")


@cache
def label_of_class(name: str) -> str:
    """The label of nodes of one of sqlglot's classes that has no label of its own.

    >>> label_of_class("CurrentDate"), label_of_class("JSONExtract"), label_of_class("ILike")
    ('current_date', 'json_extract', 'ilike')
    """
    return _WORD_STARTS.sub("_", name).lower()
