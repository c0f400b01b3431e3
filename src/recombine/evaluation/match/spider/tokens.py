"""The words of a query as the published evaluator cuts them.

It cuts as one cuts English: brackets, commas, `;`, `!`, `<`, `>` and `*` stand alone wherever they are, `=`, `+`, `-`
and `/` only between blanks, so that `a=1` and `a>=1` are words it cannot read. Single and double quotes are one; a text
in quotes is a word of its own only between blanks or signs, too. All other words are in lower case.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError

LANGUAGE = "spider"
_SIGNS = r";@#$%&?!*()<>{}`«»“”‘’„\[\]"
_WORD = re.compile(
    rf'[{_SIGNS}]|[:,](?!\d)|--|\.{{2,}}|(?:"[^"]*"|[^\s{_SIGNS}:,.\-"]|[:,](?=\d)|-(?!-)|\.(?!\.))+',
)
_LAST_STOP = re.compile(r"(?<=[^.])\.([\])}>»”’\s]*)$")
_BEFORE_EQUALS = frozenset("!<>")
_NO_QUOTE = "\0"
"""In place of a quote within a longer word: what has a quote is read as a value, and such a word is none."""


def tokens(text: str) -> list[str]:
    """The words of a query.

    >>> tokens("SELECT Name FROM dogs WHERE age >= 3 AND breed = 'Pug'")
    ['select', 'name', 'from', 'dogs', 'where', 'age', '>=', '3', 'and', 'breed', '=', '"Pug"']
    """
    words = [_word(word) for word in _WORD.findall(_prepared(text))]
    return _joined(words) if "=" in words else words


def position(text: str, number: int) -> int:
    """Where in a query its word of this number stands, from 0; its end where it has less words."""
    before, count = "", -1
    for match in _WORD.finditer(_prepared(text)):
        count += not (match.group() == "=" and before in _BEFORE_EQUALS)
        if count == number:
            return match.start()
        before = match.group()
    return len(text)


def _prepared(text: str) -> str:
    """The text with one kind of quotes, which must be paired, and with a last full stop as a word of its own."""
    text = text.replace("'", '"')
    if text.count('"') % 2:
        raise ProgramError(LANGUAGE, text.rindex('"'), "a quote that is not paired", "close it")
    return _LAST_STOP.sub(r" .\1", text)


def _word(word: str) -> str:
    if '"' not in word:
        return word.lower()
    return word if word[0] == word[-1] == '"' and word.count('"') == 2 else word.lower().replace('"', _NO_QUOTE)


def _joined(words: list[str]) -> list[str]:
    """The words with `>=`, `<=` and `!=` as one each, also where a blank stands between."""
    made: list[str] = []
    for word in words:
        if word == "=" and made and made[-1] in _BEFORE_EQUALS:
            made[-1] += word
        else:
            made.append(word)
    return made
