"""The ontology by which forms are compared where none is named: that of Freebase's commons in the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.data_directory import data_directory
from recombine.kb.ontology.read_commons import ROLES, read_commons
from recombine.kb.profiles.find_profile import find_profile
from recombine.progress import working

if TYPE_CHECKING:
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile

FOLDER = "grailqa/ontology"
"""Where the data directory has the ontology."""


def default_ontology(folder: Path | None = None) -> Ontology | None:
    """The ontology of a folder; without one that of the data directory, or none where it has none."""
    place = folder if folder is not None else default_folder()
    return None if place is None else read_commons(place)


def ontology_for(profile: Profile, folder: Path | str | None = None) -> tuple[Ontology | None, Path | None]:
    """The ontology of a folder, else for Freebase's names that of the data directory; and the folder it is from."""
    place = Path(folder) if folder is not None else None
    if place is None and profile.base == find_profile("freebase").base:
        place = default_folder()
    if place is None:
        return None, None
    with working(f"reading the ontology in {place}"):
        return read_commons(place), place


def default_folder() -> Path | None:
    """The folder of the data directory's ontology, if it is there."""
    place = data_directory() / FOLDER
    return place if any((place / name).is_file() for name in (ROLES, f"{ROLES}.gz", f"{ROLES}.txt")) else None
