"""A sub-graph read from the JSON that it is written as."""

from __future__ import annotations

from typing import Any

from recombine.errors import InputFileError
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation

_FORM = "write [name, attribute or null, [[relation, child, [[modifier, child]]]]]"
_DEEPEST = 100


def subgraph_from_json(value: Any, *, source: str = "a sub-graph", deepest: int = _DEEPEST) -> Subgraph:
    """The sub-graph that a value of JSON says; `source` names the file and record in errors."""
    if not isinstance(value, list) or len(value) != 3 or deepest < 0:
        raise InputFileError(f"{source}: is not of the form of a sub-graph", _FORM)
    name, attribute, relations = value
    if not isinstance(name, str) or not isinstance(attribute, str | None) or not isinstance(relations, list):
        raise InputFileError(f"{source}: has a node that is no name", _FORM)
    return Subgraph(name, attribute, tuple(_relation(each, source, deepest - 1) for each in relations))


def _relation(value: Any, source: str, deepest: int) -> SubRelation:
    if (
        not isinstance(value, list)
        or len(value) != 3
        or not isinstance(value[0], str)
        or not isinstance(value[2], list)
    ):
        raise InputFileError(f"{source}: has a relation of another form", _FORM)
    mods = []
    for mod in value[2]:
        if not isinstance(mod, list) or len(mod) != 2 or not isinstance(mod[0], str):
            raise InputFileError(f"{source}: has a modifier of another form", _FORM)
        mods.append(SubModifier(mod[0], subgraph_from_json(mod[1], source=source, deepest=deepest)))
    child = subgraph_from_json(value[1], source=source, deepest=deepest)
    return SubRelation(value[0], child, tuple(mods))
