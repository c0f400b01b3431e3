"""Which rules a knowledge base can serve: what it lacks of their properties, classes and entities, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import KnowledgeBaseError
from recombine.kb.cfq_stores.rule_needs import PREFIX, mappings_of, rule_needs
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.grounding.property_path import constant_term, read_property, written_path
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store

_STEP = re.compile(r"[|/^]")
MOST_LACKING = 0.5
"""A knowledge base that lacks a larger share of the properties is refused: most likely it is not the one meant."""


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
    alternatives: tuple[str, ...] = ()
    """Of properties with several ways, those that no fact has where another is there."""
    profile: Profile | None = None
    """By which names are looked for."""

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
        counted = []
        if self.properties or not self.names:
            counted.append(f"{len(self.properties)} of {self.asked} properties")
        if self.names:
            counted.append(f"{len(self.names)} {'class or entity' if len(self.names) == 1 else 'classes or entities'}")
        text = f"{place}: lacks {' and '.join(counted)} that the rules ask for: {', '.join(self.lacking) or 'none'}"
        return f"{text}; of others, it lacks the ways {', '.join(self.alternatives)}" if self.alternatives else text


def usable_rules(store: Store, rules: RuleSet, place: object = "the knowledge base") -> UsableRules:
    """What a store lacks for the questions of some rules, and the rules that need it; `place` is what errors name."""
    known = mappings_of(rules)
    properties = list(dict.fromkeys(known.properties.values()))
    names = list(dict.fromkeys(known.names.values()))
    _check_prefixes([*properties, *names], store.profile, place)
    ways = {each: _ways(store, _short(each)) for each in properties}
    lacking_properties = [each for each in properties if not any(ways[each].values())]
    partly = [each for each in properties if any(ways[each].values())]
    alternatives = [way for each in partly for way, has in ways[each].items() if not has]
    lacking_names = [each for each in names if not _has_name(store, each)]
    lacks = {*lacking_properties, *lacking_names}
    unusable: dict[str, tuple[str, ...]] = {}
    for need in rule_needs(rules, known):
        missing = [each for group in need.groups if group <= lacks for each in sorted(group)]
        if missing:
            unusable[need.rule] = tuple(map(_short, dict.fromkeys(missing)))
    return UsableRules(
        tuple(map(_short, lacking_properties)),
        tuple(map(_short, lacking_names)),
        unusable,
        len(properties),
        tuple(map(_short, dict.fromkeys(alternatives))),
        store.profile,
    )


def check_usable(usable: UsableRules, place: object, *, most_lacking: float = MOST_LACKING) -> UsableRules:
    """The same, when the knowledge base has enough for the rules; else an error names all that it lacks."""
    if usable.asked and len(usable.properties) > most_lacking * usable.asked:
        remedy = "give one with these relations, or rules that ask for its own"
        if usable.profile is not None:
            remedy += f"; names are looked for under {usable.profile.base} (profile {usable.profile.name})"
        raise KnowledgeBaseError(usable.said(place), remedy)
    return usable


def _check_prefixes(texts: list[str], profile: Profile, place: object) -> None:
    """Refuse names with a prefix that the profile does not know, which no fact can have."""
    for text in texts:
        for word in _STEP.split(text):
            prefix, colon, _ = word.partition(":")
            if colon and f"{prefix}:" != PREFIX and prefix not in profile.prefixes and prefix[:1] != "<":
                raise KnowledgeBaseError(
                    f"{place}: the rules ask for {word}, and its profile {profile.name} has no prefix {prefix!r}",
                    "name a knowledge base with --kb, and a profile that has the prefix with --profile "
                    "(an index has that of kb build --profile)",
                )


def _short(text: str) -> str:
    return text.removeprefix(PREFIX)


def _ways(store: Store, text: str) -> dict[str, bool]:
    """The alternatives of a property, each with whether it joins any two things."""
    return {way: _joins(store, way) for way in text.split("|")}


def _joins(store: Store, way: str) -> bool:
    path = read_property(way, store.profile)
    if not isinstance(store, EmbeddedStore):
        return store.ask(f"ASK {{ ?one {written_path(path, store.profile.base)} ?other }}")
    steps = store.steps(path[0])
    if steps is None:
        return False
    first = int(steps[0])
    begins = store.along(~first if first < 0 else first, inverse=first < 0)
    return len(store.follow_ids(begins, steps)) > 0


def _has_name(store: Store, text: str) -> bool:
    """Whether a class has a thing, or an entity a fact."""
    term = constant_term(_short(text), store.profile)
    if isinstance(store, EmbeddedStore):
        return store.count(target=term) > 0 or store.count(subject=term) > 0
    # An endpoint counts all facts of a class, which takes long, where one is enough.
    name = written_term(term, store.profile.base)
    return store.ask(f"ASK {{ ?one ?relation {name} }}") or store.ask(f"ASK {{ {name} ?relation ?other }}")
