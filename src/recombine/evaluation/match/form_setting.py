"""What logical forms are compared under: the profile that tells their names, and an ontology or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.kb.profiles.find_profile import find_profile
from recombine.measures.levels.level_definition import LevelDefinition, level_definition

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
    and for Freebase's names the ontology of the data directory, where that has one.
    """
    if dataset.language is None or dataset.language.name not in LANGUAGES:
        return None
    definition, _ = level_definition(dataset, profile=profile, ontology=ontology)
    if definition.profile is None:
        raise AssertionError("forms over a knowledge base have a profile")
    return FormSetting(dataset.language.name, definition.profile, definition.ontology)


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
