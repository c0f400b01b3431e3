"""Terms and paths as people type them.

A term is what the profile takes it for. A path is relations with ` / ` between them, spaces on both sides; `^` before
one goes against it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.store import Step

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


def read_term(text: str, profile: Profile) -> Term:
    """The term that a text names.

    >>> from recombine.kb.profiles.profile import Profile
    >>> plain = Profile("plain", "http://example.org/", {"xsd": "http://www.w3.org/2001/XMLSchema#"})
    >>> read_term("<http://example.org/Ang%20Lee>", plain)
    Term(kind='=', text='Ang Lee', datatype='', language='')
    >>> read_term('"1967"^^xsd:gYear', plain).datatype
    'http://www.w3.org/2001/XMLSchema#gYear'
    """
    return profile.term(text)


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
