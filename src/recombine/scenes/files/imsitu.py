"""imSitu's frames: what someone does, to what, with what and where, as WordNet ids by role.

Read are its annotations, `{"stapling_1.jpg": {"verb": "stapling", "frames": [{"agent": "n10787470", …}, …]}}`, and the
predictions for one picture, `[{"verb", "frames", "score"}, …]`, which make one scene, named after the file. The
template of the verb gives the order of the roles (`AGENT staples ITEM onto SURFACE using TOOL at PLACE`): the agent has
the relation `stapling` to the item, whose modifiers are `onto` and `using`. What is before the item is part of the
relation (`AGENT jumps from SOURCE over OBSTACLE`: `jumping from`). The place is left out, and so is a role after the
item that is empty, or that no word leads to (`fixes OBJECT OBJECTPART`). Of a picture the first frame counts that has
an agent and an item.

Nouns get their names from `imsitu_space.json`, the first gloss of each; without that file they are WordNet ids.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, InputWarning
from recombine.files import read_text
from recombine.records.world import world_digest
from recombine.scenes.files.build_scene import SceneBuilder, not_empty
from recombine.scenes.files.read_json import read_json
from recombine.scenes.scene import Modifier, Relation, Scene, SceneObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TEMPLATES, SPACE = "imsitu_generation_templates.tab", "imsitu_space.json"
_ROLE = re.compile(r"[A-Z][A-Za-z0-9-]+")
_DETERMINERS = ("a", "its", "some", "the", "their", "then")
"""What stands before roles and is no part of a relation's name; "then" is a misprint of the file's."""
_PLACE = "place"


@dataclass(frozen=True)
class VerbTemplate:
    """The roles of a verb in their order: who does it, and then each with the words before it."""

    agent: str
    others: tuple[tuple[str, str], ...]


def is_imsitu(value: Any) -> bool:
    """Whether a value has the shape of frames, by picture or as predictions."""
    listed = list(value.values())[:1] if isinstance(value, dict) else value
    first = listed[0] if isinstance(listed, list) and listed else None
    return isinstance(first, dict) and "frames" in first and "verb" in first


def read_templates(path: Path | str) -> dict[str, VerbTemplate]:
    """The templates of verbs; those that nobody does (`snows at PLACE`) have no agent and are not kept."""
    templates = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        verb, tab, text = line.partition("\t")
        if not tab:
            raise InputFileError(f"{path}, line {number}: has no tab between verb and template", "mend the line")
        template = _template(text)
        if template is not None:
            templates[verb.strip()] = template
    return templates


def _template(text: str) -> VerbTemplate | None:
    """The template of a text.

    >>> _template("AGENT staples ITEM onto SURFACE using TOOL at PLACE")
    VerbTemplate(agent='agent', others=(('', 'item'), ('onto', 'surface'), ('using', 'tool')))
    >>> _template("AGENT jumps from SOURCE over OBSTACLE into DESTINATION at PLACE").others[0]
    ('from', 'source')
    """
    words = text.split()
    if not words or not _ROLE.fullmatch(words[0]):
        return None
    others, before = list[tuple[str, str]](), list[str]()
    for word in words[2:]:
        if not _ROLE.fullmatch(word):
            before += [] if word in _DETERMINERS else [word]
            continue
        if word.lower() != _PLACE and (before or not others):
            others.append((" ".join(before), word.lower()))
        before = []
    return VerbTemplate(words[0].lower(), tuple(others))


def imsitu_scenes(value: Any, path: Path | str) -> tuple[Scene, ...]:
    """The scenes of frames, with the templates and, where it is there, the names that lie beside the file."""
    templates = read_templates(_templates_beside(path))
    space = Path(path).parent / SPACE
    names = _read_names(space) if space.is_file() else {}
    if not names:
        note = f"{path}: there is no {SPACE} beside it, so objects are called by their WordNet ids"
        warnings.warn(note, InputWarning, stacklevel=2)
    scenes, left_out = [], 0
    for name, said in _pictures(value, path):
        scene = _scene(name, said, templates, names, path)
        left_out += scene is None
        scenes += [] if scene is None else [scene]
    if left_out:
        note = (
            f"{path}: {left_out:,} pictures have no frame with an agent and an item, or no template, and are left out"
        )
        warnings.warn(note, InputWarning, stacklevel=2)
    return not_empty(path, scenes)


def frames_digest(path: Path) -> str:
    """The digest of frames with that of the templates and names beside them."""
    files = (path, *(path.parent / name for name in (TEMPLATES, SPACE) if (path.parent / name).is_file()))
    return hashlib.sha256("\n".join(world_digest(each) for each in files).encode()).hexdigest()


def _templates_beside(path: Path | str) -> Path:
    templates = Path(path).parent / TEMPLATES
    if not templates.is_file():
        raise InputFileError(f"{path}: frames need the templates of verbs", f"put {TEMPLATES} beside it")
    return templates


def _read_names(path: Path) -> dict[str, str]:
    """The first gloss of each noun."""
    value = read_json(path)
    nouns = value.get("nouns") if isinstance(value, dict) else None
    if not isinstance(nouns, dict):
        raise InputFileError(f"{path}: has no nouns", "give imSitu's imsitu_space.json, or take it away")
    names = {}
    for name, said in nouns.items():
        gloss = said.get("gloss") if isinstance(said, dict) else None
        if not isinstance(gloss, list) or not gloss or not isinstance(gloss[0], str) or not gloss[0]:
            raise InputFileError(f"{path}: the noun {name} has no gloss", "mend the file, or take it away")
        names[name] = gloss[0]
    return names


def _pictures(value: Any, path: Path | str) -> Iterator[tuple[str, list[Any]]]:
    """The frames of each picture, each with its verb."""
    if isinstance(value, list):
        yield Path(path).name.split(".")[0], value
    else:
        for name, said in value.items():
            yield name, [said]


def _scene(
    name: str, said: list[Any], templates: Mapping[str, VerbTemplate], names: Mapping[str, str], path: Path | str
) -> Scene | None:
    """The scene of the first frame with an agent and an item; none where there is no such frame."""
    builder = SceneBuilder(path, name)
    for each in said:
        if not isinstance(each, dict) or not isinstance(each.get("verb"), str):
            raise builder.error("has frames with no verb", "give imSitu's annotations or predictions")
        template = templates.get(each["verb"])
        for frame in builder.entries(each.get("frames"), "frames"):
            if not isinstance(frame, dict):
                raise builder.error("has a frame that is no object of roles", "give imSitu's frames")
            scene = None if template is None else _frame_scene(builder, each["verb"], template, frame, names)
            if scene is not None:
                return scene
    return None


def _frame_scene(
    builder: SceneBuilder, verb: str, template: VerbTemplate, frame: Mapping[str, Any], names: Mapping[str, str]
) -> Scene | None:
    nouns = {role: noun for role, noun in frame.items() if isinstance(noun, str) and noun}
    if not template.others or template.agent not in nouns or template.others[0][1] not in nouns:
        return None
    (word, item), *others = template.others
    roles = [(preposition, role) for preposition, role in others if role in nouns]
    for role in (template.agent, item, *(role for _, role in roles)):
        if names and nouns[role] not in names:
            raise builder.error(f"the noun {nouns[role]} is not in {SPACE}", "give the file of the same version")
    mods = tuple(Modifier(preposition, role) for preposition, role in roles)
    relation = Relation(f"{verb} {word}".strip(), item, mods)
    objects = [
        SceneObject(template.agent, names.get(nouns[template.agent], nouns[template.agent]), None, (), (relation,))
    ]
    objects += [SceneObject(role, names.get(nouns[role], nouns[role])) for role in (item, *(role for _, role in roles))]
    return builder.build(objects)
