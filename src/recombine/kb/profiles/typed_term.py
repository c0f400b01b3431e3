"""Terms as people type them, and as they are shown to people.

`<http://…>` is an IRI, `"1967"^^xsd:integer` or `"Rom"@de` a literal with the escapes of N-Triples, `_:b1` a node
without a name, `prefix:local` an IRI where the profile knows the prefix, and all else is a name under the profile's
base.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.base_names import iri_of_name, named
from recombine.kb.term import BLANK, IRI, LITERAL, NAME, Term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

_LITERAL = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)"(?:\^\^(?P<type>\S+)|@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*))?', re.DOTALL
)
_WHOLE_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f]*")
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_WRITTEN = str.maketrans(
    {character: f"\\{letter}" for letter, character in _ESCAPED.items() if character != "'"} | {"\0": "\\u0000"}
)


def read_term(text: str, profile: Profile) -> Term:
    """The term that a text names."""
    if text.startswith("<") and text.endswith(">"):
        return _resource(text, _unescaped(text, text[1:-1]), profile)
    if text.startswith("_:") and len(text) > 2:
        return Term.blank(text[2:])
    literal = _LITERAL.fullmatch(text)
    if literal is not None:
        return _literal(text, literal, profile)
    prefix, colon, local = text.partition(":")
    if colon and prefix in profile.prefixes:
        return _resource(text, profile.prefixes[prefix] + local, profile)
    if not text:
        raise OptionError("an empty text names nothing in a knowledge base", "give a name, or an IRI as <http://…>")
    return Term.name(text)


def show_term(term: Term, profile: Profile) -> str:
    """The text that names a term, the shortest that reads back as the same."""
    if term.kind == LITERAL:
        return _show_literal(term, profile)
    if term.kind == BLANK:
        return f"_:{term.text}"
    if term.kind == NAME:
        plain = term.text.isprintable() and not _names_another(term, profile)
        return term.text if plain else _bracketed(iri_of_name(term.text, profile.base))
    return _show_iri(term.text, profile)


def _names_another(term: Term, profile: Profile) -> bool:
    try:
        return read_term(term.text, profile) != term
    except OptionError:
        return True


def _resource(text: str, iri: str, profile: Profile) -> Term:
    if not _WHOLE_IRI.fullmatch(iri):
        raise OptionError(f"{text!r} is no whole IRI", "write <http://…> with other characters percent-encoded")
    return named(Term(IRI, iri), profile.base)


def _literal(text: str, literal: re.Match[str], profile: Profile) -> Term:
    datatype = ""
    if literal["type"]:
        term = read_term(literal["type"], profile)
        if term.kind not in (IRI, NAME) or (term.kind == NAME and term.text == literal["type"]):
            raise OptionError(
                f"{text}: {literal['type']} names no type", "write ^^<IRI>, or ^^xsd:integer and the like"
            )
        datatype = iri_of_name(term.text, profile.base) if term.kind == NAME else term.text
    return Term.literal(_unescaped(text, literal["text"]), datatype=datatype, language=literal["language"] or "")


def _unescaped(text: str, quoted: str) -> str:
    def character(match: re.Match[str]) -> str:
        number = int(match[1] or match[2] or "0", 16)
        if match[3] is None and (number > 0x10FFFF or 0xD800 <= number <= 0xDFFF):
            raise OptionError(f"{text}: {match[0]} is no character", "write the character itself")
        if match[3] is not None and match[3] not in _ESCAPED:
            raise OptionError(f"{text}: {match[0]} is no escape", r"write \\ for a stroke")
        return chr(number) if match[3] is None else _ESCAPED[match[3]]

    return _ESCAPE.sub(character, quoted)


def _show_literal(term: Term, profile: Profile) -> str:
    text = f'"{term.text.translate(_WRITTEN)}"'
    if term.language:
        return f"{text}@{term.language}"
    return f"{text}^^{_show_iri(term.datatype, profile)}" if term.datatype else text


def _show_iri(iri: str, profile: Profile) -> str:
    stems = [(stem, prefix) for prefix, stem in profile.prefixes.items() if stem and iri.startswith(stem)]
    for stem, prefix in sorted(stems, key=lambda pair: (-len(pair[0]), pair[1])):
        if _LOCAL.fullmatch(iri[len(stem) :]) and ":" not in prefix:
            return f"{prefix}:{iri[len(stem) :]}"
    return _bracketed(iri)


def _bracketed(iri: str) -> str:
    """An IRI in brackets, what cannot be printed in it as escapes."""
    return f"<{''.join(one if one.isprintable() else _numbered(one) for one in iri)}>"


def _numbered(character: str) -> str:
    return f"\\u{ord(character):04X}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"
