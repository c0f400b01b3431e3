"""A collection of scenes read from a file or folder, whose form is seen by its shape."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.records.world import world_digest
from recombine.scenes.files.gqa import gqa_scenes, is_gqa
from recombine.scenes.files.imsitu import frames_digest, imsitu_scenes, is_imsitu
from recombine.scenes.files.read_json import read_json
from recombine.scenes.files.visual_genome import (
    is_visual_genome,
    is_visual_genome_folder,
    read_visual_genome_folder,
    visual_genome_scenes,
)
from recombine.scenes.scene import Scenes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.scenes.scene import Scene

FORMS = "our JSON, GQA's scene graphs, Visual Genome's files or imSitu's frames"


def read_scenes(
    path: Path | str,
    *,
    attribute_types: Mapping[str, str] | None = None,
    digest: str | None = None,
    cut_boxes: bool = False,
) -> Scenes:
    """The scenes at a path; types of attributes are those that the file says and, for others, those given.

    With `cut_boxes`, boxes of GQA's form that are partly outside their picture are cut, as those of Visual Genome
    always are.
    """
    path = Path(path)
    scenes, said, present = _read(path, cut_boxes=cut_boxes)
    types = {**(attribute_types or {}), **said}
    return Scenes(scenes, digest or present, types)


def read_attribute_types(path: Path | str) -> dict[str, str]:
    """The type of each attribute, from a file `{type: [attribute, …]}` as GQA's hierarchy, or `{attribute: type}`.

    An attribute that is listed under several types has the first of them.
    """
    value = read_json(path)
    if not isinstance(value, dict):
        raise InputFileError(f"{path}: is no table of attributes", "write {type: [attribute, …]}")
    types: dict[str, str] = {}
    for key, said in value.items():
        if isinstance(said, str):
            types.setdefault(key, said)
        elif isinstance(said, list) and all(isinstance(each, str) for each in said):
            for each in said:
                types.setdefault(each, key)
        else:
            raise InputFileError(f"{path}: {key!r} leads to neither a type nor attributes", "write {type: [attribute]}")
    return types


def _read(path: Path, *, cut_boxes: bool) -> tuple[tuple[Scene, ...], dict[str, str], str]:
    """The scenes at a path, the types of attributes that are said there, and the digest."""
    if path.is_dir():
        if is_visual_genome_folder(path):
            return read_visual_genome_folder(path), {}, world_digest(path)
        raise InputFileError(f"{path}: holds no objects.json and relationships.json", "name a file of scenes in it")
    value = read_json(path)
    if is_imsitu(value):
        return imsitu_scenes(value, path), {}, frames_digest(path)
    if is_gqa(value):
        return *gqa_scenes(value, path, cut_boxes=cut_boxes), world_digest(path)
    if is_visual_genome(value):
        return visual_genome_scenes(value, path), {}, world_digest(path)
    raise InputFileError(f"{path}: is JSON, but holds no scenes", f"give {FORMS}")
