"""Facts with qualifiers, as Wikidata keeps them: an entity leads to a node, and the node to its value and qualifiers.

Which predicates do so is said by the profile's table `statements`: with `claim = "p"`, `p:P39` leads from an entity to
the nodes of its property P39, `ps:P39` from a node to its value, and `pq:P580` from a node to the qualifier P580.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import KnowledgeBaseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.kb.term import Term


class Statement(NamedTuple):
    """One fact of an entity: its property, the values that its node leads to, and its qualifiers with their values.

    There is one value as a rule, and none where the statement is that there is none.
    """

    node: Term
    property: str
    values: tuple[Term, ...]
    qualifiers: Mapping[str, tuple[Term, ...]]


def statements_of(store: Store, entity: Term, property: str | None = None) -> list[Statement]:  # noqa: A002
    """The statements of an entity, of one property (`P39`) or of all, in the order of properties and of nodes."""
    profile = store.profile
    claim, value, qualifier = (_stem(profile, part) for part in ("claim", "value", "qualifier"))
    properties = [property] if property is not None else _under(profile, claim, store.relations(entity))
    statements = []
    for name in properties:
        for node in store.neighbours(entity, profile.shorten(claim + name)):
            values = store.neighbours(node, profile.shorten(value + name))
            names = _under(profile, qualifier, store.relations(node))
            said = {each: tuple(store.neighbours(node, profile.shorten(qualifier + each))) for each in names}
            statements.append(Statement(node, name, tuple(values), said))
    return statements


def direct_relation(profile: Profile, name: Term) -> Term:
    """The relation of the short way that a property's own entity stands for: `wdt:P31` of `wd:P31`."""
    if "direct" not in profile.statements or name.kind != "=":
        return name
    return profile.shorten(_stem(profile, "direct") + name.text)


def _stem(profile: Profile, part: str) -> str:
    if part not in profile.statements:
        raise KnowledgeBaseError(
            f"the profile {profile.name!r} does not say how statements are kept ({part!r})",
            "add it under [statements], or use a profile such as wikidata",
        )
    return profile.prefixes[profile.statements[part]]


def _under(profile: Profile, stem: str, relations: Mapping[Term, int]) -> list[str]:
    """What is left of those relations that begin with a stem and name a property right under it."""
    iris = (profile.expand(relation) for relation in relations)
    names = (iri[len(stem) :] for iri in iris if iri.startswith(stem))
    return sorted(name for name in names if name and "/" not in name)
