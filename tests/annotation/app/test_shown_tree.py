"""GrailQA's graph queries, and other values, as trees whose nodes open."""

from __future__ import annotations

from typing import Any

from recombine.annotation.app.shown_tree import Node, shown_tree


def node(nid: int, name: str, kind: str = "class", **more: Any) -> dict[str, Any]:
    """A node as GrailQA writes it."""
    return {"nid": nid, "node_type": kind, "id": f"id.{name}", "class": f"c.{name}", "friendly_name": name,
            "question_node": 0, "function": "none"} | more  # fmt: skip


def edge(start: int, end: int, name: str) -> dict[str, Any]:
    """An edge as GrailQA writes it."""
    return {"start": start, "end": end, "relation": f"d.t.{name}", "friendly_name": name}


def labels(tree: Node) -> Any:
    """The labels, nested."""
    return (tree.label, [labels(each) for each in tree.children]) if tree.children else tree.label


def test_the_tree_starts_at_what_is_asked_for_and_shows_directions() -> None:
    # which star of mass at least 4.0 is contained by Orion?
    graph = {
        "nodes": [
            node(0, "4.0", "literal", function=">="),
            node(1, "Star", question_node=1),
            node(2, "Orion", "entity", description="A constellation."),
        ],
        "edges": [edge(1, 0, "mass"), edge(2, 1, "contains")],
    }
    tree = shown_tree(graph)
    assert labels(tree) == ("? Star", [("mass →", ["at least: [4.0]"]), ("← contains", ["[Orion]"])])
    orion = tree.children[1].children[0]
    assert (orion.description, orion.class_name) == ("A constellation.", "c.Orion")
    assert tree.description.startswith("This is what is asked for.")
    assert "d.t.contains, from what is below to what is above" in tree.children[1].description
    assert tree.children[1].class_name == "d.t"
    assert all(each.about for each in (tree, *tree.children))


def test_a_circle_ends_and_what_no_edge_reaches_is_shown() -> None:
    graph = {
        "nodes": [node(0, "A", question_node=1), node(1, "B"), node(2, "alone")],
        "edges": [edge(0, 1, "r"), edge(1, 0, "s")],
    }
    assert labels(shown_tree(graph)) == ("? A", [("r →", [("B", [("s →", ["? A (as above)"])])]), "alone"])


def test_two_edges_between_the_same_nodes_are_both_there() -> None:
    graph = {"nodes": [node(0, "A", question_node=1), node(1, "B")], "edges": [edge(0, 1, "r"), edge(0, 1, "r")]}
    assert labels(shown_tree(graph)) == ("? A", [("r →", [("B", [("← r", ["? A (as above)"])])])])


def test_nested_nodes_and_plain_values() -> None:
    nested = {"label": "count", "children": [{"label": "film", "class": "film.film", "description": "A film."}, "x"]}
    tree = shown_tree(nested)
    assert labels(tree) == ("count", ["film", "x"])
    assert (tree.about, tree.children[0].about) == (False, True)
    assert shown_tree("(COUNT film)") == Node("(COUNT film)")
    assert shown_tree(["a", 1]) == Node('["a",1]')


def test_a_very_deep_tree_is_shown_all_the_same() -> None:
    deep: Any = {"label": "leaf"}
    for _ in range(100):
        deep = {"label": "n", "children": [deep]}
    tree, depth = shown_tree(deep), 0
    while tree.children:
        tree, depth = tree.children[0], depth + 1
    assert depth == 61
    assert tree.label.count('"label"') == 101 - 61
    long = {"nodes": [node(k, str(k)) for k in range(200)], "edges": [edge(k, k + 1, "r") for k in range(199)]}
    assert "too deep to draw" in str(shown_tree(long))
