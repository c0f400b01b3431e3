"""A query in pages: the same rows in one order, so many at a time.

The order is that of all columns, so that rows that compare equal are the same row, and it does not matter which of them
stands on which page. A query with an order or a limit of its own is refused, as is one that ends in VALUES.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import AnswerError
from recombine.kb.sparql_tokens import Token, iter_tokens, line_and_column

if TYPE_CHECKING:
    from collections.abc import Callable

_OWN = ("ORDER", "LIMIT", "OFFSET", "VALUES")


def paged_query(query: str) -> Callable[[int, int], str]:
    """What gives the query of a page for its number of rows and the rows before it.

    >>> paged_query("SELECT ?a (COUNT(?b) AS ?n) { ?a ?p ?b } GROUP BY ?a # by a")(10, 20)
    'SELECT ?a (COUNT(?b) AS ?n) { ?a ?p ?b } GROUP BY ?a # by a\\nORDER BY ?a ?n LIMIT 10 OFFSET 20'
    """
    tokens = list(iter_tokens(query))
    _check_no_own_order(query, tokens)
    order = " ".join(f"?{name}" for name in _columns(tokens))
    return lambda rows, before: f"{query}\nORDER BY {order} LIMIT {rows} OFFSET {before}"


def _check_no_own_order(query: str, tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        if token.kind == "sign" and token.text in "{}":
            depth += 1 if token.text == "{" else -1
        elif depth == 0 and token.is_word(*_OWN):
            line, column = line_and_column(query, token.start)
            raise AnswerError(
                f"the query, line {line}, column {column}: has its own {token.text.upper()}, and is not asked in pages",
                "leave it out, or ask without pages",
            )


def _columns(tokens: list[Token]) -> list[str]:
    """The variables that the answer has; of `SELECT *`, all that the query has."""
    start = next((place for place, token in enumerate(tokens) if token.is_word("SELECT")), None)
    if start is None or any(token.text == "{" for token in tokens[:start]):
        raise AnswerError("the query is no SELECT", "ask for rows with SELECT")
    head = tokens[start + 1 :]
    end = next((at for at, token in enumerate(head) if token.text == "{" or token.is_word("WHERE", "FROM")), len(head))
    columns: list[str] = []
    depth = 0
    for token, after in zip(head[:end], [*head[1:end], None], strict=True):
        if token.kind == "sign" and token.text in "()":
            depth += 1 if token.text == "(" else -1
        elif token.kind == "variable" and (depth == 0 or _is_named(after, depth)):
            columns.append(token.text[1:])
    if not columns:
        columns = list(dict.fromkeys(token.text[1:] for token in tokens if token.kind == "variable"))
    if not columns:
        raise AnswerError("the query has no variables to order its pages by", "ask it without pages")
    return columns


def _is_named(after: Token | None, depth: int) -> bool:
    """Whether a variable in brackets is the name of their value: it stands last in them."""
    return depth == 1 and after is not None and after.text == ")"
