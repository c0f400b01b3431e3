"""The digest of what an ontology says, whatever files it was read from."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.term import Term


def ontology_digest(ontology: Ontology) -> str:
    """Sixteen digits that tell ontologies apart by their classes, relations and reverses.

    >>> from recombine.kb.ontology.ontology import ontology_of
    >>> len(ontology_digest(ontology_of([], {}, {})))
    16
    """
    said = [
        _keys(ontology.classes),
        sorted([name.key, _keys(above)] for name, above in ontology.superclasses.items()),
        sorted([name.key, _keys(role.domain), _keys(role.range)] for name, role in ontology.relations.items()),
        sorted([name.key, other.key] for name, other in ontology.reverses.items()),
        sorted(_keys(group) for group in ontology.merged),
        ontology.alternatives,
    ]
    return hashlib.blake2b(orjson.dumps(said), digest_size=8).hexdigest()


def _keys(terms: Iterable[Term]) -> list[str]:
    return sorted(term.key for term in terms)
