"""How the arguments of a sqlglot node stand under a node of a tree that has no rules of its own in `sql.py`.

A node's children are, in this order:
- what needs no name: for a function its arguments in sqlglot's order up to the first that is missing, for any other
  node `this`, `expression` and `expressions`;
- parts of a query (`order`, `where`, …), under their own labels;
- all else by name, in sqlglot's order: `name=` over one node, `name:` over a list of nodes, and leaves such as
  `name='text'`, `name=true` and `name=3` for what is no node.
Here is which argument is which, for the reader and the writer of trees alike.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from recombine.languages.sql.labels import label_of_class

NAMED = re.compile(r"([A-Za-z]\w*)(=|:)(.*)", re.DOTALL)
"""The label of an argument with its name, the sign after it, and the value of a leaf."""


def is_named(label: str) -> bool:
    """Whether a label is that of an argument with its name.

    >>> is_named("kind='ROWS'"), is_named("ifs:"), is_named("="), is_named("name")
    (True, True, False, False)
    """
    return ("=" in label or ":" in label) and NAMED.fullmatch(label) is not None


FALSE_COUNTS = frozenset(
    {"all", "check_null", "cross_apply", "ensure_variant", "from_first", "materialized", "safe", "symmetric"}
)
"""Arguments for which `false` is not the same as none."""
PARTS = frozenset({"from", "group", "having", "limit", "offset", "order", "qualify", "where", "with"})
"""Parts of a query that stand under their own labels where a node has an argument of that name."""
NAME_SLOTS = frozenset({"alias", "catalog", "columns", "db"})
"""Arguments that are names as a rule: there, a leaf is a name and not a column."""
RAW_QUERIES = frozenset(
    {("CTE", "this"), ("Create", "expression"), ("Exists", "this"), ("Insert", "expression"), ("Subquery", "this")}
)
"""Arguments that are queries without brackets of their own."""
_OTHERS = ("this", "expression", "expressions")


@cache
def positions(kind: Any) -> tuple[str, ...]:
    """The arguments of a class that need no name; `expressions`, the last one, is a list."""
    from sqlglot import exp

    if not issubclass(kind, exp.Func) or issubclass(kind, exp.Binary):
        return tuple(name for name in _OTHERS if name in kind.arg_types)
    names = list(kind.arg_types)
    end = names.index("expressions") + 1 if "expressions" in names else len(names)
    return tuple(names[:end])


@cache
def part_argument(kind: Any, label: str) -> str:
    """The argument of a class that a part of a query under its own label is; empty for none."""
    if label not in PARTS or label in positions(kind):
        return ""
    return next((name for name in (label, f"{label}_") if name in kind.arg_types), "")


@cache
def is_part(kind: Any, name: str, value_class: str) -> bool:
    """Whether an argument of a class stands under its own label."""
    return part_argument(kind, label_of_class(value_class)) == name
