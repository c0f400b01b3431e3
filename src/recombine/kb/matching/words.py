"""The words of a form in the text of a canonical form: names, entities and literals.

A name is written as it is, or as `<IRI>`; what would not read as one word there is written by its number. An entity has
`@` before it, a literal is in quotes, with its type as `^^<IRI>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.kb.forms.sexpression_words import NOW, is_entity_word, is_literal_word, read_word
from recombine.kb.matching.literal_value import literal_value
from recombine.kb.term import IRI, LITERAL, Term
from recombine.languages.sexpression import NAME

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

UNKNOWN_WORDS = ("@@UNKNOWN@@", "[UNK]", "<unk>")
"""What decoders write for a word that they do not have: a form with one is not whole."""
_MOST_KEPT = 100_000
"""The table of names is emptied at so many, so that it stays bounded."""
_ODD = re.compile(r'[\s()"\\]|\A[@*<]')


class Words:
    """The words that a profile reads; each name is read once."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._names: dict[str, str] = {}

    def is_value(self, word: str) -> bool:
        """Whether a word is a literal."""
        return word == NOW or is_literal_word(word)

    def is_entity(self, word: str, *, end: bool) -> bool:
        """Whether a name is an entity, at the end of a relation or elsewhere."""
        return is_entity_word(read_word(word, self.profile), self.profile, at_end=end)

    def name(self, word: str) -> str:
        """The text of a name; a word that names nothing is a `ProgramError`."""
        known = self._names.get(word)
        if known is None:
            if len(self._names) >= _MOST_KEPT:
                self._names.clear()
            known = self._names[word] = name_text(read_word(word, self.profile))
        return known

    def literal(self, word: str) -> str:
        """The text of a literal; `NOW` is a `FormError`, since it is another day by day."""
        term = read_word(word, self.profile)
        if term.kind != LITERAL:
            raise ProgramError(NAME, 0, f"{word!r} where a value belongs", "look for a bracket at the wrong place")
        return literal_text(literal_value(term))


def refuse_unknown_words(text: str) -> None:
    """Raise for a text that holds what decoders write for a word that they do not have."""
    for mark in UNKNOWN_WORDS:
        if mark in text:
            problem = f"{mark} stands for a word that the decoder does not have"
            raise ProgramError(NAME, text.index(mark), problem, "count it as malformed")


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


def constant_text(term: Term) -> str:
    """The text of an entity or a literal."""
    return literal_text(literal_value(term)) if term.kind == LITERAL else f"@{name_text(term)}"


def _by_number(match: re.Match[str]) -> str:
    return f"\\{ord(match[0]):x};"
