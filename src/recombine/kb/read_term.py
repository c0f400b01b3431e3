"""Terms and paths as people type them.

`<http://…>` is an IRI, `"1967"^^xsd:integer` or `"Rom"@de` a literal, `_:b1` a node without a name, `prefix:local` an
IRI where the profile knows the prefix, and all else a name under the profile's base. A path is relations with ` / `
between them, spaces on both sides; `^` before one goes against it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.base_names import named
from recombine.kb.store import Step
from recombine.kb.term import Term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

_LITERAL = re.compile(r'"(?P<text>.*)"(?:\^\^(?P<type>\S+)|@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*))?', re.DOTALL)


def read_term(text: str, profile: Profile) -> Term:
    """The term that a text names.

    >>> from recombine.kb.profiles.profile import Profile
    >>> plain = Profile("plain", "http://example.org/", {"xsd": "http://www.w3.org/2001/XMLSchema#"})
    >>> read_term("<http://example.org/Ang%20Lee>", plain)
    Term(kind='=', text='Ang Lee', datatype='', language='')
    >>> read_term('"1967"^^xsd:gYear', plain).datatype
    'http://www.w3.org/2001/XMLSchema#gYear'
    """
    if text.startswith("<") and text.endswith(">") and len(text) > 2:
        return named(Term.iri(text[1:-1]), profile.base)
    if text.startswith("_:") and len(text) > 2:
        return Term.blank(text[2:])
    literal = _LITERAL.fullmatch(text)
    if literal is not None:
        datatype = read_term(literal["type"], profile) if literal["type"] else None
        if datatype is not None and datatype.kind != "<":
            raise OptionError(f"{text}: {literal['type']} names no type", "write ^^<IRI>, or ^^xsd:integer and the like")
        return Term.literal(literal["text"], datatype=datatype.text if datatype else "", language=literal["language"] or "")
    prefix, colon, local = text.partition(":")
    if colon and prefix in profile.prefixes:
        return named(Term.iri(profile.prefixes[prefix] + local), profile.base)
    return Term.name(text)


def read_path(text: str, profile: Profile) -> tuple[Step, ...]:
    """The steps of a path.

    >>> from recombine.kb.profiles.profile import Profile
    >>> [(step.relation.text, step.inverse) for step in read_path("directed_by / ^directed_by", Profile("plain", ""))]
    [('directed_by', False), ('directed_by', True)]
    """
    steps = []
    for word in re.split(r"\s+/\s+", text.strip()):
        relation = word.removeprefix("^").strip()
        if not relation:
            raise OptionError(f"{text!r}: a step without a relation", 'write relations with " / " between them')
        steps.append(Step(read_term(relation, profile), word.startswith("^")))
    return tuple(steps)
