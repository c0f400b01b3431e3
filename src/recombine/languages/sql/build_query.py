"""Trees to sqlglot's nodes: the way back from `build_tree.py`, with brackets where the nesting needs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from recombine.languages.sql.labels import BINARY, BINDING, FUNCTIONS, JOINS, OTHER_JOIN, QUERIES, SET_OPERATIONS
from recombine.languages.sql.slots import NAME_SLOTS, NAMED, RAW_QUERIES, part_argument, positions

if TYPE_CHECKING:
    from recombine.languages.sql.dialect import SqlDialect
    from recombine.tree import Tree

_NUMBER = re.compile(r"(?:\d|\.\d).*")
_OPERATORS = {label: kind for kind, label in BINARY.items()}
_FUNCTIONS = {label: kind for kind, label in FUNCTIONS.items()}
_LISTS = {"group": "Group", "distinct": "Distinct", "order": "Order"}
_SINGLE = {"where": ("Where", "this"), "having": ("Having", "this"), "limit": ("Limit", "expression")}
_SINGLE["offset"] = ("Offset", "expression")
_TIGHTEST = 8
_ARITHMETIC = ("+", "-", "*", "/", "%")


class QueryBuilder:
    """Builds sqlglot's nodes for trees in a dialect."""

    def __init__(self, dialect: SqlDialect, known: dict[str, Any]) -> None:
        from sqlglot import exp

        self._dialect, self._known, self._exp = dialect, known, exp
        # SQLite reads a chain of set operations from the left; elsewhere an intersection binds tighter.
        self._from_the_left = not dialect.sqlglot.INTERSECT_BINDS_TIGHTER_THAN_UNION_AND_EXCEPT

    def statement(self, tree: Tree) -> Any:
        """A whole statement."""
        return self._query(tree) if tree.label in QUERIES else self.expression(tree)

    def _query(self, tree: Tree) -> Any:
        """A query without brackets around it."""
        if tree.label == "query":
            return self._select(tree)
        if tree.label not in QUERIES:
            return self.expression(tree)
        name = tree.label.removesuffix("_all")
        kind = next(key for key, label in SET_OPERATIONS.items() if label == name)
        left, right, *rest = tree.children
        node = getattr(self._exp, kind)(
            this=self._side(left, name, is_left=True),
            expression=self._side(right, name, is_left=False),
            distinct=not tree.label.endswith("_all"),
        )
        self._set_parts(node, rest)
        return node

    def _side(self, tree: Tree, around: str, *, is_left: bool) -> Any:
        """A side of a set operation, in brackets unless it is read so without them."""
        query = self._query(tree)
        if tree.label == "query" and not any(
            child.label in ("order", "limit", "fetch", "offset") for child in tree.children
        ):
            bare = not any(child.label == "with" for child in tree.children)
        else:
            same = tree.label.removesuffix("_all") == around or self._from_the_left
            bare = is_left and same and tree.label in QUERIES and len(tree.children) == 2
        if bare or (tree.label not in QUERIES):
            return query
        return self._exp.Subquery(this=query)

    def _select(self, tree: Tree) -> Any:
        node, rest, joins = self._exp.Select(), [], []
        for child in tree.children:
            if child.label in ("select", "select_distinct"):
                node.set("expressions", [self.expression(item) for item in child.children])
                if child.label == "select_distinct":
                    node.set("distinct", self._exp.Distinct())
            elif child.label == "from" and child.children:
                node.set("from_", self.expression(child))
            elif child.label in JOINS and child.children:
                joins.append(self.expression(child))
            else:
                rest.append(child)
        if joins:
            node.set("joins", joins)
        self._set_parts(node, rest)
        return node

    def _set_parts(self, node: Any, parts: list[Tree]) -> None:
        """Give a query its other parts, each by its label."""
        for part in parts:
            if part.label == "fetch" or part.label == "fetch()":
                node.set("limit", self.expression(part))
            elif not self._set_named(node, part):
                kind: Any = type(node)
                name = part_argument(kind, part.label) or part.label
                node.set(name, self.expression(part))

    def _set_named(self, node: Any, part: Tree) -> bool:
        """Give a node an argument by its name; whether this is one."""
        match = NAMED.fullmatch(part.label)
        if match is None:
            return False
        name, sign, value = match.groups()
        if sign == ":":
            node.set(name, [self._item(type(node), name, child) for child in part.children])
        elif part.children:
            node.set(name, self._slot(type(node), name, part.children[0]))
        else:
            node.set(name, _scalar(value))
        return True

    def _item(self, kind: Any, name: str, tree: Tree) -> Any:
        return _scalar(tree.label[1:]) if tree.label.startswith("='") else self._slot(kind, name, tree)

    def _slot(self, kind: Any, name: str, tree: Tree) -> Any:
        if tree.label == "raw" and len(tree.children) == 1:
            return self._query(tree.children[0])
        if (kind.__name__, name) in RAW_QUERIES and tree.label in QUERIES:
            return self._query(tree)
        is_name = name in NAME_SLOTS or kind.__name__ == "TableAlias"
        if is_name and not tree.children and _is_name(tree.label):
            return self._name(tree)
        if tree.label == "column" and len(tree.children) == 1 and not tree.children[0].children:
            return self.expression(tree.children[0])
        return self.expression(tree)

    def _name(self, tree: Tree) -> Any:
        if tree.children:
            return self.expression(tree)
        quoted = len(tree.label) > 1 and tree.label[0] == tree.label[-1] == "`"
        return self._exp.Identifier(this=tree.label[1:-1] if quoted else tree.label, quoted=quoted)

    def _source(self, tree: Tree) -> Any:
        """A table or query of a FROM."""
        exp = self._exp
        if tree.label == "as" and tree.children:
            node = self._source(tree.children[0])
            if node.args.get("alias"):
                node = exp.Subquery(this=node)
            node.set("alias", exp.TableAlias(this=self._name(tree.children[1])))
            return node
        if tree.label in QUERIES and tree.children:
            return exp.Subquery(this=self._query(tree))
        if not tree.children and _is_name(tree.label):
            return exp.Table(this=self._name(tree))
        if tree.label == ".":
            names = list(map(self._name, tree.children))
            return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))
        return self.expression(tree)

    def _join(self, tree: Tree) -> Any:
        exp = self._exp
        source, *rest = tree.children
        node = exp.Join(this=self._source(source))
        if tree.label == OTHER_JOIN:
            for part in rest:
                self._set_named(node, part)
            return node
        side = tree.label.removesuffix("join").strip("_").upper()
        if side:
            node.set("side", side)
        for part in rest:
            if part.label == "using" and part.children:
                node.set("using", [self._name(child) for child in part.children])
            else:
                node.set("on", self.expression(part))
        if side and not rest:
            node.set("on", exp.Boolean(this=True))
        elif not rest and node.this.args.get("cross_apply") is None:  # an APPLY has no other word before it
            node.set("kind", "CROSS")
        return node

    def expression(self, tree: Tree) -> Any:
        """The node of a tree where a column may stand."""
        if not tree.children:
            return self._leaf(tree)
        label, exp = tree.label, self._exp
        if label in QUERIES:
            return exp.Subquery(this=self._query(tree))
        if label == "as":
            return exp.Alias(this=self.expression(tree.children[0]), alias=self._name(tree.children[1]))
        if label == ".":
            return self._column(tree)
        if label in JOINS:
            return self._join(tree)
        if label == "from":
            return self._with_rest(exp.From(this=self._source(tree.children[0])), tree.children[1:])
        if label in ("asc", "desc"):
            return self._ordered(tree)
        if label in BINDING:
            return self._operation(tree)
        if label in _SINGLE:
            kind, name = _SINGLE[label]
            return self._with_first(getattr(exp, kind)(), tree, name)
        if label in _LISTS:
            return self._list(getattr(exp, _LISTS[label])(), tree)
        if label == "cte":
            return self._cte(tree)
        if label == "identifier" and not NAMED.fullmatch(tree.children[0].label):
            return self._name(tree.children[0])
        if label.startswith("::"):
            return self._type(tree)
        return self._general(tree)

    def _leaf(self, tree: Tree) -> Any:
        label, exp = tree.label, self._exp
        if label.endswith("()"):
            kind = self._known.get(label[:-2])
            return kind() if kind is not None else exp.Anonymous(this=label[:-2])
        if label == "*":
            return exp.Star()
        if label in ("true", "false"):
            return exp.Boolean(this=label == "true")
        if label == "null":
            return exp.Null()
        if label.startswith("'"):
            return exp.Literal(this=label[1:-1].replace("''", "'"), is_string=True)
        if label.startswith("@"):
            return exp.Var(this=label[1:])
        if label.startswith("::"):
            return self._type(tree)
        if _NUMBER.fullmatch(label):
            return exp.Literal(this=label, is_string=False)
        if label.startswith("-") and _NUMBER.fullmatch(label[1:]):
            return exp.Neg(this=exp.Literal(this=label[1:], is_string=False))
        return exp.Column(this=self._name(tree))

    def _column(self, tree: Tree) -> Any:
        exp = self._exp
        *around, last = tree.children
        inner = exp.Star() if last.label == "*" and not last.children else self._name(last)
        names = dict(zip(("table", "db", "catalog"), map(self._name, reversed(around)), strict=False))
        return exp.Column(this=inner, **names)

    def _type(self, tree: Tree) -> Any:
        exp = self._exp
        node = exp.DataType(this=exp.DataType.Type[tree.label[2:]], nested=False)
        items = [child for child in tree.children if not self._set_named(node, child)]
        if items:
            node.set("expressions", [self._slot(exp.DataType, "expressions", item) for item in items])
        return node

    def _ordered(self, tree: Tree) -> Any:
        down = tree.label == "desc"
        node = self._exp.Ordered(this=self.expression(tree.children[0]), desc=down or None)
        node.set("nulls_first", self._dialect.nulls_first(down=down))
        return self._with_rest(node, tree.children[1:])

    def _cte(self, tree: Tree) -> Any:
        exp = self._exp
        query, name, *rest = tree.children
        alias = self.expression(name) if name.label == "table_alias" else exp.TableAlias(this=self._name(name))
        return self._with_rest(exp.CTE(this=self._slot(exp.CTE, "this", query), alias=alias), rest)

    def _with_rest(self, node: Any, rest: Any) -> Any:
        for part in rest:
            self._set_named(node, part)
        return node

    def _with_first(self, node: Any, tree: Tree, name: str) -> Any:
        for child in tree.children:
            if not self._set_named(node, child):
                node.set(name, self.expression(child))
        return node

    def _list(self, node: Any, tree: Tree) -> Any:
        items = [self.expression(child) for child in tree.children if not self._set_named(node, child)]
        if items:
            node.set("expressions", items)
        return node

    def _operation(self, tree: Tree) -> Any:
        exp, label, children = self._exp, tree.label, tree.children
        if label in ("and", "or"):
            kind = exp.And if label == "and" else exp.Or
            node = self._at_least(children[0], BINDING[label] + 1)
            for child in children[1:]:
                node = kind(this=node, expression=self._at_least(child, BINDING[label] + 1))
            return node
        if label == "not":
            return exp.Not(this=self._at_least(children[0], BINDING["not"]))
        if label == "-" and len(children) == 1:
            return exp.Neg(this=self._at_least(children[0], _TIGHTEST))
        if label == "between":
            first, low, high = (self._at_least(child, BINDING[label] + 1) for child in children[:3])
            return self._with_rest(exp.Between(this=first, low=low, high=high), children[3:])
        if label == "in":
            return self._in(tree)
        kind_name, binding = _OPERATORS[label], BINDING[label]
        left = self._at_least(children[0], binding if label in _ARITHMETIC else binding + 1)
        right = self._at_least(children[1], binding + 1)
        notes = self._dialect.notes.get(kind_name, {})
        return self._with_rest(getattr(exp, kind_name)(this=left, expression=right, **notes), children[2:])

    def _in(self, tree: Tree) -> Any:
        exp = self._exp
        first, *chosen = tree.children
        node = exp.In(this=self._at_least(first, BINDING["in"] + 1))
        items = [child for child in chosen if not self._set_named(node, child)]
        if len(items) == 1 and items[0].label in QUERIES and items[0].children:
            node.set("query", exp.Subquery(this=self._query(items[0])))
        elif items:
            node.set("expressions", [self.expression(item) for item in items])
        return node

    def _at_least(self, tree: Tree, binding: int) -> Any:
        """An expression, in brackets if it binds less tightly than its place needs, or nobody knows how tightly."""
        node = self.expression(tree)
        label = tree.label
        known = BINDING.get(label, _TIGHTEST) if tree.children else _TIGHTEST
        if label == "-" and len(tree.children) == 1:
            known = _TIGHTEST
        # SQLite binds `||` tightest and other dialects do not.
        compares = binding <= BINDING["not"] and isinstance(node, self._exp.Predicate)
        unknown = label not in BINDING and self._is_operation(node) and not compares
        loose = known < binding or label == "||" or unknown
        return self._exp.Paren(this=node) if loose else node

    def _is_operation(self, node: Any) -> bool:
        exp = self._exp
        if isinstance(node, (exp.Paren, exp.Dot)) or (isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)):
            return False
        return isinstance(node, (exp.Binary, exp.Unary, exp.Between, exp.In, exp.AtTimeZone, exp.Alias, exp.Lambda))

    def _general(self, tree: Tree) -> Any:
        kind = self._known.get(tree.label)
        exp = self._exp
        if kind is None:
            return exp.Anonymous(this=tree.label, expressions=[self.expression(child) for child in tree.children])
        node = kind(**self._dialect.notes.get(kind.__name__, {}))
        waiting = [child for child in tree.children if not self._set_named(node, child)]
        parts = [(part_argument(kind, child.label), child) for child in waiting if child.children]
        for name, child in parts:
            if name:
                node.set(name, self.expression(child))
        placed = [child for child in waiting if not (child.children and part_argument(kind, child.label))]
        for name in positions(kind):
            if not placed:
                break
            if name == "expressions":
                node.set(name, [self._inside(node, name, child) for child in placed])
                break
            node.set(name, self._inside(node, name, placed.pop(0)))
        return node

    def _inside(self, node: Any, name: str, tree: Tree) -> Any:
        """An argument of a node; what is an operation itself goes in brackets there, if the node is one."""
        exp = self._exp
        value = self._slot(type(node), name, tree)
        if isinstance(node, exp.SubqueryPredicate) and not isinstance(value, (exp.Query, exp.Tuple, exp.Paren)):
            return exp.Paren(this=value)
        operates = isinstance(node, (exp.Binary, exp.Unary, exp.AtTimeZone)) or (
            isinstance(node, exp.Bracket) and name == "this"
        )
        if operates and self._is_operation(value) and not (isinstance(node, exp.Escape) and name == "this"):
            return exp.Paren(this=value)
        return value


def _is_name(label: str) -> bool:
    """Whether the label of a leaf is a name."""
    return label.startswith("`") or (label[0] not in "'@:-*.0123456789" and not label.endswith("()"))


def _scalar(value: str) -> Any:
    """The value in the label of an argument that is no node."""
    if value.startswith("'"):
        return value[1:-1].replace("''", "'")
    if value in ("true", "false"):
        return value == "true"
    return float(value) if "." in value else int(value)
