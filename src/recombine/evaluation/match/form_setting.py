"""What logical forms are compared under: the profile that tells their names, and an ontology or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.kb.profiles.find_profile import find_profile
from recombine.measures.levels.level_definition import LevelDefinition, level_definition
from recombine.records.world import world_name

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset

SEXPRESSION, SPARQL = LANGUAGES = ("sexpression", "sparql11")
"""The languages of logical forms."""
_USUAL = {SEXPRESSION: "freebase", SPARQL: "plain"}


@dataclass(frozen=True)
class FormSetting:
    """The language, profile and ontology by which forms are compared."""

    language: str
    profile: Profile
    ontology: Ontology | None

    @property
    def definition(self) -> LevelDefinition:
        """The same for levels, whose templates are canonical forms too."""
        return LevelDefinition(self.profile, self.ontology)

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What it adds to a signature."""
        said = self.definition.fields()
        return (("profile", self.profile.name), ("ontology", str(said["ontology"] or "none")))


def form_setting(
    dataset: Dataset, *, ontology: Path | str | None = None, profile: Path | str | None = None
) -> FormSetting | None:
    """The setting for a data set; none where its targets are no logical forms.

    What is not named is as for its levels: the profile that is usual for its language or whose names its queries use,
    and for Freebase's names the ontology of the data directory, where that has one. A knowledge base that the data is
    about, and whose facts state the classes at both ends of all their relations, has its own in its place: no other
    ontology knows the names of a made-up world.
    """
    if dataset.language is None or dataset.language.name not in LANGUAGES:
        return None
    definition, _ = level_definition(dataset, profile=profile, ontology=ontology)
    if definition.profile is None:
        raise AssertionError("forms over a knowledge base have a profile")
    stated = None if ontology is not None else _stated(dataset, definition.profile)
    return FormSetting(dataset.language.name, definition.profile, definition.ontology if stated is None else stated)


def _stated(dataset: Dataset, profile: Profile) -> Ontology | None:
    """The ontology that the facts of the data's index state, where it is whole; none elsewhere."""
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
    from recombine.kb.ontology.store_ontology import is_whole, used_relations

    world = dataset.opened_world if dataset.world is not None and world_name(dataset.world).kind == "kb" else None
    if not isinstance(world, EmbeddedStore) or world.profile.base != profile.base:
        return None
    stated = ontology_of_facts(world)
    used = used_relations(world)
    return stated if used and all(is_whole(name, stated) for name in used) else None


def with_prefixes(dataset: Dataset, setting: FormSetting) -> Dataset:
    """The data set with its language reading the prefixes of the setting's profile where a query declares them not."""
    if setting.language != SPARQL or dataset.language is None:
        return dataset
    from recombine.languages.sparql.read_query import read_query

    prefixes = setting.profile.prefixes
    parse = lambda text: read_query(text, prefixes=prefixes).tree  # noqa: E731
    return replace(dataset, language=replace(dataset.language, parse=parse))


def usual_setting(language: str) -> FormSetting:
    """The setting for a language where no data says more: by syntax alone."""
    return FormSetting(language, find_profile(_USUAL[language]), None)
