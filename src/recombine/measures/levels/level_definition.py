"""By what schema items and templates are told: a profile, an ontology, and two choices."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.kb.profiles.find_profile import PROFILES, find_profile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.ontology.schema_domains import SchemaDomains
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset

SPARQL_LANGUAGES = ("sparql", "sparql11")
KB_LANGUAGES = ("sexpression", *SPARQL_LANGUAGES)
"""The languages of forms over a knowledge base."""
_PATH = re.compile(r"(?<=[ (])/[^\s()/]+/[^\s()]+")
"""A name that is a path, as those of FB15k-237."""


@dataclass(frozen=True)
class LevelDefinition:
    """What levels depend on besides the programs; without a profile, programs are not about a knowledge base."""

    profile: Profile | None = None
    ontology: Ontology | None = None
    constructs: bool = False
    """Whether SPARQL's constructs are schema items."""
    merge_reverses: bool = False
    """Whether a relation and its reverse are one schema item."""
    domains: SchemaDomains | None = field(default=None, compare=False)
    """What says domains where names do not; none where names do, or nothing else is known."""

    def domain_of(self, item: str) -> str:
        """The domain of a schema item that is no function; empty where it has none."""
        if self.profile is None:
            return ""
        term = self.profile.term(item)
        return self.profile.domain_of(term) if self.domains is None else self.domains.of(term)

    def fields(self) -> dict[str, object]:
        """What belongs in a signature."""
        return {
            "profile": None if self.profile is None else self.profile.name,
            "ontology": None if self.ontology is None else ontology_digest(self.ontology),
            "constructs": self.constructs or None,
            "merge_reverses": self.merge_reverses or None,
            "domains": None if self.domains is None else "classes",
        }


def level_definition(
    dataset: Dataset,
    *,
    profile: Path | str | None = None,
    ontology: Path | str | None = None,
    constructs: bool = False,
    merge_reverses: bool = False,
) -> tuple[LevelDefinition, list[str]]:
    """The definition for a data set, and what is to be said of how it was found.

    Without a profile it is that of the knowledge base that the data is about; where this is not known, that of Freebase
    for S-expressions whose names are no paths and for CFQ's SPARQL, and for other SPARQL the packaged one whose names
    the queries use. Without an ontology it is that of the data directory for Freebase, else none. Where the names of a
    knowledge base say no domains, its classes do.
    """
    language = _checked_language(dataset)
    if language not in KB_LANGUAGES:
        given = {"--profile": profile, "--ontology": ontology, "--merge-reverses": merge_reverses or None}
        given["--constructs"] = constructs or None
        for flag, value in given.items():
            if value is not None:
                raise OptionError(
                    f"{flag} is for S-expressions and SPARQL, and {dataset.name} is in {language}", f"leave out {flag}"
                )
        return LevelDefinition(), []
    if constructs and language not in SPARQL_LANGUAGES:
        raise OptionError(f"--constructs is for SPARQL, and {dataset.name} is in {language}", "leave out --constructs")
    store = None if language == "sparql" else _store(dataset)
    if profile is not None:
        known = find_profile(profile)
    else:
        known = store.profile if store is not None else _usual_profile(dataset, language)
    found, notes = _ontology(ontology, known)
    if merge_reverses and found is None:
        raise OptionError("--merge-reverses needs an ontology, which says the reverses", "give --ontology DIR")
    return LevelDefinition(known, found, constructs, merge_reverses, _class_domains(store, known)), notes


def _store(dataset: Dataset) -> EmbeddedStore | None:
    """The knowledge base that a data set is about, where it is an index."""
    from recombine.records.world import world_name

    if dataset.world is None or world_name(dataset.world).kind != "kb":
        return None
    from recombine.kb.embedded.embedded_store import EmbeddedStore

    world = dataset.opened_world
    return world if isinstance(world, EmbeddedStore) else None


def _class_domains(store: EmbeddedStore | None, profile: Profile) -> SchemaDomains | None:
    """What says domains in place of names; none where names do, or a profile of other names is asked for."""
    if store is None or profile.base != store.profile.base:
        return None
    from recombine.kb.ontology.schema_domains import SchemaDomains

    domains = SchemaDomains(store, profile=profile)
    return None if domains.by_names else domains


def ontology_digest(ontology: Ontology) -> str:
    """A digest of all that an ontology says."""
    digest = hashlib.blake2b(digest_size=4)
    digest.update(repr([term.key for term in ontology.classes]).encode())
    above = [(name.key, [other.key for other in others]) for name, others in ontology.superclasses.items()]
    roles = [(name.key, *([term.key for term in side] for side in role)) for name, role in ontology.relations.items()]
    reverses = [(name.key, other.key) for name, other in ontology.reverses.items()]
    digest.update(repr((above, roles, reverses, ontology.alternatives)).encode())
    return digest.hexdigest()


def _checked_language(dataset: Dataset) -> str:
    if dataset.language is None:
        raise OptionError(
            f"the language of {dataset.name}'s targets is not known, so they have no schema items and no templates",
            "name it with --language, such as sparql11 or sexpression",
        )
    return dataset.language.name


def _usual_profile(dataset: Dataset, language: str) -> Profile:
    texts = dataset.texts("target")
    if language == "sexpression" and 2 * sum(_PATH.search(text) is not None for text in texts) > len(texts):
        return find_profile("plain")
    if language != "sparql11":
        return find_profile("freebase")
    counts = {name: _uses(find_profile(name), texts) for name in PROFILES}
    best = max(PROFILES, key=lambda name: (counts[name], name == "plain"))
    return find_profile(best)


def _uses(profile: Profile, texts: Iterable[str]) -> int:
    """How many queries use names under the base of a profile, or the prefixes that it alone has."""
    own = [prefix for prefix, stem in profile.prefixes.items() if not _is_common(stem)]
    marks = [profile.base, *(f" {prefix}:" for prefix in own), *(profile.prefixes[prefix] for prefix in own)]
    return sum(any(mark in text for mark in marks) for text in texts)


def _is_common(stem: str) -> bool:
    """Whether a prefix is of no knowledge base: those that several profiles have, or that stand for vocabularies."""
    owners = sum(stem in find_profile(name).prefixes.values() for name in PROFILES)
    return owners != 1 or not any(stem.startswith(_host(find_profile(name).base)) for name in PROFILES)


def _host(base: str) -> str:
    return "/".join(base.split("/")[:3])


def _ontology(folder: Path | str | None, profile: Profile) -> tuple[Ontology | None, list[str]]:
    from recombine.kb.ontology.default_ontology import ontology_for

    known, _ = ontology_for(profile, folder)
    if known is None and profile.base == find_profile("freebase").base:
        return None, [
            "without an ontology, templates are told by syntax alone: classes that a relation implies and reverses "
            "stay as written; give --ontology DIR"
        ]
    return known, []
