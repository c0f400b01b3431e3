"""The tokens of a SPARQL query as far as it is to be rewritten: strings, comments and IRIs are told from the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = r"(?:[^\W\d_](?:[\w.\-·]*[\w\-·])?)?"
_LOCAL_LAST = r"(?:[\w\-·:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])"
_LOCAL = rf"(?:(?!-){_LOCAL_LAST}(?:(?:\.|{_LOCAL_LAST})*{_LOCAL_LAST})?)?"
_TOKEN = re.compile(
    rf"""
    (?P<string> \"\"\"(?:\"{{0,2}}(?:[^\"\\]|\\.))*\"\"\" | '''(?:'{{0,2}}(?:[^'\\]|\\.))*'''
              | \"(?:[^\"\\\n\r]|\\.)*\" | '(?:[^'\\\n\r]|\\.)*')
  | (?P<comment> \#[^\n\r]*)
  | (?P<iri> <(?:[^<>\"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*>)
  | (?P<variable> [?$]\w+)
  | (?P<blank> _:\w(?:[\w.\-]*[\w\-])?)
  | (?P<name> {_PREFIX}:{_LOCAL})
  | (?P<word> [^\W\d]\w*)
  | (?P<space> \s+)
  | (?P<sign> .)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A token: what it is, its text, and where it begins."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.start + len(self.text)

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these words, which are given in capitals."""
        return self.kind == "word" and self.text.upper() in words


def iter_tokens(query: str) -> Iterator[Token]:
    """The tokens of a query but for space and comments.

    >>> [token.text for token in iter_tokens('ASK { ns:film.director.film. "ns:a.b.c" }')]
    ['ASK', '{', 'ns:film.director.film', '.', '"ns:a.b.c"', '}']
    """
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup
        if kind is not None and kind not in ("space", "comment"):
            yield Token(kind, match[0], match.start())


def unescaped_local(name: str) -> tuple[str, str]:
    """The prefix of a prefixed name, and what is after its colon without escapes."""
    prefix, _, local = name.partition(":")
    return prefix, re.sub(r"\\(.)", r"\1", local)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The line and column of a place in a text, both counted from 1."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1
