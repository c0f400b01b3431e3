"""sqlglot's nodes to trees, in the shapes that `sql.py` gives rules for; `build_node.py` has that of all else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.languages.sql.build_node import WORD, NodeBuilder, has_only, quoted
from recombine.languages.sql.labels import BINARY, FUNCTIONS, OTHER_JOIN, SET_OPERATIONS, STRUCTURAL
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SELECT = ("expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset")
_TAIL = ("order", "limit", "offset")


class TreeBuilder(NodeBuilder):
    """Builds the tree of one query in a dialect; `plain` where the query has only what has rules of its own."""

    def query(self, node: Any) -> Tree:
        """A whole query, whatever brackets are around it."""
        kind = type(node).__name__
        if kind == "Select":
            return Tree("query", tuple(self._iter_clauses(node)))
        if kind == "Subquery" and has_only(node, ("this",)):
            return self.query(node.this)
        if kind not in SET_OPERATIONS:
            return self.node(node)
        label = SET_OPERATIONS[kind] if node.args.get("distinct") else f"{SET_OPERATIONS[kind]}_all"
        sides = (self.query(node.this), self.query(node.args["expression"]))
        rest = self.iter_rest(node, ("this", "expression", "distinct", *_TAIL))
        return Tree(label, (*sides, *self._iter_tail(node), *rest))

    def _iter_clauses(self, node: Any) -> Iterator[Tree]:
        args = node.args
        distinct = args.get("distinct")
        bare = distinct is not None and has_only(distinct, ())
        yield Tree("select_distinct" if bare else "select", tuple(map(self.expression, args.get("expressions") or ())))
        if args.get("from_"):
            yield self.expression(args["from_"])
        yield from map(self._join, args.get("joins") or ())
        for name in ("where", "group", "having"):
            if args.get(name):
                yield self.expression(args[name])
        yield from self._iter_tail(node)
        known = _SELECT if bare or distinct is None else tuple(name for name in _SELECT if name != "distinct")
        yield from self.iter_rest(node, known)

    def _iter_tail(self, node: Any) -> Iterator[Tree]:
        for name in _TAIL:
            value = node.args.get(name)
            if value:
                yield self.expression(value)

    def _source(self, node: Any) -> Tree:
        """A table or query of a FROM."""
        alias = node.args.get("alias")
        named = alias is not None and has_only(alias, ("this",)) and type(alias.this).__name__ == "Identifier"
        inner = self._unnamed(node, ("alias",) if named else ())
        return Tree("as", (inner, self.name(alias.this))) if named else inner

    def _unnamed(self, node: Any, done: tuple[str, ...]) -> Tree:
        kind, inner = type(node).__name__, node.args.get("this")
        if kind == "Subquery" and has_only(node, ("this", *done)):
            if type(inner).__name__ == "Table" and not inner.args.get("joins"):
                return self._source(inner)
            if type(inner).__name__ == "Select" or type(inner).__name__ in SET_OPERATIONS:
                return self.query(inner)
        if (
            kind == "Table"
            and type(inner).__name__ == "Identifier"
            and has_only(node, ("this", "db", "catalog", *done))
        ):
            names = [node.args[name] for name in ("catalog", "db", "this") if node.args.get(name)]
            if all(type(name).__name__ == "Identifier" for name in names):
                self.plain &= len(names) == 1
                leaves = tuple(map(self.name, names))
                return leaves[0] if len(leaves) == 1 else Tree(".", leaves)
        return self.general(node, done)

    def _join(self, node: Any) -> Tree:
        args = node.args
        side, kind = args.get("side") or "", args.get("kind") or ""
        simple = side in ("", "LEFT", "RIGHT", "FULL") and kind in ("", "INNER", "CROSS", "OUTER")
        if not simple or not has_only(node, ("this", "on", "using", "side", "kind")):
            self.plain = False
            rest = self.iter_rest(node, ("this",))
            return Tree(OTHER_JOIN, (self._source(node.this), *rest))
        parts = [self._source(node.this)]
        if args.get("using"):
            parts.append(Tree("using", tuple(map(self._using, args["using"]))))
        condition = args.get("on")
        # sqlglot writes a join without a condition as one on TRUE.
        if condition and not (type(condition).__name__ == "Boolean" and condition.this):
            parts.append(self.expression(condition))
        return Tree(f"{side.lower()}_join" if side else "join", tuple(parts))

    def _using(self, node: Any) -> Tree:
        return self.name(node) if type(node).__name__ == "Identifier" else self.expression(node)

    def expression(self, node: Any) -> Tree:
        """Any node where a column may stand."""
        kind = type(node).__name__
        reader = _READERS.get(kind)
        if reader is not None:
            return reader(self, node)
        if kind in BINARY:
            return self._binary(node, BINARY[kind])
        if kind in FUNCTIONS:
            return self._function(node)
        return self.node(node)

    def _binary(self, node: Any, label: str) -> Tree:
        left, right = (self._operand(node.args[name]) for name in ("this", "expression"))
        tree = Tree(label, (left, right, *self.iter_rest(node, ("this", "expression", "negate"))))
        return Tree("not", (tree,)) if node.args.get("negate") else tree

    def _operand(self, node: Any) -> Tree:
        tree = self.expression(node)
        if tree.label == "*" and not tree.children:
            self.refuse(node, "* is no operand")
        return tree

    def _function(self, node: Any) -> Tree:
        """A function that always had a label of its own; what it counts or adds up may be DISTINCT."""
        inner, more = node.args.get("this"), node.args.get("expressions")
        several = bool(more) and type(node).__name__ != "Coalesce"
        if type(inner).__name__ == "Star" and (several or type(node).__name__ != "Count"):
            self.refuse(node, f"{node.key.upper()} does not take *" + (" and more" if several else ""))
        if inner is None or several:
            return self.node(node)
        items = [inner, *([node.args["decimals"]] if node.args.get("decimals") else []), *(more or [])]
        rest = self.iter_rest(node, ("this", "decimals", "expressions"))
        if type(inner).__name__ == "Distinct" and len(inner.expressions) != 1:
            self.plain = False
        return Tree(FUNCTIONS[type(node).__name__], (*map(self.expression, items), *rest))

    def node(self, node: Any) -> Tree:
        """A node that has no rules of its own."""
        negated = bool(node.args.get("negate"))
        tree = self.general(node, ("negate",) if negated else ())
        return Tree("not", (tree,)) if negated else tree

    def _column(self, node: Any) -> Tree:
        inner = node.args.get("this")
        kind = type(inner).__name__
        names = [node.args[name] for name in ("catalog", "db", "table") if node.args.get(name)]
        if (kind != "Identifier" and not (kind == "Star" and names and has_only(inner, ()))) or not has_only(
            node, ("this", "table", "db", "catalog")
        ):
            return self.general(node, ())
        self.plain &= len(names) <= 1
        last = Tree("*") if kind == "Star" else self.name(inner)
        return Tree(".", (*map(self.name, names), last)) if names else last

    def _alias(self, node: Any) -> Tree:
        if not has_only(node, ("this", "alias")) or type(node.args.get("alias")).__name__ != "Identifier":
            return self.general(node, ())
        self.plain &= type(node.parent).__name__ == "Select"
        return Tree("as", (self.expression(node.this), self.name(node.args["alias"])))

    def _literal(self, node: Any) -> Tree:
        return Tree(quoted(node.this) if node.args["is_string"] else node.this)

    def _star(self, node: Any) -> Tree:
        return Tree("*") if has_only(node, ()) else self.general(node, ())

    def _negative(self, node: Any) -> Tree:
        inner = node.this
        tree = self._operand(inner)
        number = type(inner).__name__ == "Literal" and not inner.args["is_string"]
        return Tree(f"-{tree.label}") if number else Tree("-", (tree,))

    def _connective(self, node: Any) -> Tree:
        """A chain of AND or of OR as one node; sqlglot nests it to the left."""
        label, parts, waiting = node.key, [], [node]
        while waiting:
            inner = waiting.pop()
            while type(inner).__name__ == "Paren":
                inner = inner.this
            if inner.key == label:
                waiting += (inner.args["expression"], inner.args["this"])
            else:
                parts.append(self._operand(inner))
        return Tree(label, tuple(parts))

    def _in(self, node: Any) -> Tree:
        args = node.args
        if not any(args.get(name) for name in ("expressions", "query", "unnest", "field")):
            self.refuse(node, "IN with nothing to choose from")
        inner = self._operand(node.this)
        if args.get("query") and _is_query(args["query"]):
            return Tree("in", (inner, self.query(args["query"]), *self.iter_rest(node, ("this", "query"))))
        chosen = map(self.expression, args.get("expressions") or ())
        return Tree("in", (inner, *chosen, *self.iter_rest(node, ("this", "expressions"))))

    def _between(self, node: Any) -> Tree:
        names = ("this", "low", "high")
        operands = (self._operand(node.args[name]) for name in names)
        return Tree("between", (*operands, *self.iter_rest(node, names)))

    def _exists(self, node: Any) -> Tree:
        if not _is_query(node.this) or not has_only(node, ("this",)):
            return self.general(node, ())
        return Tree("exists", (self.query(node.this),))

    def _paren(self, node: Any) -> Tree:
        if type(node.this).__name__ == "Star":
            self.refuse(node, "STAR is not supported here")
        if type(node.this).__name__ == "Alias" and self._dialect.has_the_usual_order:
            self.refuse(node, "a name is given inside of brackets")
        return self.expression(node.this)

    def _ordered(self, node: Any) -> Tree:
        down = bool(node.args.get("desc"))
        first = bool(node.args.get("nulls_first"))
        rest = self.iter_rest(node, ("this", "desc", "nulls_first"))
        tree = Tree("desc" if down else "asc", (self.expression(node.this), *rest))
        if first == self._dialect.nulls_first(down=down):
            return tree
        self.plain = False
        return Tree(tree.label, (*tree.children, Tree(f"nulls_first={str(first).lower()}")))

    def _parts(self, node: Any, name: str) -> Tree:
        """A node whose one argument, or list of arguments, stands without its name under the node's own label."""
        value = node.args.get(name)
        items = value if isinstance(value, list) else [value] if value else []
        return Tree(node.key, (*map(self.expression, items), *self.iter_rest(node, (name,))))

    def _type(self, node: Any) -> Tree:
        kind = node.args.get("this")
        if hasattr(kind, "args"):
            return self.general(node, ())
        self.plain = False
        items = tuple(self.slot(type(node), "expressions", item) for item in node.args.get("expressions") or ())
        return Tree(f"::{kind.name}", (*items, *self.iter_rest(node, ("this", "expressions"))))

    def _var(self, node: Any) -> Tree:
        self.plain = False
        return Tree(f"@{node.this}")

    def _cte(self, node: Any) -> Tree:
        self.plain = False
        alias = node.args["alias"]
        name = self.name(alias.this) if has_only(alias, ("this",)) else self.expression(alias)
        query = self.slot(type(node), "this", node.this)
        return Tree("cte", (query, name, *self.iter_rest(node, ("this", "alias"))))

    def _other_function(self, node: Any) -> Tree:
        name = node.args.get("this")
        items = tuple(map(self.expression, node.args.get("expressions") or ()))
        plain = isinstance(name, str) and WORD.fullmatch(name) and has_only(node, ("this", "expressions"))
        if not plain or name.lower() in STRUCTURAL or name.lower() in self._known:
            return self.general(node, ())
        if not items:
            self.plain = False
        return Tree(name, items) if items else Tree(f"{name}()")


def _is_query(node: Any) -> bool:
    kind = type(node).__name__
    return (
        kind == "Select"
        or kind in SET_OPERATIONS
        or (kind == "Subquery" and has_only(node, ("this",)) and _is_query(node.this))
    )


_READERS: dict[str, Callable[[TreeBuilder, Any], Tree]] = {
    "Alias": TreeBuilder._alias,
    "And": TreeBuilder._connective,
    "Anonymous": TreeBuilder._other_function,
    "Between": TreeBuilder._between,
    "Boolean": lambda _, node: Tree("true" if node.this else "false"),
    "CTE": TreeBuilder._cte,
    "Column": TreeBuilder._column,
    "DataType": TreeBuilder._type,
    "Distinct": lambda self, node: self._parts(node, "expressions"),
    "Except": TreeBuilder.query,
    "Exists": TreeBuilder._exists,
    "From": lambda self, node: Tree("from", (self._source(node.this), *self.iter_rest(node, ("this",)))),
    "Group": lambda self, node: self._parts(node, "expressions"),
    "Having": lambda self, node: self._parts(node, "this"),
    "Identifier": TreeBuilder.name,
    "In": TreeBuilder._in,
    "Intersect": TreeBuilder.query,
    "Join": TreeBuilder._join,
    "Limit": lambda self, node: self._parts(node, "expression"),
    "Literal": TreeBuilder._literal,
    "Neg": TreeBuilder._negative,
    "Not": lambda self, node: Tree("not", (self._operand(node.this),)),
    "Null": lambda _, node: Tree(node.key),
    "Offset": lambda self, node: self._parts(node, "expression"),
    "Or": TreeBuilder._connective,
    "Order": lambda self, node: self._parts(node, "expressions"),
    "Ordered": TreeBuilder._ordered,
    "Paren": TreeBuilder._paren,
    "Select": TreeBuilder.query,
    "Star": TreeBuilder._star,
    "Subquery": TreeBuilder.query,
    "Union": TreeBuilder.query,
    "Var": TreeBuilder._var,
    "Where": lambda self, node: self._parts(node, "this"),
}
