"""Which names exclude each other: whether what is seen in an image rules out what is asked.

Of nouns and attributes it is the same both ways. Of relations it is not: people do not say of who rides on
a horse that he is near it, so that seeing `near` excludes `riding on`; but seeing `riding on` does not exclude `near`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.scenes.synthetic.ontology import Ontology


class Exclusion(Protocol):
    """Whether one name, which is asked for, does not hold where another is seen: m(asked, seen) > 0.5 in COVR."""

    def noun(self, asked: str, seen: str) -> bool:
        """Whether no object is both."""
        ...

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether no object has both."""
        ...

    def relation(self, asked: str, seen: str) -> bool:
        """Whether two objects of which one is said do not stand in the other."""
        ...


@dataclass(frozen=True)
class DifferentNames:
    """Any two names that differ exclude each other, but for attributes of two types: what is open can be orange."""

    attribute_types: Mapping[str, str] = field(default_factory=dict, hash=False)

    def noun(self, asked: str, seen: str) -> bool:
        """Whether the names differ."""
        return asked != seen

    relation = noun

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether the names differ, and are not of two types."""
        first, second = self.attribute_types.get(asked), self.attribute_types.get(seen)
        return asked != seen and (first == second or None in (first, second))


@dataclass(frozen=True)
class OntologyExclusion:
    """What an ontology says."""

    ontology: Ontology

    def noun(self, asked: str, seen: str) -> bool:
        """Whether neither is a wider word for the other, or another word for the same."""
        return self.ontology.excludes_noun(asked, seen)

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether both are of one type."""
        return self.ontology.excludes_attribute(asked, seen)

    def relation(self, asked: str, seen: str) -> bool:
        """Whether what is seen rules out what is asked."""
        return self.ontology.excludes_relation(asked, seen)


@dataclass(frozen=True)
class DoesNotExclude:
    """What fits a name in the wide sense: all that does not exclude it."""

    exclusion: Exclusion

    def noun(self, asked: str, seen: str) -> bool:
        """Whether an object of one name may be one of the other."""
        return asked == seen or not self.exclusion.noun(asked, seen)

    def attribute(self, asked: str, seen: str) -> bool:
        """The same of attributes."""
        return asked == seen or not self.exclusion.attribute(asked, seen)

    def relation(self, asked: str, seen: str) -> bool:
        """The same of relations."""
        return asked == seen or not self.exclusion.relation(asked, seen)
