"""A graph in a compact form, with the places of its nodes, for a page's script to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.pages.drawing.layout import CHARACTER, GAP, HEIGHT, LONGEST, PADDING, STEP, layout

if TYPE_CHECKING:
    from recombine.pages.drawing.graph import Graph

GEOMETRY = {"character": CHARACTER, "padding": PADDING, "step": STEP, "height": HEIGHT, "longest": LONGEST}


def compact_graph(graph: Graph, rules: dict[str, int], *, gap: float = GAP) -> list[Any]:
    """A graph with the places of its nodes; rules that are not numbered yet are numbered."""
    places = layout(graph, gap=gap)
    return [
        [rules.setdefault(rule, len(rules)) for rule in graph.rules],
        [value for edge in graph.edges for value in edge],
        places.centres,
        places.layers,
        places.width,
    ]
