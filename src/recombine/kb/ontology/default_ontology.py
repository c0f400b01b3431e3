"""The ontology by which forms are compared where none is named: that of Freebase's commons in the data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.data_directory import data_directory
from recombine.kb.ontology.read_commons import ROLES, read_commons

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.kb.ontology.ontology import Ontology

FOLDER = "grailqa/ontology"
"""Where the data directory has the ontology."""


def default_ontology(folder: Path | None = None) -> Ontology | None:
    """The ontology of a folder; without one that of the data directory, or none where it has none."""
    place = folder if folder is not None else default_folder()
    return None if place is None else read_commons(place)


def default_folder() -> Path | None:
    """The folder of the data directory's ontology, if it is there."""
    place = data_directory() / FOLDER
    return place if any((place / name).is_file() for name in (ROLES, f"{ROLES}.gz", f"{ROLES}.txt")) else None
