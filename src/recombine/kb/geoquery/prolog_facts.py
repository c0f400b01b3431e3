"""A reader of Prolog facts: `city('texas','tx','austin',345496).`

A fact is a relation and its arguments, ends with a full stop and may go over several lines. An argument is a name in
single quotes (or a bare word that begins with a small letter), a number, or a list of names. Comments (`% …` and
`/* … */`) may be anywhere between tokens. Rules, directives, variables and nested terms are refused with their line.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Number = int | float
Argument = str | Number | tuple[str, ...]
_TOKEN = re.compile(
    r"""(?P<blank>\s+|%[^\n]*|/\*.*?\*/)
    |(?P<name>'(?:[^'\\\n]|\\.|'')*')
    |(?P<number>[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)
    |(?P<word>[a-z][A-Za-z0-9_]*)
    |(?P<sign>[()\[\],.])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Fact:
    """One fact and the line on which it begins."""

    relation: str
    arguments: tuple[Argument, ...]
    line: int


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


class _Tokens:
    """The tokens of a text and how far they are read."""

    def __init__(self, text: str, path: Path | str) -> None:
        self.path = path
        self.tokens = list(self._iter_tokens(text))
        self.next = 0

    def _iter_tokens(self, text: str) -> Iterator[_Token]:
        at, line = 0, 1
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                what = "a name that does not end" if text[at] == "'" else f"{text[at]!r} is no part of a fact"
                raise RecordError(self.path, f"line {line}", what, "write facts alone: relation(argument, …).")
            if match.lastgroup != "blank":
                yield _Token(str(match.lastgroup), match[0], line)
            line += match[0].count("\n")
            at = match.end()
        yield _Token("end", "the end of the file", line)

    def peek(self) -> _Token:
        return self.tokens[self.next]

    def take(self, kind: str, wanted: str) -> _Token:
        """The next token, when it is of this kind."""
        token = self.peek()
        if token.kind != kind:
            raise self.fault(wanted)
        self.next += 1
        return token

    def takes(self, sign: str) -> bool:
        """Whether the next token is this sign; it is then read."""
        if self.peek().text != sign:
            return False
        self.next += 1
        return True

    def must_take(self, sign: str) -> None:
        if not self.takes(sign):
            raise self.fault(repr(sign))

    def fault(self, wanted: str) -> RecordError:
        """What to raise where something else is wanted."""
        token = self.peek()
        return RecordError(
            self.path, f"line {token.line}", f"{token.text} stands where {wanted} belongs", "mend the fact"
        )


def iter_facts(text: str, *, path: Path | str = "facts") -> Iterator[Fact]:
    """The facts of a text, in order; `path` names the text in errors.

    >>> list(iter_facts("lake('tahoe', 497, [nevada, california]). % in two states"))
    [Fact(relation='lake', arguments=('tahoe', 497, ('nevada', 'california')), line=1)]
    """
    tokens = _Tokens(text, path)
    while tokens.peek().kind != "end":
        start = tokens.take("word", "the name of a relation")
        tokens.must_take("(")
        arguments = [_argument(tokens)]
        while tokens.takes(","):
            arguments.append(_argument(tokens))
        tokens.must_take(")")
        tokens.must_take(".")
        yield Fact(start.text, tuple(arguments), start.line)


def _argument(tokens: _Tokens) -> Argument:
    if tokens.takes("["):
        names: list[str] = []
        while not tokens.takes("]"):
            if names:
                tokens.must_take(",")
            names.append(_name(tokens))
        return tuple(names)
    return _number(tokens) if tokens.peek().kind == "number" else _name(tokens)


def _number(tokens: _Tokens) -> Number:
    """A number; one without a fraction is an `int`, however it is written."""
    value = float(tokens.peek().text)
    if not math.isfinite(value):
        raise tokens.fault("a number of this machine")
    tokens.take("number", "a number")
    return int(value) if value.is_integer() else value


def _name(tokens: _Tokens) -> str:
    if tokens.peek().kind == "word":
        return tokens.take("word", "a name").text
    quoted = tokens.take("name", "a name or a number").text[1:-1]
    return re.sub(r"\\(.)|''", lambda match: match[1] or "'", quoted)
