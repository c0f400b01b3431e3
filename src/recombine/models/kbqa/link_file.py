"""Links of a file as what a graph query says: nodes of entities and literals for each question by its id."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError
from recombine.files import read_text
from recombine.json_lines import iter_json_lines
from recombine.records.example import frozen_context

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from recombine.records.example import Example

_REMEDY = 'give {"id": …, "entities": […]}, or what `kb link -o` writes'


def read_link_nodes(path: Path | str) -> dict[str, list[dict[str, Any]]]:
    """Nodes by the ids of questions: lines `{id, entities}`, or those that `kb link -o` writes."""
    read: dict[str, list[dict[str, Any]]] = {}
    for number, row in iter_json_lines(read_text(path), path):
        key, where = row.get("id"), f"line {number}"
        if not isinstance(key, str) or not ("entities" in row or "links" in row):
            raise RecordError(path, where, "does not say the links of a question", _REMEDY)
        if key in read:
            raise RecordError(path, where, f"the question {key!r} is there before", "give each question once")
        try:
            read[key] = [_node(name, said) for name, said in _names(row)]
        except (AttributeError, TypeError) as error:
            raise RecordError(path, where, "does not say the links of a question", _REMEDY) from error
    return read


def _names(row: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name in row.get("entities") or ():
        yield name, ""
    for link in row.get("links") or ():
        for name in link.get("linked") or ():
            yield name, str(link.get("text", ""))


def _node(name: str, said: str) -> dict[str, Any]:
    kind = "literal" if name.startswith('"') or "^^" in name else "entity"
    return {"node_type": kind, "id": name, "friendly_name": said or name}


def linked_by(examples: Iterable[Example], nodes: Mapping[str, list[dict[str, Any]]]) -> list[Example]:
    """The examples with these nodes as what they say of links; one without any has none."""
    return [
        replace(each, context=frozen_context({**each.context, "graph_query": {"nodes": nodes.get(each.id, [])}}))
        for each in examples
    ]
