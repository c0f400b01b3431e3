"""The kinds of SPARQL 1.1's terms, for structures that count kinds."""

from __future__ import annotations

import re

from recombine.languages.literals import BOOLEAN, DATE, NUMBER, STRING, identifier_kind, literal_kind

_WRITTEN = re.compile(r'(".*")(?:@[A-Za-z0-9-]+|\^\^<(?:.*[/#])?([^/#<>]*)>)?', re.DOTALL)
_DATE_TYPE = re.compile("date|g?year|g?month|g?day|time", re.IGNORECASE)
_NUMBER_TYPE = re.compile("int|dec|float|double|long|short|byte|[a-z]*integer", re.IGNORECASE)


def term_kind(label: str) -> str | None:
    """The kind of a literal, or of an IRI that ends in an identifier of Freebase or Wikidata; none for other terms.

    >>> [term_kind(label) for label in ("3.5", '"abc"@en', '"2"^^<http://x#integer>', "<http://x/Q42>", "<http://x/p>")]
    ['<number>', '<string>', '<number>', '<entity>', None]
    """
    if label in ("true", "false"):
        return BOOLEAN
    if label.startswith("<"):
        return identifier_kind(re.split("[/#]", label[1:-1])[-1])
    written = _WRITTEN.fullmatch(label)
    if written is None:
        return literal_kind(label)
    datatype = written[2] or ""
    if _DATE_TYPE.match(datatype):
        return DATE
    return NUMBER if _NUMBER_TYPE.match(datatype) else STRING if datatype else literal_kind(written[1])


def name_kind(label: str) -> str | None:
    """`<iri>` for an IRI that says something: a property, a class, a thing."""
    return "<iri>" if label.startswith("<") and label.endswith(">") and term_kind(label) is None else None
