"""What of a query the published evaluator compares, as one value: queries match when it is equal.

Compared are what is selected, as a set with repeats; the conditions of WHERE as such a set, and which of AND and OR
occur there; GROUP BY in order, with HAVING; ORDER BY in order, with its last direction; the set operation with its
other side; the tables; and which of the words below occur, those of join conditions among them. Values, DISTINCT and
the columns of join conditions are left out, and columns that a foreign key links are one, if their tables stand in the
outermost FROM.

Inner queries are compared otherwise. One in a condition is compared with all it has but values: order, DISTINCT, join
conditions, and columns as they are written. One in FROM is compared with its values, too.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from recombine.evaluation.match.spider.query import Column, Condition, Item, Query, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from recombine.evaluation.match.spider.query import Conditions, Value
    from recombine.evaluation.match.spider.schema import Schema

    Renamed = Callable[[Column], Column]

Bag: TypeAlias = "frozenset[Hashable]"


class Compared(NamedTuple):
    """The parts by which queries are told apart."""

    select: Bag
    tables: Bag
    where: Bag
    connectives: frozenset[Condition | str]
    group: tuple[str, ...]
    having: Conditions | None
    """None where nothing is grouped: then HAVING is not compared."""
    order: Hashable
    words: frozenset[str]
    operation: str
    other: Compared | None


def compared(query: Query, schema: Schema) -> Compared:
    """What is compared of a query over this database."""
    stands_for = schema.stands_for
    prefixes = tuple(f"{table}." for table in query.tables if isinstance(table, str))

    def renamed(column: Column) -> Column:
        name = column.name
        if name in stands_for and name.startswith(prefixes):
            name = stands_for[name]
        return Column(column.function, name, None)

    return _compared(_without_values(query), renamed)


def _compared(query: Query, renamed: Renamed) -> Compared:
    where = _renamed_conditions(query.where, renamed)
    having = _renamed_conditions(query.having, renamed)
    group = tuple(renamed(column).name for column in query.group)
    order = query.order
    return Compared(
        select=_bag([Item(item.function, _renamed_term(item.term, renamed)) for item in query.select]),
        tables=_bag(query.tables),
        where=_bag(where[::2]),
        connectives=frozenset(where[1::2]),
        group=group,
        having=having if group else None,
        order=order and (order[0], tuple(_renamed_term(term, renamed) for term in order[1])),
        words=_words(query),
        operation=query.operation,
        other=None if query.other is None else _compared(query.other, renamed),
    )


def _bag(things: Sequence[Hashable]) -> Bag:
    """Things without their order: a set where each is there once, else each with its number."""
    once = frozenset(things)
    return once if len(once) == len(things) else frozenset(Counter(things).items())


def _words(query: Query) -> frozenset[str]:
    """The words whose presence is compared."""
    parts = {"where": query.where, "group": query.group, "having": query.having, "limit": query.limit}
    words = {word for word, part in parts.items() if part} | ({query.operation} if query.operation else set())
    if query.order is not None:
        words |= {"order", query.order[0]}
    conditions = (*query.on[::2], *query.where[::2], *query.having[::2])
    if "or" in (*query.on[1::2], *query.where[1::2], *query.having[1::2]):
        words.add("or")
    for condition in conditions:
        if isinstance(condition, Condition):
            words |= {"not"} if condition.negated else set()
            words |= {condition.operator} & {"in", "like"}
    return frozenset(words)


def _renamed_term(term: Term, renamed: Renamed) -> Term:
    return Term(term.operator, renamed(term.left), None if term.right is None else renamed(term.right))


def _renamed_conditions(conditions: Conditions, renamed: Renamed) -> Conditions:
    return tuple(
        part if place % 2 or isinstance(part, str) else part._replace(term=_renamed_term(part.term, renamed))
        for place, part in enumerate(conditions)
    )


def _without_values(query: Query) -> Query:
    """The query without what its conditions compare with, but for inner queries; those in FROM stay whole."""
    return query._replace(
        on=_valueless(query.on),
        where=_valueless(query.where),
        having=_valueless(query.having),
        other=None if query.other is None else _without_values(query.other),
    )


def _valueless(conditions: Conditions) -> Conditions:
    return tuple(
        part
        if place % 2 or isinstance(part, str)
        else part._replace(first=_valueless_value(part.first), second=_valueless_value(part.second))
        for place, part in enumerate(conditions)
    )


def _valueless_value(value: Value) -> Value:
    return _without_values(value) if isinstance(value, Query) else None
