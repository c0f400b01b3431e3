"""Names under the base of a profile, and the IRIs that they stand for.

The IRI of a name is the base and the name, in which the characters that no IRI may have, and `%`, are percent-encoded.
An IRI under the base has a name where encoding the name gives the IRI back, so that a name and its IRI are one term:
`%20` there is a space, `%C3%A9` stays as it is, since `é` is not encoded.
"""

from __future__ import annotations

import re

from recombine.kb.term import IRI, NAME, Term

ENCODED = frozenset([*range(0x21), 0x7F, *b'"#<>%[\\]^`{|}'])
"""The bytes that stand percent-encoded in the IRI of a name; of `#` an IRI has one at most, and of `[` none here."""
_ENCODED = re.compile("[" + re.escape("".join(map(chr, sorted(ENCODED)))) + "]")
_ESCAPE = re.compile("%([0-9A-F]{2})")


def iri_of_name(name: str, base: str) -> str:
    """The IRI of a name under a base.

    >>> iri_of_name("Fahrenheit 9/11", "http://example.org/")
    'http://example.org/Fahrenheit%209/11'
    """
    return base + _ENCODED.sub(lambda match: f"%{ord(match[0]):02X}", name)


def name_of_iri(iri: str, base: str) -> str | None:
    """The name that an IRI has under a base, if it has one.

    >>> name_of_iri("http://example.org/Fahrenheit%209/11", "http://example.org/")
    'Fahrenheit 9/11'
    """
    if not iri.startswith(base):
        return None
    name = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), iri[len(base) :])
    return name if iri_of_name(name, base) == iri else None


def named(term: Term, base: str) -> Term:
    """The term by its name where it is given by an IRI that has one."""
    name = name_of_iri(term.text, base) if term.kind == IRI else None
    return term if name is None else Term(NAME, name)
