"""An exclusion by what names it: `ontology`, `none`, a file of lines, GQA's hierarchies, or a learned model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import InputFileError, OptionError
from recombine.records.world import world_digest
from recombine.scenes.related.exclusion import DifferentNames, Exclusion, OntologyExclusion
from recombine.scenes.related.hierarchy_exclusion import HierarchyExclusion, read_hierarchy_exclusion
from recombine.scenes.related.learned import LEARNED, LEARNED_EXCLUSION
from recombine.scenes.related.table_exclusion import read_table_exclusion
from recombine.scenes.synthetic.ontology import find_ontology

if TYPE_CHECKING:
    from recombine.scenes.scene import Scenes

ONTOLOGY, NO_EXCLUSION = "ontology", "none"
CLASSES, ATTRIBUTES = "class_hierarchy.json", "attribute_hierarchy.json"
"""How the names of GQA's two files end."""
WAYS = (
    f"{ONTOLOGY}, {NO_EXCLUSION}, a file of lines, a folder with GQA's *_{CLASSES} and *_{ATTRIBUTES}, "
    "or one that `recombine scenes exclusion` made"
)


class NamedExclusion(NamedTuple):
    """An exclusion, and a name that tells it from others: of a file or folder with a digest of what is there."""

    name: str
    exclusion: Exclusion


def find_exclusion(said: str, scenes: Scenes) -> NamedExclusion:
    """The exclusion that is named; the ontology must have the names of the scenes."""
    if said == ONTOLOGY:
        unknown = not_in_ontology(scenes)
        if unknown:
            raise OptionError(f"the ontology of the synthetic world does not have {unknown}", f"give {WAYS}")
        return NamedExclusion(ONTOLOGY, OntologyExclusion(find_ontology()))
    if said == NO_EXCLUSION:
        return NamedExclusion(NO_EXCLUSION, DifferentNames(scenes.attribute_types))
    path = Path(said)
    if (path / LEARNED_EXCLUSION).is_file():
        return NamedExclusion(*LEARNED.find("exclusion")(path))
    if path.is_dir():
        classes, attributes = _hierarchies(path)
        digests = world_digest(classes)[:8] + world_digest(attributes)[:8]
        return NamedExclusion(f"hierarchies@{digests}", read_hierarchy_exclusion(classes, attributes))
    if not path.is_file():
        raise InputFileError(f"{path}: names no exclusion: there is no such file or folder", f"give {WAYS}")
    if path.suffix == ".json":
        raise InputFileError(f"{path}: one hierarchy does not do", f"name the folder of *_{CLASSES} and *_{ATTRIBUTES}")
    table = read_table_exclusion(path, otherwise=DifferentNames(scenes.attribute_types))
    return NamedExclusion(f"table@{world_digest(path)[:8]}", table)


def find_hierarchies(folder: Path | str) -> HierarchyExclusion:
    """The exclusion of the folder of GQA's two files."""
    if not Path(folder).is_dir():
        raise InputFileError(f"{folder}: no such folder", f"name one with GQA's *_{CLASSES} and *_{ATTRIBUTES}")
    return read_hierarchy_exclusion(*_hierarchies(Path(folder)))


def not_in_ontology(scenes: Scenes) -> str:
    """The first noun of some scenes, in their order, that the ontology of the synthetic world does not have."""
    known = find_ontology().nouns
    unknown = (
        f"{each.name!r} of scene {scene.id}" for scene in scenes for each in scene.objects if each.name not in known
    )
    return next(unknown, "")


def _hierarchies(folder: Path) -> tuple[Path, Path]:
    return _only(folder, CLASSES), _only(folder, ATTRIBUTES)


def _only(folder: Path, ending: str) -> Path:
    """The one file of a folder whose name ends so."""
    there = sorted(each for each in folder.iterdir() if each.name.endswith(ending) and each.is_file())
    if len(there) != 1:
        many = "no file" if not there else f"{len(there)} files"
        raise InputFileError(f"{folder}: has {many} whose name ends in {ending}", "put one there, as GQA's")
    return there[0]
