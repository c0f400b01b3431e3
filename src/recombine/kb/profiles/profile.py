"""A profile: what the names of a knowledge base look like, and which of its predicates say what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Profile:
    """What a profile's file says. A predicate is given by its name under the base, or by a prefixed name or IRI."""

    name: str
    base: str
    """The IRI stem under which names stand."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    entity: str = ".+"
    """A regular expression that the whole name of an entity matches."""
    type: tuple[str, ...] = ()
    subclass: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    reverse: tuple[str, ...] = ()
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    schema_domain: str = ""
    """A regular expression whose first group is the domain of a schema item's name (`film` of `film.director.film`)."""
