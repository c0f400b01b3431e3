"""A predicate as it is typed: atoms with `&`, `|`, `!` and brackets, read without running anything.

`&` binds more tightly than `|`. An atom is a name and what it is about with colons between, `under:count:distinct`; a
part may name several with commas, any but these with a leading `~`, anything with `*` and any number with `#`:
`place:all,some:1:~find`. What has one of these signs in it stands in double quotes, `arg:"*"`, in which a backslash
keeps the sign that follows. What an atom means is not known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANYTHING, NUMBER, BUT = "*", "#", "~"
DEEPEST = 100
"""The most brackets and exclamation marks inside each other."""
_ENDS = "&|()"
_UNQUOTED = re.compile(r'[^\s&|()!:,~#*"\\][^&|():,~#*"\\]*(?<!\s)')


@dataclass(frozen=True)
class Word:
    """One of the things that a part names."""

    text: str
    quoted: bool = False
    """Whether it looks like a sign and is a name all the same."""

    @property
    def sign(self) -> str:
        """The sign that it is, empty where it is a name."""
        return "" if self.quoted or self.text not in (ANYTHING, NUMBER) else self.text

    def __str__(self) -> str:
        return self.text if self.sign or _UNQUOTED.fullmatch(self.text) else quoted(self.text)


@dataclass(frozen=True)
class Part:
    """What stands between two colons of an atom: words of which one is meant, or any but these."""

    words: tuple[Word, ...]
    but: bool = False

    def __str__(self) -> str:
        return (BUT if self.but else "") + ",".join(map(str, self.words))


@dataclass(frozen=True)
class Atom:
    """A name and what it is about."""

    parts: tuple[Part, ...]
    position: int = field(default=0, compare=False)
    """Where it stands in the text it was read from, counted from 0."""

    @property
    def name(self) -> str:
        """The first part, which says what kind of atom it is."""
        return str(self.parts[0])

    def __str__(self) -> str:
        return ":".join(map(str, self.parts))


@dataclass(frozen=True)
class Not:
    """What does not hold."""

    of: Predicate

    def __str__(self) -> str:
        return f"!{_bracketed(self.of, (Atom, Not))}"


@dataclass(frozen=True)
class AllOf:
    """Several predicates that hold together."""

    of: tuple[Predicate, ...]

    def __str__(self) -> str:
        return " & ".join(_bracketed(each, (Atom, Not)) for each in self.of)


@dataclass(frozen=True)
class AnyOf:
    """Several predicates of which one holds at least."""

    of: tuple[Predicate, ...]

    def __str__(self) -> str:
        return " | ".join(_bracketed(each, (Atom, Not, AllOf)) for each in self.of)


Predicate = Atom | Not | AllOf | AnyOf


def quoted(text: str) -> str:
    """A text in quotes, as an atom writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _bracketed(predicate: Predicate, bare: tuple[type, ...]) -> str:
    return str(predicate) if isinstance(predicate, bare) else f"({predicate})"


def iter_atoms(predicate: Predicate) -> Iterator[Atom]:
    """The atoms of a predicate, from left to right."""
    if isinstance(predicate, Atom):
        yield predicate
        return
    for each in (predicate.of,) if isinstance(predicate, Not) else predicate.of:
        yield from iter_atoms(each)


def replaced(predicate: Predicate, change: Callable[[Atom], Predicate]) -> Predicate:
    """The predicate with another in the place of each atom."""
    if isinstance(predicate, Atom):
        return change(predicate)
    if isinstance(predicate, Not):
        return Not(replaced(predicate.of, change))
    return type(predicate)(tuple(replaced(each, change) for each in predicate.of))


def parse_predicate(text: str, *, what: str = "the predicate") -> Predicate:
    """The predicate of a text; `what` names it in errors, which give the column.

    >>> str(parse_predicate("(has:count&has:attr) | !ans:3"))
    'has:count & has:attr | !ans:3'
    >>> parse_predicate("has:count & (has:attr")
    Traceback (most recent call last):
    recombine.errors.OptionError: the predicate, column 13: this bracket is not closed; add ')'
    """
    reader = _Reader(text, what)
    predicate = reader.any_of(0)
    if reader.at < len(text):
        if text[reader.at] == ")":
            raise reader.fault(reader.at, "this bracket was not opened", "take it away, or add '('")
        raise reader.fault(reader.at, "an operator is missing here", "write & or | between two atoms")
    return predicate


class _Reader:
    """A text and how far it is read."""

    def __init__(self, text: str, what: str) -> None:
        self.text, self.what, self.at = text, what, 0
        self._skip()

    def fault(self, position: int, problem: str, remedy: str) -> OptionError:
        return OptionError(f"{self.what}, column {position + 1}: {problem}", remedy)

    def any_of(self, depth: int) -> Predicate:
        each = [self._all_of(depth)]
        while self._takes("|"):
            each.append(self._all_of(depth))
        return each[0] if len(each) == 1 else AnyOf(tuple(each))

    def _all_of(self, depth: int) -> Predicate:
        each = [self._one(depth)]
        while self._takes("&"):
            each.append(self._one(depth))
        return each[0] if len(each) == 1 else AllOf(tuple(each))

    def _one(self, depth: int) -> Predicate:
        start = self.at
        if depth > DEEPEST:
            raise self.fault(start, f"more than {DEEPEST} brackets inside each other", "write it with fewer")
        if self._takes("!"):
            return Not(self._one(depth + 1))
        if self._takes("("):
            inner = self.any_of(depth + 1)
            if not self._takes(")"):
                if self.at < len(self.text):
                    raise self.fault(self.at, "an operator is missing here", "write & or | between two atoms")
                raise self.fault(start, "this bracket is not closed", "add ')'")
            return inner
        return self._atom()

    def _atom(self) -> Atom:
        start = self.at
        parts = [self._part()]
        while self.at < len(self.text) and self.text[self.at] == ":":
            self.at += 1
            parts.append(self._part())
        self._skip()
        return Atom(tuple(parts), start)

    def _part(self) -> Part:
        self._skip()
        but = self.text.startswith(BUT, self.at)
        self.at += but
        words = [self._word()]
        while self.at < len(self.text) and self.text[self.at] == ",":
            self.at += 1
            words.append(self._word())
        return Part(tuple(words), but)

    def _word(self) -> Word:
        """Signs up to the next that ends a word; a stretch in quotes may be part of one."""
        self._skip()
        start, text, has_quotes, kept = self.at, "", False, 0
        while self.at < len(self.text) and self.text[self.at] not in _ENDS + ":,":
            if self.text[self.at] == '"':
                text, has_quotes = text + self._in_quotes(), True
                kept = len(text)  # blanks in quotes are meant
                continue
            text += self.text[self.at]
            self.at += 1
        text = text[:kept] + text[kept:].rstrip()
        if not text and not has_quotes:
            found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
            raise self.fault(start, f"an atom was expected and {found} was found", "write one such as has:quant")
        return Word(text, has_quotes and text in (ANYTHING, NUMBER))

    def _in_quotes(self) -> str:
        start, text = self.at, ""
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            self.at += self.text[self.at] == "\\"
            text += self.text[self.at : self.at + 1]
            self.at += 1
        if self.at >= len(self.text):
            raise self.fault(start, "this quote is not closed", "add '\"'")
        self.at += 1
        return text

    def _takes(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        self._skip()
        return True

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
