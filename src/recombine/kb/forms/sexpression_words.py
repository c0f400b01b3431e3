r"""The words of S-expressions: names, and literals as GrailQA writes them.

A name is as the profile shows it (`film.film`, `wdt:P50`); one that would be taken for something else, or that holds
white space or brackets, is written as an IRI in which those are escapes (`<http://…/A_\u0028film\u0029>`). A literal is
its text and its type, `5^^http://www.w3.org/2001/XMLSchema#integer`, in quotes where the text needs them.

Where a set is wanted, a word is an entity or a class. Its look tells which where the profile can tell entities by their
look; else it is an entity at the end of a `JOIN`, and a class elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError, ProgramError
from recombine.kb.base_names import iri_of_name
from recombine.kb.term import IRI, LITERAL, NAME, Term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

XSD = "http://www.w3.org/2001/XMLSchema#"
_TYPED = re.compile(r'(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^"]*?))\^\^(?P<type>\S+)', re.DOTALL)
_PLAIN = {
    "integer": re.compile(r"[+-]?\d+"),
    "decimal": re.compile(r"[+-]?\d*\.\d+|[+-]?\d+\."),
    "double": re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "gYearMonth": re.compile(r"\d{4}-\d\d"),
}
"""Literals without quotes and type, and the types that they have."""
_BARE_TEXT = re.compile(r'[^\s()"\\<>^]+')
_BARE_TYPE = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\s()"\\<>^{}|`]*')
_OUTSIDE = re.compile(r"[\s()\"\x00-\x20]")
NOW = "NOW"


def is_literal_word(word: str) -> bool:
    """Whether a word is a literal."""
    return word.startswith('"') or "^^" in word or any(look.fullmatch(word) for look in _PLAIN.values())


def read_word(word: str, profile: Profile) -> Term:
    """The term that a word names.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> read_word("5^^http://www.w3.org/2001/XMLSchema#integer", find_profile("freebase"))
    Term(kind='"', text='5', datatype='http://www.w3.org/2001/XMLSchema#integer', language='')
    >>> read_word("film.film", find_profile("freebase")).key
    '=film.film'
    """
    if word == NOW:
        raise FormError(f"{NOW} is the day on which a query is asked, and no literal", "write the date")
    try:
        typed = _TYPED.fullmatch(word)
        if typed is not None:
            return _typed_literal(typed, profile)
        for name, look in _PLAIN.items():
            if look.fullmatch(word):
                return Term.literal(word, datatype=XSD + name)
        return profile.term(word)
    except OptionError as error:
        raise ProgramError("S-expression", 0, error.problem, error.remedy) from error


def _typed_literal(typed: re.Match[str], profile: Profile) -> Term:
    text = profile.term(f'"{typed["quoted"]}"').text if typed["quoted"] is not None else typed["bare"]
    name = typed["type"]
    datatype = name if _BARE_TYPE.fullmatch(name) and "//" in name else profile.term(f'""^^{name}').datatype
    return Term.literal(text, datatype=datatype)


def write_word(term: Term, profile: Profile) -> str:
    """The word that names a term, which `read_word` takes back to it.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> write_word(Term.literal("5.0", datatype="http://www.w3.org/2001/XMLSchema#float"), find_profile("freebase"))
    '5.0^^http://www.w3.org/2001/XMLSchema#float'
    >>> print(write_word(Term.name("A_(film)"), find_profile("dbpedia")))
    <http://dbpedia.org/resource/A_\\u0028film\\u0029>
    """
    if term.kind == LITERAL:
        return _literal_word(term, profile)
    word = profile.show(term)
    if word == NOW or _OUTSIDE.search(word) or is_literal_word(word) or _read_apart(word, term, profile):
        word = f"<{profile.expand(term) if term.kind in (NAME, IRI) else iri_of_name(term.text, profile.base)}>"
    return _OUTSIDE.sub(lambda match: f"\\u{ord(match[0]):04X}", word)


def _read_apart(word: str, term: Term, profile: Profile) -> bool:
    try:
        return profile.term(word) != term
    except OptionError:
        return True


def _literal_word(term: Term, profile: Profile) -> str:
    if not term.datatype:
        return profile.show(term)
    bare = _BARE_TEXT.fullmatch(term.text)
    text = term.text if bare else profile.show(Term.literal(term.text))
    if _BARE_TYPE.fullmatch(term.datatype) and "//" in term.datatype:
        return f"{text}^^{term.datatype}"
    escaped = _OUTSIDE.sub(lambda match: f"\\u{ord(match[0]):04X}", term.datatype)
    return f"{text}^^<{escaped}>"


def is_entity_word(term: Term, profile: Profile, *, at_end: bool) -> bool:
    """Whether a name that stands for a set is an entity, at the end of a `JOIN` or elsewhere, or else a class."""
    return profile.is_entity(term) if profile.tells_entities else at_end
