"""Questions and SQL as tokens with blanks between them, for a grammar whose tokens stand between blanks.

The NQG-T5 paper prints rules of Spider such as `what is the id of the NT_1 named NT_2 ? ### select rid from NT_1 where
name = " NT_2 "`: a question's mark and the quotes around a value stand alone, so that a word can be a phrase of its own
on both sides. Here punctuation at the edges of a word stands alone in questions and within quotes; in SQL also
brackets, commas, operators, and the stop between table and column.

SQL is joined again into the text of the same query. Within quotes what stood between blanks is not known: signs are
joined to their neighbours as they mostly are, so a value may come back with other blanks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BLANKS, SQL = TOKENS = ("blanks", "sql")
"""The ways to cut texts into tokens: at blanks alone, or as here."""
_EDGES = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)
_SQL = re.compile(r"""(?P<text>"[^"]*"|'[^']*')|\d+(?:\.\d+)+|\w+|[<>!=]=|<>|[^\w\s]""")
_QUOTES = frozenset("\"'")
_TO_THE_LEFT = frozenset(".,;:!?)]}/'")
_TO_THE_RIGHT = frozenset("([{#$@")
_TO_BOTH = frozenset("%_")


def cut_pairs(pairs: Iterable[tuple[str, str]], how: str) -> list[tuple[str, str]]:
    """Questions and programs cut into tokens; those that are cut already stay as they are."""
    if how == BLANKS:
        return list(pairs)
    return [(cut_question(source), cut_sql(target)) for source, target in pairs]


def cut_question(text: str) -> str:
    """A question with the punctuation at the edges of its words as words of their own.

    >>> cut_question('dogs: who owns "Rex" (the 2.5 year old)?')
    'dogs : who owns " Rex " ( the 2.5 year old ) ?'
    """
    return " ".join(piece for word in text.split() for piece in _pieces(word))


def cut_sql(text: str) -> str:
    """A query with blanks between its tokens.

    >>> cut_sql('select count(*) from dogs as t1 where t1.name like "%Rex%" and age>=2.5')
    'select count ( * ) from dogs as t1 where t1 . name like " % Rex % " and age >= 2.5'
    """
    return " ".join(_sql_pieces(text))


def join_sql(text: str) -> str:
    """The query of such tokens, as it is written.

    >>> join_sql('select count ( * ) from dogs as t1 where t1 . name like " % Rex , the dog % " and age >= 2.5')
    'select count ( * ) from dogs as t1 where t1.name like "%Rex, the dog%" and age >= 2.5'
    """
    written: list[str] = []
    quote, tight = "", True
    for token in text.split():
        left, right = _joins(token, quote)
        written.append(token if tight or left else f" {token}")
        tight = right
        if token in _QUOTES and quote in ("", token):
            quote = "" if quote else token
    return "".join(written)


def _pieces(word: str) -> Iterator[str]:
    """The punctuation before a word, the word, and what is behind it."""
    match = _EDGES.fullmatch(word)
    front, inner, back = match.groups() if match is not None else ("", word, "")
    yield from front
    if inner:
        yield inner
    yield from back


def _sql_pieces(text: str) -> Iterator[str]:
    for match in _SQL.finditer(text):
        value = match["text"]
        if value is None:
            yield match.group()
            continue
        yield value[0]
        for word in value[1:-1].split():
            yield from _pieces(word)
        yield value[-1]


def _joins(token: str, quote: str) -> tuple[bool, bool]:
    """Whether no blank stands before and behind a token, within a quote or, where that is empty, outside."""
    if not quote:
        return token == ".", token == "." or token in _QUOTES
    if token == quote:
        return True, False
    return token in _TO_THE_LEFT or token in _TO_BOTH, token in _TO_THE_RIGHT or token in _TO_BOTH
