"""A query as the sets of its parts, with names resolved and values left out; `set_match` says what is compared.

Parts are texts. Where order carries no meaning (select items, conjuncts and disjuncts, group columns, tables, inner
joins, both sides of `=` and `!=`) they are sorted; repeats are kept, since two conditions that differ in their values
only read the same here. Columns that inner joins hold equal are one column everywhere, and one condition of the joins:
`on a = b … on b = c` and `on a = b … on a = c` are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.evaluation.match.set_match_names import iter_scopes, plain, source_trees, unnamed
from recombine.evaluation.match.set_match_whole import whole_query
from recombine.languages.sql.labels import JOINS, QUERIES
from recombine.languages.sql.plain import is_plain

if TYPE_CHECKING:
    from recombine.evaluation.match.set_match_names import Columns, Outputs, Scope
    from recombine.tree import Tree

VALUE = "VALUE"
_WORDS = frozenset({"*", "null", "true", "false"})
_SYMMETRIC = frozenset({"=", "!=", "and", "or"})


@dataclass(frozen=True, order=True, kw_only=True)
class Components:
    """The parts of one query. A set operation has an `operation` and two `sides`, and of the rest only a tail."""

    select: tuple[str, ...] = ()
    distinct: bool = False
    tables: tuple[str, ...] = ()
    joins: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    group: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    limit: bool = False
    offset: bool = False
    operation: str = ""
    sides: tuple[Components, ...] = ()
    whole: str = ""
    """A query with what Spider's have not, such as WITH: all of it, and no other part."""

    def __str__(self) -> str:
        parts = [self.operation, *map(str, self.sides), self.whole]
        parts += [name for name in ("distinct", "limit", "offset") if getattr(self, name)]
        for name in ("select", "tables", "joins", "where", "group", "having", "order"):
            parts += [f"{name}[{', '.join(getattr(self, name))}]"] if getattr(self, name) else []
        return f"({' '.join(filter(None, parts))})"


@dataclass(frozen=True)
class _Read:
    """A query that was read."""

    components: Components
    outputs: Outputs


def components(tree: Tree, schema: Columns | None = None) -> Components:
    """The parts of a query; a schema tells whose a column without its table is where there are several tables.

    >>> from recombine.languages.sql.sql import parse
    >>> print(components(parse("select t1.Name from Dogs as t1 where t1.age > 3 and t1.breed = 'pug' limit 1")))
    (limit select[dogs.name] tables[dogs] where[=(VALUE,dogs.breed), >(dogs.age,VALUE)])
    """
    if not is_plain(tree):
        return Components(whole=whole_query(tree))
    return _read(tree, None, schema).components


def _read(tree: Tree, outer: Scope | None, schema: Columns | None) -> _Read:
    if tree.label != "query":
        return _set_operation(tree, outer, schema)
    inner = [unnamed(source) for source in source_trees(tree)]
    read = [_read(source, outer, schema) if source.children else None for source in inner]
    outputs: list[Outputs] = [{} if query is None else query.outputs for query in read]
    tables = [
        plain(source) if query is None else str(query.components) for source, query in zip(inner, read, strict=True)
    ]
    candidates = (_select_query(tree, tables, scope) for scope in iter_scopes(tree, tables, outputs, outer, schema))
    # Of all ways to number the copies of a table, the one that reads first: so their aliases do not count.
    return min(candidates, key=lambda query: query.components)


def _set_operation(tree: Tree, outer: Scope | None, schema: Columns | None) -> _Read:
    left, right, *tail = tree.children
    first, second = _read(left, outer, schema), _read(right, outer, schema)
    clauses = {child.label: child for child in tail}
    parts = Components(
        operation=tree.label,
        sides=(first.components, second.components),
        order=tuple(_ordered(item, None, first.outputs) for item in _children(clauses.get("order"))),
        limit="limit" in clauses,
        offset="offset" in clauses,
    )
    return _Read(parts, first.outputs)


def _select_query(tree: Tree, tables: list[str], scope: Scope) -> _Read:
    clauses = {child.label: child for child in tree.children if child.label not in JOINS}
    head = tree.children[0]
    joins, equal = _joins([child for child in tree.children if child.label in JOINS], scope)
    scope = replace(scope, equal=equal) if equal else scope
    items = [_item(child, scope) for child in head.children]
    aliases = {
        plain(child.children[1]): text for child, text in zip(head.children, items, strict=True) if _named(child)
    }
    numbers = {str(number): text for number, text in enumerate(items, start=1)}
    known = {**aliases, **numbers}  # what GROUP BY and ORDER BY can mean besides columns
    parts = Components(
        select=tuple(sorted(items)),
        distinct=head.label == "select_distinct",
        tables=tuple(sorted(tables)),
        joins=joins,
        where=_conjuncts(clauses.get("where"), scope, {}),
        group=tuple(sorted(_grouped(child, scope, known) for child in _children(clauses.get("group")))),
        having=_conjuncts(clauses.get("having"), scope, aliases),
        order=tuple(_ordered(child, scope, known) for child in _children(clauses.get("order"))),
        limit="limit" in clauses,
        offset="offset" in clauses,
    )
    return _Read(parts, {**_column_names(head, items), **known})


def _children(clause: Tree | None) -> tuple[Tree, ...]:
    return () if clause is None else clause.children


def _named(item: Tree) -> bool:
    return item.label == "as" and bool(item.children)


def _column_names(head: Tree, items: list[str]) -> dict[str, str]:
    """The columns among the select items, by their own names."""
    names = [child.children[1] if child.label == "." and child.children else child for child in head.children]
    return {plain(name): text for name, text in zip(names, items, strict=True) if not name.children}


def _item(tree: Tree, scope: Scope) -> str:
    if tree.label == "." and tree.children[1].label == "*" and len(scope.sources) == 1:
        return "*"
    return _expression(tree.children[0] if _named(tree) else tree, scope, {})


def _ordered(tree: Tree, scope: Scope | None, known: Outputs) -> str:
    return f"{tree.label} {_grouped(tree.children[0], scope, known)}"


def _grouped(tree: Tree, scope: Scope | None, known: Outputs) -> str:
    """What is grouped or ordered by: an expression, or the number of a select item."""
    return known[tree.label] if tree.label in known else _expression(tree, scope, known)


def _conjuncts(clause: Tree | None, scope: Scope, known: Outputs) -> tuple[str, ...]:
    """The conditions that must hold, sorted; a disjunction is one of them."""
    if clause is None:
        return ()
    return tuple(sorted(_expression(part, scope, known) for part in _parts(clause)))


def _parts(clause: Tree) -> tuple[Tree, ...]:
    """The conditions of a clause that must all hold."""
    condition = clause.children[-1]
    return condition.children if condition.label == "and" else (condition,)


def _joins(joins: list[Tree], scope: Scope) -> tuple[tuple[str, ...], dict[str, str]]:
    """The conditions of inner joins as one sorted list, and which column stands for each that they hold equal.

    With an outer join among them, all joins stand in their order, and no column stands for another.
    """
    if all(join.label == "join" for join in joins):
        conditions = [part for join in joins if len(join.children) > 1 for part in _parts(join)]
        groups: list[set[str]] = []
        others: list[str] = []
        for part in conditions:
            sides = [_expression(side, scope, {}) for side in part.children] if _equates(part) else []
            if len(set(sides)) == 2 and not any(side.startswith("^") for side in sides):
                groups = _merged(groups, set(sides))
            else:
                others.append(_expression(part, scope, {}))
        stands_for = {column: min(group) for group in groups for column in group}
        return tuple(sorted([*others, *(f"=({','.join(sorted(group))})" for group in groups)])), stands_for
    names = [source.name for source in scope.sources][-len(joins) :]
    on = [_conjuncts(join, scope, {}) if len(join.children) > 1 else () for join in joins]
    return tuple(
        f"{join.label}({name}, {', '.join(parts)})" for join, name, parts in zip(joins, names, on, strict=True)
    ), {}


def _equates(condition: Tree) -> bool:
    """Whether a condition is that two columns are equal."""
    return condition.label == "=" and all(map(_is_column, condition.children))


def _is_column(tree: Tree) -> bool:
    if tree.children:
        return tree.label == "."
    return not _is_value(tree) and tree.label.lower() not in _WORDS


def _merged(groups: list[set[str]], pair: set[str]) -> list[set[str]]:
    """Groups of equal columns with one more pair of such."""
    joined = [group for group in groups if group & pair]
    return [*(group for group in groups if not group & pair), pair.union(*joined)]


def _expression(tree: Tree, scope: Scope | None, known: Outputs) -> str:
    """An expression as text. `known` gives the expressions behind the names of select items."""
    label, children = tree.label, tree.children
    if not children:
        return _leaf(tree, scope, known)
    if label == ".":
        return _column(plain(children[0]), plain(children[1]), scope, known)
    if label in QUERIES:
        return str(_read(tree, scope, None if scope is None else scope.schema).components)
    parts = [_expression(child, scope, known) for child in children]
    if label == "in" and all(map(_is_value, children[1:])):
        parts[1:] = [VALUE]  # how many values are chosen from is a matter of values
    return f"{label.lower()}({','.join(sorted(parts) if label in _SYMMETRIC else parts)})"


def _leaf(tree: Tree, scope: Scope | None, known: Outputs) -> str:
    if _is_value(tree):
        return VALUE
    name = plain(tree)
    return name if name in _WORDS else known.get(name) or _column("", name, scope, known)


def _column(table: str, name: str, scope: Scope | None, known: Outputs) -> str:
    if scope is None:  # the ORDER BY of a set operation, which can only mean what its left side gives
        return known.get(name, f"{table}.{name}")
    return scope.column(table, name)


def _is_value(tree: Tree) -> bool:
    """Whether a leaf is a string or a number; no name begins like one."""
    return not tree.children and (tree.label[0] in "'0123456789" or (tree.label[0] in "-." and len(tree.label) > 1))
