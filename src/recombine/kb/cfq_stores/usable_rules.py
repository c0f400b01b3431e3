"""Which rules a knowledge base can serve: what it lacks of their properties, classes and entities, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.cfq_stores.rule_needs import PREFIX, mappings_of, rule_needs
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.grounding.property_path import constant_term, read_property, written_path

if TYPE_CHECKING:
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.kb.store import Store

MOST_LACKING = 0.5
"""A knowledge base that lacks a larger share of the properties is refused: it is most likely not the one that is meant."""


@dataclass(frozen=True)
class UsableRules:
    """What a knowledge base lacks of what rules ask for, and the grammar rules that need it."""

    properties: tuple[str, ...]
    """The properties that no fact has, as rules write them without the first `ns:`, in the order of the rules."""
    names: tuple[str, ...]
    """The classes that nothing is of and the entities that no fact has."""
    unusable: dict[str, tuple[str, ...]]
    """The grammar rules that cannot be used, each with what it lacks."""
    asked: int
    """How many properties the rules ask for."""

    @property
    def weights(self) -> dict[str, float]:
        """The weight 0 for each rule that cannot be used."""
        return dict.fromkeys(self.unusable, 0.0)

    @property
    def lacking(self) -> tuple[str, ...]:
        """All that is lacking."""
        return self.properties + self.names

    def said(self, place: object) -> str:
        """One line that names what is lacking."""
        counted = f"{len(self.properties)} of {self.asked} properties"
        if self.names:
            counted += f" and {len(self.names)} {'class or entity' if len(self.names) == 1 else 'classes or entities'}"
        return f"{place}: lacks {counted} that the rules ask for: {', '.join(self.lacking)}"


def usable_rules(store: Store, rules: RuleSet) -> UsableRules:
    """What a store lacks for the questions of some rules, and the rules that need it."""
    known = mappings_of(rules)
    properties = list(dict.fromkeys(known.properties.values()))
    names = list(dict.fromkeys(known.names.values()))
    lacking_properties = [each for each in properties if not _has_property(store, _short(each))]
    lacking_names = [each for each in names if not _has_name(store, each)]
    lacks = {*lacking_properties, *lacking_names}
    unusable: dict[str, tuple[str, ...]] = {}
    for need in rule_needs(rules, known):
        missing = [each for group in need.groups if group <= lacks for each in sorted(group)]
        if missing:
            unusable[need.rule] = tuple(map(_short, dict.fromkeys(missing)))
    return UsableRules(
        tuple(map(_short, lacking_properties)), tuple(map(_short, lacking_names)), unusable, len(properties)
    )


def check_usable(usable: UsableRules, place: object, *, most_lacking: float = MOST_LACKING) -> UsableRules:
    """The same, when the knowledge base has enough for the rules; else an error names all that it lacks."""
    if usable.asked and len(usable.properties) > most_lacking * usable.asked:
        raise KnowledgeBaseError(usable.said(place), "give one with these relations, or rules that ask for its own")
    return usable


def _short(text: str) -> str:
    return text.removeprefix(PREFIX)


def _has_property(store: Store, text: str) -> bool:
    """Whether any two things are joined by a property."""
    path = read_property(text, store.profile)
    if not isinstance(store, EmbeddedStore):
        return store.ask(f"ASK {{ ?one {written_path(path, store.profile.base)} ?other }}")
    for alternative in path:
        steps = store.steps(alternative)
        if steps is None:
            continue
        first = int(steps[0])
        begins = store.along(~first if first < 0 else first, inverse=first < 0)
        if len(store.follow_ids(begins, np.asarray(steps, np.int64))):
            return True
    return False


def _has_name(store: Store, text: str) -> bool:
    """Whether a class has a thing, or an entity a fact."""
    term = constant_term(_short(text), store.profile)
    return store.count(target=term) > 0 or store.count(subject=term) > 0
