"""Property paths as queries of rules write them: alternatives of sequences of relations, some against the facts.

`a.b/ns:c.d|^ns:e.f` is the relation `a.b` and then `c.d`, or `e.f` from its object to its subject. The prefix `ns:` is
that of names under the profile's base, whether the profile has it or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.grounding.query_name import NAMES
from recombine.kb.store import Step
from recombine.kb.term import Term
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

TYPE = "a"
"""The word of a query for the predicate of types."""
TYPE_PREDICATE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_NAMES = f"{NAMES}:"
_NOT_READ = "()*+?!"

Path = tuple[tuple[Step, ...], ...]


def read_property(text: str, profile: Profile) -> Path:
    """The alternatives of a path, each a sequence of steps.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> path = "film.actor.film/ns:film.performance.film|^ns:film.film.starring"
    >>> for steps in read_property(path, find_profile("freebase")):
    ...     print([(step.relation.text, step.inverse) for step in steps])
    [('film.actor.film', False), ('film.performance.film', False)]
    [('film.film.starring', True)]
    """
    if text == TYPE:
        return ((Step(TYPE_PREDICATE),),)
    if any(sign in text for sign in _NOT_READ):
        raise FormError(f"the path {text!r} has one of {_NOT_READ}", "write it as sequences with | between them")
    return tuple(
        tuple(_step(word, text, profile) for word in alternative.split("/")) for alternative in text.split("|")
    )


def _step(word: str, text: str, profile: Profile) -> Step:
    relation = word.removeprefix("^").removeprefix(_NAMES)
    if not relation:
        raise FormError(f"the path {text!r} has a step without a relation", "name one between / and |")
    return Step(profile.term(relation), word.startswith("^"))


def written_path(path: Path, base: str) -> str:
    """The path as SPARQL writes it, with whole IRIs."""
    return "|".join(
        "/".join(("^" if step.inverse else "") + written_term(step.relation, base) for step in steps) for steps in path
    )


def constant_term(word: str, profile: Profile) -> Term:
    """The resource that a constant of a query names.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> constant_term("m_05zppz", find_profile("freebase")).text, constant_term("film.film", find_profile("plain")).text
    ('m.05zppz', 'film.film')
    """
    word = word.removeprefix(_NAMES)
    return profile.term(f"m.{word[2:]}" if word.startswith("m_") else word)
