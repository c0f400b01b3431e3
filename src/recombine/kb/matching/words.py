"""The words of an S-expression in the text of a canonical form: names, entities and literals.

A name is written as it is, or as `<IRI>`; what would not read as one word there is written by its number. An entity has
`@` before it, a literal is in quotes, with its type as `^^<IRI>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import OptionError, ProgramError
from recombine.kb.matching.literal_value import literal_value, read_literal
from recombine.kb.term import IRI, LITERAL, Term
from recombine.languages.sexpression import NAME

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

UNKNOWN_WORDS = ("@@UNKNOWN@@", "[UNK]", "<unk>")
"""What decoders write for a word that they do not have: a form with one is not whole."""
_VALUE = re.compile(r'".*|.*\^\^.*|[+-]?\d[\d.eE+-]*|NOW', re.DOTALL)
_ANY = ".+"
"""The look of an entity that tells nothing."""
_MOST_KEPT = 100_000
"""The table of names is emptied at so many, so that it stays bounded."""
_ODD = re.compile(r'[\s()"\\]|\A[@*<]')


class Words:
    """The words that a profile reads; each name is read once."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.by_look = profile.entity != _ANY
        """Whether an entity is told by its look; else it is one where a relation ends, and a class elsewhere."""
        self._names: dict[str, str] = {}

    def is_value(self, word: str) -> bool:
        """Whether a word is a literal."""
        return _VALUE.fullmatch(word) is not None

    def is_entity(self, word: str, *, end: bool) -> bool:
        """Whether a name is an entity, at the end of a relation or elsewhere."""
        return self.profile.is_entity(Term.name(self.name(word))) if self.by_look else end

    def name(self, word: str) -> str:
        """The text of a name; one that no name can have is a `ProgramError`."""
        known = self._names.get(word)
        if known is None:
            if len(self._names) >= _MOST_KEPT:
                self._names.clear()
            known = self._names[word] = self._read_name(word)
        return known

    def literal(self, word: str) -> str:
        """The text of a literal."""
        _refuse_unknown(word)
        return literal_text(literal_value(read_literal(word, self.profile)))

    def _read_name(self, word: str) -> str:
        _refuse_unknown(word)
        if not word.startswith("<") and ":" not in word:
            return name_text(Term.name(word))
        try:
            term = self.profile.term(word)
        except OptionError as error:
            raise ProgramError(NAME, 0, error.problem, error.remedy) from None
        return name_text(Term.name(word) if term.kind == LITERAL else term)


def name_text(term: Term) -> str:
    """The text of a resource.

    >>> name_text(Term.name("film.film")), name_text(Term.name("Heat (film)"))
    ('film.film', 'Heat\\\\20;\\\\28;film\\\\29;')
    """
    if term.kind == IRI:
        return f"<{_ODD.sub(_by_number, term.text)}>"
    return _ODD.sub(_by_number, term.text)


def literal_text(term: Term) -> str:
    """The text of a literal."""
    value = term.text.replace("\\", "\\\\").replace('"', '\\"')
    if term.language:
        return f'"{value}"@{term.language}'
    return f'"{value}"^^<{term.datatype}>' if term.datatype else f'"{value}"'


def _by_number(match: re.Match[str]) -> str:
    return f"\\{ord(match[0]):x};"


def _refuse_unknown(word: str) -> None:
    for mark in UNKNOWN_WORDS:
        if mark in word:
            problem = f"{word!r} holds {mark}, which a decoder writes for a word that it does not have"
            raise ProgramError(NAME, 0, problem, "count it as malformed")
