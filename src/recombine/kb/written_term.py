"""A term as SPARQL and N-Triples write it: the one place where text of data becomes text of a query."""

from __future__ import annotations

import re

from recombine.errors import AnswerError
from recombine.kb.base_names import iri_of_name
from recombine.kb.term import BLANK, LITERAL, NAME, Term

_IRI_STAYS_OUT = re.compile(r"[\x00-\x20<>\"{}|\\^`]")
_LANGUAGE = re.compile(r"[A-Za-z]+(-[A-Za-z0-9]+)*")
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\0": "\\u0000"}
)


def written_term(term: Term, base: str) -> str:
    r"""The term as a query writes it; what cannot be named in a query is refused.

    >>> print(written_term(Term.name('a "b" {c}'), "http://example.org/"))
    <http://example.org/a%20%22b%22%20%7Bc%7D>
    >>> print(written_term(Term.literal('say "x"\n\\', language="en"), ""))
    "say \"x\"\n\\"@en
    """
    if term.kind == LITERAL:
        return _literal(term)
    if term.kind == BLANK:
        raise AnswerError(f"the node _:{term.text} has no name that a query can use", "ask from a node that has one")
    return _resource(iri_of_name(term.text, base) if term.kind == NAME else term.text)


def _resource(iri: str) -> str:
    bad = _IRI_STAYS_OUT.search(iri)
    if bad is not None:
        raise AnswerError(f"{iri!r} is no IRI (it holds {bad[0]!r})", "percent-encode it")
    if ":" not in iri:
        raise AnswerError(f"{iri!r} is no whole IRI", "give it with its scheme, such as http:")
    return f"<{iri}>"


def _literal(term: Term) -> str:
    text = f'"{term.text.translate(_ESCAPES)}"'
    if term.language:
        if not _LANGUAGE.fullmatch(term.language):
            raise AnswerError(f"{term.language!r} is no language tag", "give one such as en or pt-br")
        return f"{text}@{term.language}"
    return f"{text}^^{_resource(term.datatype)}" if term.datatype else text
