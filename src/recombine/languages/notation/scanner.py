"""The tokens of a text in a notation, one at a time.

What a sign such as `-` is depends on what stands before it: where a value may begin, `-3` is a number; after a value
the sign is an operator. So the reader says which of the two it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import ProgramError

if TYPE_CHECKING:
    from recombine.languages.notation.notation import Notation

WORD, VALUE, QUOTED, SIGN, END = "word", "value", "quoted", "sign", "end"


class Token(NamedTuple):
    """A piece of text: its kind, where it begins and ends, and whether no blank stands before it."""

    kind: str
    text: str
    start: int
    end: int
    touches: bool


def next_token(notation: Notation, text: str, at: int, *, value: bool, inside: bool) -> Token:
    """The token at a place: `value` says whether a value may begin there, `inside` whether it is in brackets."""
    blanks = (notation.blanks if inside else notation.blanks_of_a_line).match(text, at)
    start = at if blanks is None else blanks.end()
    touches = start == at
    if start >= len(text):
        return Token(END, "", len(text), len(text), touches)
    if notation.unclosed_comment is not None and notation.unclosed_comment.match(text, start):
        raise ProgramError(notation.name, start, "a comment that does not end", "close it")
    for opening, pattern in notation.quoted:
        if text.startswith(opening, start):
            match = pattern.match(text, start)
            if match is None:
                raise ProgramError(notation.name, start, "a string that does not end", "close its quotes")
            return Token(QUOTED, match[0], start, match.end(), touches)
    sign = notation.sign.match(text, start)
    found = _value(notation, text, start) if notation.values and (value or sign is None) else 0
    if found:
        return Token(VALUE, _folded(notation, text[start:found]), start, found, touches)
    if sign is not None:
        return Token(SIGN, sign[0], start, sign.end(), touches)
    word = notation.word.match(text, start)
    if word is None:
        raise ProgramError(notation.name, start, f"{text[start]!r} begins nothing here", "remove it")
    label = _folded(notation, word[0])
    operator = label in notation.infix or label in notation.prefix or label in notation.postfix
    return Token(SIGN if operator else WORD, label, start, word.end(), touches)


def _value(notation: Notation, text: str, start: int) -> int:
    """Where the longest literal at a place ends that is more than the word there; 0 where there is none."""
    word = notation.word.match(text, start)
    plain = start if word is None else word.end()
    longest = 0
    for pattern in notation.values:
        match = pattern.match(text, start)
        if match is not None and match.end() > max(longest, plain):
            longest = match.end()
    if not longest or notation.reserved.search(text, start, longest):
        return 0
    follows = notation.word.match(text, longest)
    return 0 if follows is not None else longest


def _folded(notation: Notation, text: str) -> str:
    return text.lower() if notation.folded else text
