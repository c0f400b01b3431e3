"""Where the nodes of a small graph stand: in layers, parents above children, no two in one place.

A node's layer is its longest path from the top. Each node hangs under its lowest parent, children stand in the order of
their slots, and a parent stands over the middle of its children; further edges of a graph that is no tree run across.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.pages.drawing.graph import Graph

CHARACTER = 7.3
PADDING = 8
GAP = 12
STEP = 50
HEIGHT = 24
LONGEST = 28
"""Labels with more characters are cut."""


@dataclass(frozen=True)
class Layout:
    """Centres and layers of nodes, and the width of the whole."""

    centres: tuple[int, ...]
    layers: tuple[int, ...]
    width: int

    @property
    def height(self) -> int:
        """The height of the whole."""
        return max(self.layers, default=0) * STEP + HEIGHT


def short_label(rule: str) -> str:
    """A rule's name, cut where it is too long to draw."""
    return rule if len(rule) <= LONGEST else rule[: LONGEST - 1] + "…"


def node_width(rule: str) -> float:
    """The width of a node, by the length of its label in a font of fixed width."""
    return len(short_label(rule)) * CHARACTER + 2 * PADDING


def layout(graph: Graph, *, gap: float = GAP) -> Layout:
    """The places of all nodes, neighbours at least a gap apart.

    >>> from recombine.pages.drawing.graph import Graph
    >>> layout(Graph(("and", "a", "b"), ((0, 1, 1), (0, 2, 2)))).layers
    (0, 1, 1)
    """
    layers = _layers(graph)
    children, roots = _hanging(graph, layers)
    widths = [node_width(rule) for rule in graph.rules]
    spans = _spans(children, widths, layers, gap)
    centres = _centres(children, roots, spans, widths, gap)
    whole = sum(spans[root] + gap for root in roots) - gap
    return Layout(tuple(round(centre) for centre in centres), tuple(layers), round(whole))


def _layers(graph: Graph) -> list[int]:
    layers = [0] * len(graph.rules)
    # A longest path in a graph without cycles has fewer edges than nodes.
    for _ in graph.rules:
        before = list(layers)
        for parent, child, _ in graph.edges:
            layers[child] = max(layers[child], layers[parent] + 1)
        if layers == before:
            break
    return layers


def _hanging(graph: Graph, layers: list[int]) -> tuple[list[list[int]], list[int]]:
    """The children under each node, each node under one parent, and the nodes under none."""
    above: dict[int, tuple[int, int]] = {}
    for parent, child, slot in graph.edges:
        if child not in above or layers[parent] > layers[above[child][0]]:
            above[child] = (parent, slot)
    children: list[list[int]] = [[] for _ in graph.rules]
    for child, (parent, _) in sorted(above.items(), key=lambda item: (item[1][1], item[0])):
        children[parent].append(child)
    return children, [node for node in range(len(graph.rules)) if node not in above]


def _spans(children: list[list[int]], widths: list[float], layers: list[int], gap: float) -> list[float]:
    """The width that each node and all under it need."""
    spans = list(widths)
    for node in sorted(range(len(widths)), key=lambda node: -layers[node]):
        if children[node]:
            inner = sum(spans[child] for child in children[node]) + gap * (len(children[node]) - 1)
            spans[node] = max(widths[node], inner)
    return spans


def _centres(
    children: list[list[int]], roots: list[int], spans: list[float], widths: list[float], gap: float
) -> list[float]:
    """The centre of each node, roots from left to right; nodes come after their parents on the way down."""
    lefts, centres = [0.0] * len(widths), [0.0] * len(widths)
    left = 0.0
    for root in roots:
        lefts[root] = left
        left += spans[root] + gap
    down, waiting = [], list(roots)
    while waiting:
        node = waiting.pop()
        down.append(node)
        inner = sum(spans[child] for child in children[node]) + gap * max(0, len(children[node]) - 1)
        at = lefts[node] + (spans[node] - inner) / 2
        for child in children[node]:
            lefts[child] = at
            at += spans[child] + gap
        waiting.extend(children[node])
    for node in reversed(down):
        below = [centres[child] for child in children[node]]
        middle = (below[0] + below[-1]) / 2 if below else lefts[node] + spans[node] / 2
        half = widths[node] / 2
        centres[node] = min(max(middle, lefts[node] + half), lefts[node] + spans[node] - half)
    return centres
