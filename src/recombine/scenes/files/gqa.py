"""GQA's scene graphs, which are also our own form: an object of scenes by their ids.

`{"2375429": {"width": 500, "height": 333, "objects": {"722335": {"name": "pipe", "x": 104, "y": 1, "w": 17, "h": 167,
"attributes": ["white"], "relations": [{"name": "on", "object": "722332"}]}}}}` is how `train_sceneGraphs.json` of GQA
1.2 has it. Ours has `mods: [{"name", "object"}]` in relations, and `attribute_types: {attribute: type}` at the top.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.scenes.files.build_scene import SceneBuilder, not_empty, say_cut
from recombine.scenes.files.write_scenes import ATTRIBUTE_TYPES
from recombine.scenes.scene import Scene, SceneObject

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def is_gqa(value: Any) -> bool:
    """Whether a value has the shape of scenes by their ids."""
    if not isinstance(value, dict):
        return False
    if ATTRIBUTE_TYPES in value:
        return True
    first: Any = next(iter(value.values()), None)
    return not value or (isinstance(first, dict) and "objects" in first)


def gqa_scenes(
    value: Mapping[str, Any], path: Path | str, *, cut_boxes: bool = False
) -> tuple[tuple[Scene, ...], dict[str, str]]:
    """The scenes of a file, and the types of attributes that it says.

    A box that is partly outside its picture is an error; with `cut_boxes` it is cut, and the number of them is said.
    """
    types = value.get(ATTRIBUTE_TYPES, {})
    if not isinstance(types, dict) or not all(isinstance(kind, str) for kind in types.values()):
        raise InputFileError(f"{path}: {ATTRIBUTE_TYPES} is not of the form {{attribute: type}}", "mend it")
    cut: Counter[str] = Counter()
    scenes = [
        _scene(said, SceneBuilder(path, name, cut_boxes=cut_boxes, cut=cut))
        for name, said in value.items()
        if name != ATTRIBUTE_TYPES
    ]
    say_cut(path, cut.total())
    return not_empty(path, scenes), dict(types)


def _scene(value: Any, builder: SceneBuilder) -> Scene:
    objects = value.get("objects") if isinstance(value, dict) else None
    if not isinstance(objects, dict):
        raise builder.error('is not of the form {"objects": {id: object}}', "give scene graphs as GQA's are")
    width, height = builder.size(value)
    builder = replace(builder, width=width, height=height)
    return builder.build([_object(builder, each, said) for each, said in objects.items()])


def _object(builder: SceneBuilder, name: str, value: Any) -> SceneObject:
    if not isinstance(value, dict):
        raise builder.error(f"object {name} is not of the form {{name, x, y, w, h}}", "give objects as GQA's are")
    called = builder.name(value.get("name"), f"object {name}")
    owner = f"object {name} ({called})"
    return SceneObject(
        name,
        called,
        builder.box(value, owner),
        builder.attributes(value.get("attributes"), owner),
        builder.relations(value.get("relations"), owner),
    )
