"""A compound as a small picture: rules in boxes, slots on the lines between them.

What train knows of it (`Known`) is drawn in one colour with whole lines, the rest in the other with broken ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.layout import HEIGHT, STEP, layout, node_width, short_label
from recombine.pages.drawing.svg import element, number, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from recombine.pages.drawing.graph import Graph
    from recombine.pages.splits.held_out import Known

MARGIN = 2


def graph_figure(graph: Graph, known: Known, *, name: str) -> Markup:
    """The picture of a compound."""
    places = layout(graph)
    description = "; ".join(
        f"{graph.rules[parent]} has {graph.rules[child]} in slot {slot}" for parent, child, slot in graph.edges
    )
    title = f"Compound of {len(graph.rules)} rules: {graph.name}"
    centres = [centre + MARGIN for centre in places.centres]
    tops = [layer * STEP + MARGIN for layer in places.layers]
    joined = {(p, c) for p, c, _ in graph.edges if known.joined and {p, c} <= known.nodes}
    drawn = [
        *_links(graph, centres, tops, joined),
        *(_node(rule, centres[node], tops[node], new=node not in known.nodes) for node, rule in enumerate(graph.rules)),
    ]
    width, height = places.width + 2 * MARGIN, places.height + 2 * MARGIN
    return picture(name, title, description + ".", width, height, *drawn, class_="picture small")


def _links(graph: Graph, centres: list[int], tops: list[int], joined: set[tuple[int, int]]) -> Iterator[Markup]:
    slots: dict[tuple[int, int], list[str]] = {}
    for parent, child, slot in sorted(graph.edges):
        slots.setdefault((parent, child), []).append(str(slot))
    labels = []
    for (parent, child), names in slots.items():
        start, end = tops[parent] + HEIGHT, tops[child]
        bend = (end - start) / 2
        x, to = centres[parent], centres[child]
        path = f"M{number(x)} {number(start)}C{number(x)} {number(start + bend)} {number(to)} {number(end - bend)} "
        yield element(
            "path", d=f"{path}{number(to)} {number(end)}", class_="link" if (parent, child) in joined else "link new"
        )
        labels.append(element("text", ", ".join(names), x=(x + to) / 2 + 5, y=(start + end) / 2 + 3.5, class_="slot"))
    yield from labels


def _node(rule: str, x: int, y: int, *, new: bool) -> Markup:
    width = node_width(rule)
    return element(
        "g",
        element("title", rule),
        element("rect", x=x - width / 2, y=y, width=width, height=HEIGHT, rx=5),
        element("text", short_label(rule), x=x, y=y + 16),
        class_="node new" if new else "node",
    )
