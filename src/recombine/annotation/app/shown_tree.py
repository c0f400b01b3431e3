"""A program as a tree of nodes that open: GrailQA's graph query from what it asks for, or nodes with children.

As in GrailQA's Figure 7 every part can be opened: a node tells its class, a relation tells its name, and both a short
description where the item has one. Other values are shown as one node with their text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

DEEPEST = 60
FUNCTIONS = {
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "argmax": "the most",
    "argmin": "the least",
}
KINDS = {"class": "Any thing of this class.", "entity": "One named thing.", "literal": "A value."}


@dataclass
class Node:
    """One part of a program."""

    label: str
    description: str = ""
    class_name: str = ""
    children: list[Node] = field(default_factory=list)

    @property
    def about(self) -> bool:
        """Whether there is anything to open."""
        return bool(self.description or self.class_name)


def shown_tree(value: Any) -> Node:
    """The tree of a value in an item's `show`.

    >>> shown_tree({"label": "count", "children": [{"label": "film", "class": "film.film"}]}).children[0].class_name
    'film.film'
    """
    if isinstance(value, Mapping) and isinstance(value.get("nodes"), Sequence) and value["nodes"]:
        return _of_graph(value)
    return _of_nested(value, 0)


def _of_nested(value: Any, depth: int) -> Node:
    if not isinstance(value, Mapping) or "label" not in value or depth > DEEPEST:
        return Node(value if isinstance(value, str) else orjson.dumps(value).decode())
    children = [_of_nested(child, depth + 1) for child in value.get("children") or ()]
    return Node(str(value["label"]), str(value.get("description") or ""), str(value.get("class") or ""), children)


def _of_graph(graph: Mapping[str, Any]) -> Node:
    """From the node that is asked for, along the edges; a node that is met again is named, not opened again."""
    nodes = {node.get("nid", place): node for place, node in enumerate(graph["nodes"])}
    edges: defaultdict[Any, list[tuple[Mapping[str, Any], Any, bool]]] = defaultdict(list)
    for edge in graph.get("edges") or ():
        edges[edge.get("start")].append((edge, edge.get("end"), True))
        edges[edge.get("end")].append((edge, edge.get("start"), False))
    asked = next((key for key, node in nodes.items() if node.get("question_node")), next(iter(nodes)))
    seen: set[Any] = set()
    root = _grow(asked, nodes, edges, seen, set())
    # What no edge reaches is shown all the same.
    root.children += [_graph_node(nodes[key]) for key in nodes if key not in seen]
    return root


def _grow(
    key: Any,
    nodes: Mapping[Any, Mapping[str, Any]],
    edges: Mapping[Any, list[tuple[Mapping[str, Any], Any, bool]]],
    seen: set[Any],
    used: set[int],
) -> Node:
    node = _graph_node(nodes[key])
    if key in seen or len(used) > DEEPEST:
        return Node(f"{node.label} ({'as above' if key in seen else 'and more that is too deep to draw'})")
    seen.add(key)
    for edge, other, forward in edges.get(key, ()):
        if id(edge) in used or other not in nodes:
            continue
        used.add(id(edge))
        relation = _relation(edge, forward)
        relation.children.append(_grow(other, nodes, edges, seen, used))
        node.children.append(relation)
    return node


def _graph_node(node: Mapping[str, Any]) -> Node:
    name = str(node.get("friendly_name") or node.get("id") or "?")
    asked, kind = node.get("question_node"), str(node.get("node_type") or "")
    label = name if kind == "class" else f"[{name}]"
    function = str(node.get("function") or "none")
    if function != "none":
        label = f"{FUNCTIONS.get(function, function)}: {label}"
    description = str(node.get("description") or KINDS.get(kind, ""))
    class_name = str(node.get("class") or node.get("id") or "")
    if asked:
        return Node(f"? {label}", f"This is what is asked for. {description}".strip(), class_name)
    return Node(label, description, class_name)


def _relation(edge: Mapping[str, Any], forward: bool) -> Node:
    name, key = str(edge.get("friendly_name") or edge.get("relation") or "?"), str(edge.get("relation") or "")
    way = "from what is above to what is below" if forward else "from what is below to what is above"
    description = f"{edge.get('description') or ''} Relation {key}, {way}.".strip()
    return Node(f"{name} →" if forward else f"← {name}", description, key.rpartition(".")[0])
