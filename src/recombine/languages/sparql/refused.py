"""What to say of a token that the grammar has no place for: what was met, and what could stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.sparql.tokens import NAME, token_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark.exceptions import UnexpectedToken

    from recombine.languages.sparql.reading import Reading

_MOST = 8
"""The most things that are listed."""
_SHOWN = 40
"""The most characters of what was met."""
_WORDS = {
    "VARIABLE": "a variable",
    "IRI": "an IRI or prefixed name",
    "A": "`a`",
    "BLANK": "a blank node",
    "STRING": "a string",
    "INTEGER": "a number",
    "NUMBER": "a number",
    "SIGNED": "a number",
    "BOOLEAN": "`true` or `false`",
    "LANGUAGE": "a language as `@en`",
    "FUNCTION": "a function",
    "COUNT": "an aggregate",
    "AGGREGATE": "an aggregate",
    "GROUP_CONCAT": "an aggregate",
    "EQUALS": "a comparison",
    "COMPARISON": "a comparison",
    "_NAMESPACE": "a prefix as `name:`",
    "_DECLARED": "an IRI in angle brackets",
    "_LBRACE": "`{`",
    "_RBRACE": "`}`",
    "_LPAR": "`(`",
    "_RPAR": "`)`",
    "_LBRACK": "`[`",
    "_RBRACK": "`]`",
    "_DOT": "`.`",
    "_SEMICOLON": "`;`",
    "_COMMA": "`,`",
    "_CARETS": "`^^`",
    "_CARET": "`^`",
    "_BAR": "`|`",
    "_BANG": "`!`",
    "_OR": "`||`",
    "_AND": "`&&`",
    "PLUS": "`+`",
    "DASH": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "QUESTION": "`?`",
    "$END": "the end of the query",
}
"""The words for tokens, what is most often meant first; other tokens are words of the language."""
_ORDER = {word: place for place, word in enumerate(_WORDS.values())}


def refused(error: UnexpectedToken, reading: Reading) -> ProgramError:
    """The error of a token that cannot stand where it does."""
    token = error.token
    could = f"here could stand {_listed(error.accepts or error.expected)}"
    if token.type == "$END":
        return ProgramError(NAME, len(reading.text[: reading.end].rstrip()), "the query ends too early", could)
    if token.value == "<" and "IRI" in error.expected:
        problem = "an IRI that does not end, or with a character that no IRI has"
        return ProgramError(NAME, token.start_pos, problem, "write it as <http://…>, with no blank in it")
    met = token_text(reading, token.start_pos)
    shown = met if len(met) <= _SHOWN else f"{met[: _SHOWN - 1]}…"
    return ProgramError(NAME, token.start_pos, f"{shown!r} cannot stand here", could)


def _listed(terminals: Iterable[str]) -> str:
    """The words for tokens in one order, most of them if they are many."""
    words = {_WORDS.get(terminal, f"`{terminal.lstrip('_')}`") for terminal in terminals}
    ordered = sorted(words, key=lambda word: (_ORDER.get(word, len(_ORDER)), word))
    more = len(ordered) - _MOST
    listed = [*ordered[:_MOST], f"{more} more"] if more > 1 else ordered
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
