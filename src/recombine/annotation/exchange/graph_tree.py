"""A graph query as a tree whose nodes open, from what is asked for outwards (GrailQA, figure 7).

Relations stand between the nodes that they join, with an arrow that says their direction. A node has its class, where
it is known, and says its function. What is reached a second time, by a circle, is named and not opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_SIGNS = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}


def is_graph(value: object) -> bool:
    """Whether a value is a graph query as GrailQA writes it."""
    return isinstance(value, dict) and isinstance(value.get("nodes"), list) and isinstance(value.get("edges"), list)


def graph_tree(graph: Mapping[str, Any]) -> dict[str, Any]:
    """The tree of a graph query.

    >>> node = {"nid": 0, "node_type": "class", "id": "film", "friendly_name": "Film", "question_node": 1}
    >>> lee = {"nid": 1, "node_type": "entity", "id": "m.1", "class": "person", "friendly_name": "Ang Lee"}
    >>> edge = {"start": 0, "end": 1, "relation": "film.directed_by", "friendly_name": "Directed by"}
    >>> tree = graph_tree({"nodes": [node, lee], "edges": [edge]})
    >>> tree["label"], tree["children"][0]["label"], tree["children"][0]["children"][0]["label"]
    ('Film?', '→ Directed by', '[Ang Lee]')
    """
    nodes = {node["nid"]: node for node in graph["nodes"]}
    asked = next((key for key, node in nodes.items() if node.get("question_node")), next(iter(nodes)))
    return _grown(asked, nodes, graph["edges"], set())


def _grown(key: Any, nodes: Mapping[Any, Any], edges: list[Any], used: set[int]) -> dict[str, Any]:
    """A node and what hangs on it by edges that were not used yet."""
    tree = _node(nodes[key])
    for place, edge in enumerate(edges):
        if place in used or key not in (edge["start"], edge["end"]):
            continue
        used.add(place)
        forth = edge["start"] == key
        other = edge["end"] if forth else edge["start"]
        relation = {"label": f"{'→' if forth else '←'} {edge.get('friendly_name') or edge['relation']}"}
        inner = {"class": str(edge["relation"]), "children": [_grown(other, nodes, edges, used)]}
        tree.setdefault("children", []).append(relation | inner)
    return tree


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    name = str(node.get("friendly_name") or node.get("id") or "something")
    label = name if node.get("node_type", "class") == "class" else f"[{name}]"
    function = str(node.get("function") or "none")
    if function != "none":
        label = f"{_SIGNS.get(function, function)} {label}"
    tree: dict[str, Any] = {"label": f"{label}?" if node.get("question_node") else label}
    if node.get("class"):
        tree["class"] = str(node["class"])
    return tree
