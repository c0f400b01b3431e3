"""Our file of scenes: GQA's form plus `mods` on relations and, at the top, `attribute_types`.

One scene stands on a line, in the order of the collection, so that the same scenes have the same bytes.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.scenes.scene import Relation, Scene, SceneObject, Scenes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

ATTRIBUTE_TYPES = "attribute_types"


def scenes_bytes(scenes: Iterable[Scene], attribute_types: Mapping[str, str]) -> bytes:
    """What the file of some scenes holds."""
    return b"".join(_lines(scenes, attribute_types))


def collection(scenes: Iterable[Scene], attribute_types: Mapping[str, str]) -> Scenes:
    """Scenes as a world, with the digest of their file."""
    listed = tuple(scenes)
    digest = hashlib.sha256()
    for line in _lines(listed, attribute_types):
        digest.update(line)
    return Scenes(listed, digest.hexdigest(), dict(attribute_types))


def write_scenes(path: Path | str, scenes: Scenes) -> None:
    """Write a collection, whole or not at all."""
    write_whole(path, scenes_bytes(scenes, scenes.attribute_types))


def _lines(scenes: Iterable[Scene], attribute_types: Mapping[str, str]) -> Iterator[bytes]:
    yield b'{"' + ATTRIBUTE_TYPES.encode() + b'": ' + orjson.dumps(dict(attribute_types))
    for scene in scenes:
        if scene.id == ATTRIBUTE_TYPES:
            raise OptionError(f"a scene is called {ATTRIBUTE_TYPES!r}", "give it another id: the file uses this one")
        yield b",\n" + orjson.dumps(scene.id) + b": " + orjson.dumps(_scene(scene))
    yield b"}\n"


def _scene(scene: Scene) -> dict[str, Any]:
    return {
        "width": scene.width,
        "height": scene.height,
        "objects": {each.id: _object(each) for each in scene.objects},
    }


def _object(each: SceneObject) -> dict[str, Any]:
    box = {} if each.box is None else {"x": each.box.x, "y": each.box.y, "w": each.box.width, "h": each.box.height}
    relations = [_relation(relation) for relation in each.relations]
    return {"name": each.name, **box, "attributes": list(each.attributes), "relations": relations}


def _relation(relation: Relation) -> dict[str, Any]:
    mods = [{"name": mod.name, "object": mod.object} for mod in relation.mods]
    return {"name": relation.name, "object": relation.object, **({"mods": mods} if mods else {})}
