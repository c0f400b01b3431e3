"""A query as people write it, made into one that pyoxigraph takes.

Prefixed names with dots (`ns:film.director.film`) become whole IRIs, and `SELECT count(*)` becomes
`SELECT (count(*) AS ?count)`. Strings, comments and IRIs stay as they are. What would give an empty answer because the
facts are not here is refused: SERVICE, and FROM and GRAPH, for a store has no named graphs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import RefusedQueryError
from recombine.kb.sparql_tokens import Token, iter_tokens, line_and_column, unescaped_local

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


class Edit(NamedTuple):
    """A piece of the text that is replaced."""

    start: int
    end: int
    text: str


class StandardQuery(NamedTuple):
    """The query that is run, and what was replaced in the one that was given."""

    text: str
    given: str
    edits: tuple[Edit, ...]

    def given_place(self, line: int, column: int) -> tuple[int, int]:
        """The line and column in the query as it was given of those in the one that is run."""
        lines = self.text.split("\n")
        offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
        shift = 0
        for edit in self.edits:
            start = edit.start + shift
            if offset < start:
                break
            if offset < start + len(edit.text):
                return line_and_column(self.given, edit.start)
            shift += len(edit.text) - (edit.end - edit.start)
        return line_and_column(self.given, min(max(offset - shift, 0), len(self.given)))


def standard_query(query: str, prefixes: Mapping[str, str]) -> StandardQuery:
    """The query with dotted names and bare counts written in the way of the standard.

    >>> standard_query("SELECT count(*) { ns:a.b.c ?p ?o }", {"ns": "http://x/"}).text
    'SELECT (count(*) AS ?count) { <http://x/a.b.c> ?p ?o }'
    """
    tokens = list(iter_tokens(query))
    for token in tokens:
        if token.is_word("SERVICE"):
            _refuse(query, token, "SERVICE asks another server", "ask that server by its own address")
        if token.is_word("FROM", "GRAPH"):
            word = token.text.upper()
            _refuse(query, token, f"{word} names a graph, and the store has one of all facts", f"leave {word} out")
    edits = sorted([*_iter_dotted(tokens, dict(prefixes)), *_iter_bare_counts(tokens)])
    text, end = [], 0
    for edit in edits:
        text += [query[end : edit.start], edit.text]
        end = edit.end
    return StandardQuery("".join([*text, query[end:]]), query, tuple(edits))


def _refuse(query: str, token: Token, problem: str, remedy: str) -> None:
    line, column = line_and_column(query, token.start)
    raise RefusedQueryError(f"the query, line {line}, column {column}: {problem}", remedy)


def _iter_dotted(tokens: list[Token], prefixes: dict[str, str]) -> Iterator[Edit]:
    """Prefixed names with dots as IRIs; one whose prefix is not known stays, for the parser to refuse."""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        declared = tokens[place + 1 : place + 3]
        if token.is_word("PREFIX") and [each.kind for each in declared] == ["name", "iri"]:
            name, iri = declared
            prefixes[name.text[:-1]] = iri.text[1:-1]
            place += 3
            continue
        if token.kind == "name" and "." in token.text.partition(":")[2]:
            prefix, local = unescaped_local(token.text)
            # An IRI that is relative is the parser's to complete.
            if _SCHEME.match(prefixes.get(prefix, "")):
                yield Edit(token.start, token.end, f"<{prefixes[prefix]}{local}>")
        place += 1


def _iter_bare_counts(tokens: list[Token]) -> Iterator[Edit]:
    """Counts among the columns of a SELECT that stand without brackets and a name, as Virtuoso takes them."""
    used = {token.text[1:] for token in tokens if token.kind == "variable"}
    selecting, depth = False, 0
    for place, token in enumerate(tokens):
        if token.is_word("SELECT"):
            selecting, depth = True, 0
        elif token.text == "{" or token.is_word("WHERE"):
            selecting = False
        elif token.text in "()" and token.kind == "sign":
            depth += 1 if token.text == "(" else -1
        elif selecting and depth == 0 and token.is_word("COUNT"):
            close = _closing(tokens, place + 1)
            if close is None:
                return
            named = tokens[close + 1 : close + 3]
            yield Edit(token.start, token.start, "(")
            if len(named) == 2 and named[0].is_word("AS") and named[1].kind == "variable":
                yield Edit(named[1].end, named[1].end, ")")
            else:
                name = next(each for number in range(len(used) + 1) if (each := f"count{number or ''}") not in used)
                used.add(name)
                yield Edit(tokens[close].end, tokens[close].end, f" AS ?{name})")


def _closing(tokens: list[Token], place: int) -> int | None:
    """The place of the bracket that closes the one at a place."""
    depth = 0
    for at in range(place, len(tokens)):
        if tokens[at].kind == "sign" and tokens[at].text in "()":
            depth += 1 if tokens[at].text == "(" else -1
        if depth == 0:
            return at if at > place else None
    return None
