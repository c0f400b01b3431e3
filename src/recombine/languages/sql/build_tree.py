"""sqlglot's nodes to trees: `sql.py` has the shapes with rules of their own, `slots.py` that of everything else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

from recombine.errors import NotReadError, ProgramError
from recombine.languages.sql.labels import BINARY, FUNCTIONS, OTHER_JOIN, SET_OPERATIONS, STRUCTURAL, label_of_class
from recombine.languages.sql.slots import FALSE_COUNTS, NAME_SLOTS, RAW_QUERIES, is_part, positions
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from recombine.languages.sql.dialect import SqlDialect

_WORD = re.compile(r"[^\W\d][\w$#]*")
_CONSTANTS = frozenset({"null", "true", "false"})
_SELECT = ("expressions", "distinct", "from_", "joins", "where", "group", "having", "order", "limit", "offset")
_TAIL = ("order", "limit", "offset")


class TreeBuilder:
    """Builds the tree of one query in a dialect; `plain` where the query has only what has rules of its own."""

    def __init__(self, dialect: SqlDialect, language: str, known: dict[str, Any]) -> None:
        self._dialect, self._language, self._known = dialect, language, known
        self.plain = True

    def refuse(self, node: Any, problem: str, remedy: str = "correct the query, or leave the example out") -> NoReturn:
        """Refuse a part of a query at the first name in it whose position is known."""
        raise ProgramError(self._language, place_of(node), problem, remedy)

    def query(self, node: Any) -> Tree:
        """A whole query, whatever brackets are around it."""
        kind = type(node).__name__
        if kind == "Select":
            return Tree("query", tuple(self._iter_clauses(node)))
        if kind == "Subquery" and _has_only(node, ("this",)):
            return self.query(node.this)
        if kind not in SET_OPERATIONS:
            return self.node(node)
        label = SET_OPERATIONS[kind] if node.args.get("distinct") else f"{SET_OPERATIONS[kind]}_all"
        sides = (self.query(node.this), self.query(node.args["expression"]))
        rest = self._iter_rest(node, ("this", "expression", "distinct", *_TAIL))
        return Tree(label, (*sides, *self._iter_tail(node), *rest))

    def _iter_clauses(self, node: Any) -> Iterator[Tree]:
        args = node.args
        distinct = args.get("distinct")
        bare = distinct is not None and _has_only(distinct, ())
        yield Tree("select_distinct" if bare else "select", tuple(map(self.expression, args.get("expressions") or ())))
        if args.get("from_"):
            yield self.expression(args["from_"])
        yield from map(self._join, args.get("joins") or ())
        for name in ("where", "group", "having"):
            if args.get(name):
                yield self.expression(args[name])
        yield from self._iter_tail(node)
        known = _SELECT if bare or distinct is None else tuple(name for name in _SELECT if name != "distinct")
        yield from self._iter_rest(node, known)

    def _iter_tail(self, node: Any) -> Iterator[Tree]:
        for name in _TAIL:
            value = node.args.get(name)
            if value:
                yield self.expression(value)

    def _iter_rest(self, node: Any, known: Iterable[str]) -> Iterator[Tree]:
        """The arguments of a node that have no place of their own, by their names and in sqlglot's order."""
        args = node.args
        if all(name in known or not (value or value is False or value == 0) for name, value in args.items()):
            return
        notes = self._dialect.notes.get(type(node).__name__, {})
        names = [*type(node).arg_types, *sorted(set(args) - set(type(node).arg_types))]
        for name in names:
            value = args.get(name)
            if name in known or value in ("", []):
                continue
            if value is None or isinstance(value, bool):
                same = bool(value) == bool(notes.get(name))
                if same and not (value is False and name in FALSE_COUNTS):
                    continue
            self.plain = False
            yield from self._argument(node, name, value)

    def _argument(self, node: Any, name: str, value: Any) -> Iterator[Tree]:
        """An argument by its name."""
        kind = type(node)
        if value is None or isinstance(value, bool):
            yield Tree(f"{name}={str(bool(value)).lower()}")
        elif isinstance(value, (int, float)):
            yield Tree(f"{name}={value}")
        elif isinstance(value, str):
            if value:  # the bounds of a window are words, and stand as they are written
                yield Tree(f"{name}={_quoted(value.upper() if kind.__name__ == 'WindowSpec' else value)}")
        elif isinstance(value, list):
            if value:
                yield Tree(f"{name}:", tuple(self._listed(node, name, item) for item in value))
        elif not hasattr(value, "args"):
            self._not_read(node, f"`{name.strip('_')}` in {node.key.upper()} is not supported")
        elif is_part(kind, name, type(value).__name__):
            yield self.expression(value)
        else:
            yield Tree(f"{name}=", (self._slot(kind, name, value),))

    def _listed(self, node: Any, name: str, item: Any) -> Tree:
        if isinstance(item, str):
            return Tree(f"={_quoted(item)}")
        if not hasattr(item, "args"):
            self._not_read(node, f"`{name.strip('_')}` in {node.key.upper()} is not supported")
        return self._slot(type(node), name, item)

    def _not_read(self, node: Any, problem: str) -> NoReturn:
        remedy = "write the query another way, or leave the example out"
        raise NotReadError(self._language, place_of(node), problem, remedy)

    def _slot(self, kind: Any, name: str, value: Any) -> Tree:
        """A node as an argument, where it may be a name and where it may be a column."""
        value_kind, is_name = type(value).__name__, name in NAME_SLOTS or kind.__name__ == "TableAlias"
        if value_kind == "Identifier":
            leaf = self._name(value)
            return leaf if is_name or leaf.children else Tree("identifier", (leaf,))
        raw = (kind.__name__, name) in RAW_QUERIES
        if value_kind == "Subquery" and raw and _has_only(value, ("this",)):
            return Tree("subquery", (self.query(value.this),))
        tree = self.expression(value)
        if not raw and (value_kind == "Select" or value_kind in SET_OPERATIONS):
            return Tree("raw", (tree,))
        return Tree("column", (tree,)) if is_name and value_kind == "Column" and not tree.children else tree

    def _source(self, node: Any) -> Tree:
        """A table or query of a FROM."""
        alias = node.args.get("alias")
        named = alias is not None and _has_only(alias, ("this",)) and type(alias.this).__name__ == "Identifier"
        inner = self._unnamed(node, ("alias",) if named else ())
        return Tree("as", (inner, self._name(alias.this))) if named else inner

    def _unnamed(self, node: Any, done: tuple[str, ...]) -> Tree:
        kind, inner = type(node).__name__, node.args.get("this")
        if kind == "Subquery" and _has_only(node, ("this", *done)):
            if type(inner).__name__ == "Table" and not inner.args.get("joins"):
                return self._source(inner)
            if type(inner).__name__ == "Select" or type(inner).__name__ in SET_OPERATIONS:
                return self.query(inner)
        if (
            kind == "Table"
            and type(inner).__name__ == "Identifier"
            and _has_only(node, ("this", "db", "catalog", *done))
        ):
            names = [node.args[name] for name in ("catalog", "db", "this") if node.args.get(name)]
            if all(type(name).__name__ == "Identifier" for name in names):
                self.plain &= len(names) == 1
                leaves = tuple(map(self._name, names))
                return leaves[0] if len(leaves) == 1 else Tree(".", leaves)
        return self._general(node, done)

    def _join(self, node: Any) -> Tree:
        args = node.args
        side, kind = args.get("side") or "", args.get("kind") or ""
        simple = side in ("", "LEFT", "RIGHT", "FULL") and kind in ("", "INNER", "CROSS", "OUTER")
        if not simple or not _has_only(node, ("this", "on", "using", "side", "kind")):
            self.plain = False
            rest = self._iter_rest(node, ("this",))
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
        return self._name(node) if type(node).__name__ == "Identifier" else self.expression(node)

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
        tree = Tree(label, (left, right, *self._iter_rest(node, ("this", "expression", "negate"))))
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
        rest = self._iter_rest(node, ("this", "decimals", "expressions"))
        if type(inner).__name__ == "Distinct" and len(inner.expressions) != 1:
            self.plain = False
        return Tree(FUNCTIONS[type(node).__name__], (*map(self.expression, items), *rest))

    def node(self, node: Any) -> Tree:
        """A node that has no rules of its own."""
        negated = bool(node.args.get("negate"))
        tree = self._general(node, ("negate",) if negated else ())
        return Tree("not", (tree,)) if negated else tree

    def _general(self, node: Any, done: tuple[str, ...]) -> Tree:
        kind = type(node)
        label = label_of_class(kind.__name__)
        if kind.__name__ == "Command":
            self._not_read(node, f"{str(node.this).upper()} is not read")
        if self._known.get(label) is not kind:
            self._not_read(node, f"{node.key.upper()} is not read")
        if self._dialect.is_sqlite and (kind.__name__ == "Aliases" or (kind.__name__ == "Tuple" and not _is_row(node))):
            self.refuse(node, "brackets in the wrong place")
        self.plain = False
        children, placed = self._placed(node, done)
        children += self._iter_rest(node, (*done, *placed))
        return Tree(label, tuple(children)) if children else Tree(f"{label}()")

    def _placed(self, node: Any, done: tuple[str, ...]) -> tuple[list[Tree], list[str]]:
        """The arguments that need no name, and which they are."""
        children: list[Tree] = []
        placed: list[str] = []
        for name in positions(type(node)):
            value = node.args.get(name)
            if name in done or not value or isinstance(value, (str, bool)):
                break
            if isinstance(value, list):
                if name != "expressions" or not all(hasattr(item, "args") for item in value):
                    break
                children += [self._slot(type(node), name, item) for item in value]
            elif hasattr(value, "args") and name != "expressions":
                children.append(self._slot(type(node), name, value))
            else:
                break
            placed.append(name)
        return children, placed

    def _name(self, node: Any) -> Tree:
        if type(node).__name__ != "Identifier":
            self.refuse(node, "a name is needed here")
        text = node.this
        if not _has_only(node, ("this", "quoted")):
            return self._general(node, ())
        if node.args.get("quoted"):
            return Tree(f"`{text}`")
        if not _WORD.fullmatch(text) or text.lower() in _CONSTANTS:
            self.plain = False
            return Tree("identifier", (Tree(f"this={_quoted(text)}"),))
        return Tree(text)

    def _column(self, node: Any) -> Tree:
        inner = node.args.get("this")
        kind = type(inner).__name__
        names = [node.args[name] for name in ("catalog", "db", "table") if node.args.get(name)]
        if (kind != "Identifier" and not (kind == "Star" and names and _has_only(inner, ()))) or not _has_only(
            node, ("this", "table", "db", "catalog")
        ):
            return self._general(node, ())
        self.plain &= len(names) <= 1
        last = Tree("*") if kind == "Star" else self._name(inner)
        return Tree(".", (*map(self._name, names), last)) if names else last

    def _alias(self, node: Any) -> Tree:
        if not _has_only(node, ("this", "alias")) or type(node.args.get("alias")).__name__ != "Identifier":
            return self._general(node, ())
        return Tree("as", (self.expression(node.this), self._name(node.args["alias"])))

    def _literal(self, node: Any) -> Tree:
        return Tree(_quoted(node.this) if node.args["is_string"] else node.this)

    def _star(self, node: Any) -> Tree:
        return Tree("*") if _has_only(node, ()) else self._general(node, ())

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
            return Tree("in", (inner, self.query(args["query"]), *self._iter_rest(node, ("this", "query"))))
        chosen = map(self.expression, args.get("expressions") or ())
        return Tree("in", (inner, *chosen, *self._iter_rest(node, ("this", "expressions"))))

    def _between(self, node: Any) -> Tree:
        names = ("this", "low", "high")
        operands = (self._operand(node.args[name]) for name in names)
        return Tree("between", (*operands, *self._iter_rest(node, names)))

    def _exists(self, node: Any) -> Tree:
        if not _is_query(node.this) or not _has_only(node, ("this",)):
            return self._general(node, ())
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
        rest = self._iter_rest(node, ("this", "desc", "nulls_first"))
        tree = Tree("desc" if down else "asc", (self.expression(node.this), *rest))
        if first == self._dialect.nulls_first(down=down):
            return tree
        self.plain = False
        return Tree(tree.label, (*tree.children, Tree(f"nulls_first={str(first).lower()}")))

    def _parts(self, node: Any, name: str) -> Tree:
        """A node whose one argument, or list of arguments, stands without its name under the node's own label."""
        value = node.args.get(name)
        items = value if isinstance(value, list) else [value] if value else []
        return Tree(node.key, (*map(self.expression, items), *self._iter_rest(node, (name,))))

    def _type(self, node: Any) -> Tree:
        kind = node.args.get("this")
        if hasattr(kind, "args"):
            return self._general(node, ())
        self.plain = False
        items = tuple(self._slot(type(node), "expressions", item) for item in node.args.get("expressions") or ())
        return Tree(f"::{kind.name}", (*items, *self._iter_rest(node, ("this", "expressions"))))

    def _var(self, node: Any) -> Tree:
        self.plain = False
        return Tree(f"@{node.this}")

    def _cte(self, node: Any) -> Tree:
        self.plain = False
        alias = node.args["alias"]
        name = self._name(alias.this) if _has_only(alias, ("this",)) else self.expression(alias)
        query = self._slot(type(node), "this", node.this)
        return Tree("cte", (query, name, *self._iter_rest(node, ("this", "alias"))))

    def _other_function(self, node: Any) -> Tree:
        name = node.args.get("this")
        items = tuple(map(self.expression, node.args.get("expressions") or ()))
        plain = isinstance(name, str) and _WORD.fullmatch(name) and _has_only(node, ("this", "expressions"))
        if not plain or name.lower() in STRUCTURAL or name.lower() in self._known:
            return self._general(node, ())
        if not items:
            self.plain = False
        return Tree(name, items) if items else Tree(f"{name}()")


def place_of(node: Any) -> int:
    """The position of the first name in a node whose position is known."""
    return min((inner.meta["start"] for inner in node.walk() if "start" in inner.meta), default=0)


def _has_only(node: Any, names: tuple[str, ...]) -> bool:
    """Whether a node has no arguments but these."""
    return all(name in names or not value for name, value in node.args.items())


def _is_row(node: Any) -> bool:
    """Whether a pair of brackets holds values."""
    return bool(node.expressions) and not any(type(item).__name__ == "Alias" for item in node.expressions)


def _is_query(node: Any) -> bool:
    kind = type(node).__name__
    return (
        kind == "Select"
        or kind in SET_OPERATIONS
        or (kind == "Subquery" and _has_only(node, ("this",)) and _is_query(node.this))
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


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
    "From": lambda self, node: Tree("from", (self._source(node.this), *self._iter_rest(node, ("this",)))),
    "Group": lambda self, node: self._parts(node, "expressions"),
    "Having": lambda self, node: self._parts(node, "this"),
    "Identifier": TreeBuilder._name,
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
