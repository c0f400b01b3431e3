"""What logical forms are compared under: the profile that tells their names, and an ontology or none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile

if TYPE_CHECKING:
    from recombine.kb.ontology.ontology import Ontology

SEXPRESSION, SPARQL = LANGUAGES = ("sexpression", "sparql11")
"""The languages of logical forms."""
DEFAULT_PROFILES = {SEXPRESSION: "freebase", SPARQL: "plain"}
"""The profile of each where none is named: S-expressions are over Freebase wherever they are published."""


@dataclass(frozen=True)
class FormSetting:
    """The language, profile and ontology by which forms are compared."""

    language: str
    profile: Profile
    ontology: Ontology | None
    is_default: bool
    """Whether the ontology was not named, but taken from the data directory, or was not there."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What it adds to a signature."""
        if self.ontology is None:
            return (("profile", self.profile.name), ("ontology", "none"))
        from recombine.kb.ontology.ontology_digest import ontology_digest

        return (("profile", self.profile.name), ("ontology", ontology_digest(self.ontology)))


def form_setting(
    language: str, *, ontology: Path | str | None = None, profile: Profile | Path | str | None = None
) -> FormSetting:
    """The setting for a language; without a folder, the ontology is that of the data directory, where names are
    Freebase's and it is there.
    """
    known = profile if isinstance(profile, Profile) else find_profile(profile or DEFAULT_PROFILES[language])
    if ontology is not None:
        from recombine.kb.ontology.read_commons import read_commons

        return FormSetting(language, known, read_commons(ontology, profile=known), is_default=False)
    if known.base != find_profile("freebase").base:
        return FormSetting(language, known, None, is_default=True)
    from recombine.kb.ontology.default_ontology import default_ontology

    return FormSetting(language, known, default_ontology(), is_default=True)
