"""A derivation of a quasi-synchronous grammar as two trees of the same rules: one of sources, one of targets.

Every rule of the derivation has a number and a colour, which are the same in both trees. A box shows one side of its
rule, with the numbers of the rules that fill its slots. A target repeats a slot by naming its number several times; the
rule in it is drawn once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.nqg.rule import render
from recombine.pages.drawing.layout import CHARACTER, HEIGHT, PADDING, STEP
from recombine.pages.drawing.svg import element, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from recombine.models.nqg.forest.kbest import Derivation
    from recombine.models.nqg.rule import QcfgRule, Symbol

COLOURS = 6
MOST = 80
"""The most rules of a derivation that is drawn."""
MARGIN = 13
BADGE = 9
GAP = 2 * BADGE + 6
LONGEST = 44
"""The most characters of a label."""


def derivation_figure(derivation: Derivation, rules: Sequence[QcfgRule]) -> tuple[Markup, Markup] | None:
    """The tree of sources and the tree of targets; none where there are too many rules to draw."""
    nodes, children = _numbered(derivation)
    if len(nodes) > MOST:
        return None
    chosen = [rules[node.rule] for node in nodes]
    return _tree("source", chosen, children), _tree("target", chosen, children)


def _numbered(derivation: Derivation) -> tuple[list[Derivation], list[list[int]]]:
    """The rules from the top down, and the numbers of the rules in the slots of each."""
    nodes: list[Derivation] = []
    children: list[list[int]] = []
    waiting: list[tuple[Derivation, int]] = [(derivation, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            children[parent].append(len(nodes))
        waiting.extend((child, len(nodes)) for child in reversed(node.children))
        nodes.append(node)
        children.append([])
    return nodes, children


def _tree(side: str, rules: Sequence[QcfgRule], children: Sequence[Sequence[int]]) -> Markup:
    parts = [_parts(getattr(rule, side), below) for rule, below in zip(rules, children, strict=True)]
    # Children come in the order of their slots on this side.
    order = [
        [below[slot - 1] for slot in dict.fromkeys(s for s in getattr(rule, side) if isinstance(s, int))]
        for rule, below in zip(rules, children, strict=True)
    ]
    widths = [len(" ".join(text for text, _ in row)) * CHARACTER + 2 * PADDING for row in parts]
    centres, layers, whole = _places(order, widths)
    xs, tops = [MARGIN + centre for centre in centres], [MARGIN + layer * STEP for layer in layers]
    links = [
        _link(xs[parent], tops[parent] + HEIGHT, xs[child], tops[child], child)
        for parent, below in enumerate(order)
        for child in below
    ]
    boxes = [_box(place, rule, parts[place], widths[place], xs[place], tops[place]) for place, rule in enumerate(rules)]
    width, height = whole + 2 * MARGIN, max(layers) * STEP + HEIGHT + 2 * MARGIN
    return element(
        "svg",
        *links,
        *boxes,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="group",
        class_="picture tree",
        aria_label=f"The {side}s of the derivation",
    )


def _places(children: Sequence[Sequence[int]], widths: Sequence[float]) -> tuple[list[float], list[int], float]:
    """The centre and layer of each node, and the width of the whole; a parent stands over the middle of its children.

    Nodes are numbered from the top down, so that children come after their parent.
    """
    spans, layers = list(widths), [0] * len(widths)
    for node in reversed(range(len(widths))):
        inner = sum(spans[child] for child in children[node]) + GAP * max(len(children[node]) - 1, 0)
        spans[node] = max(widths[node], inner)
    lefts, centres = [0.0] * len(widths), [0.0] * len(widths)
    for node, below in enumerate(children):
        inner = sum(spans[child] for child in below) + GAP * max(len(below) - 1, 0)
        at = lefts[node] + (spans[node] - inner) / 2
        for child in below:
            lefts[child], layers[child] = at, layers[node] + 1
            at += spans[child] + GAP
    for node in reversed(range(len(widths))):
        below = children[node]
        middle = (centres[below[0]] + centres[below[-1]]) / 2 if below else lefts[node] + spans[node] / 2
        half = widths[node] / 2
        centres[node] = min(max(middle, lefts[node] + half), lefts[node] + spans[node] - half)
    return centres, layers, spans[0]


def _parts(symbols: Sequence[Symbol], below: Sequence[int]) -> list[tuple[str, int | None]]:
    """The words of one side, slots as the numbers of the rules in them; where they are too many, tokens are cut out."""
    words: list[tuple[str, int | None]] = [
        (f"[{below[symbol - 1] + 1}]", below[symbol - 1]) if isinstance(symbol, int) else (render([symbol]), None)
        for symbol in symbols
    ]
    while len(" ".join(text for text, _ in words)) > LONGEST:
        places = [at for at, (text, rule) in enumerate(words) if rule is None and text != "…"]
        if not places:
            break
        # From the middle outwards, so that both ends can be read.
        cut = min(places, key=lambda at: abs(at - len(words) / 2))
        words[cut] = ("…", None)
        words = [row for at, row in enumerate(words) if at == 0 or row[0] != "…" or words[at - 1][0] != "…"]
    return words


def _link(x: float, start: float, to: float, end: float, child: int) -> Markup:
    bend = (end - start) / 2
    path = f"M{number(x)} {number(start)}C{number(x)} {number(start + bend)} {number(to)} {number(end - bend)} "
    return element("path", d=f"{path}{number(to)} {number(end)}", class_=f"link {_colour(child)}")


def _box(
    place: int, rule: QcfgRule, parts: Sequence[tuple[str, int | None]], width: float, x: float, y: float
) -> Markup:
    left = x - width / 2
    label = f"{place + 1}: {rule}"
    return element(
        "g",
        element("title", label),
        element("rect", x=left, y=y, width=width, height=HEIGHT, rx=5),
        element("text", *_spans(parts), x=x, y=y + 16, class_="words"),
        element("circle", cx=left - 2, cy=y - 2, r=BADGE, class_="badge"),
        element("text", str(place + 1), x=left - 2, y=y + 1.5, class_="badge-text"),
        class_=f"rule {_colour(place)}",
        data_node=str(place + 1),
        tabindex="0",
        role="img",
        aria_label=label,
    )


def _spans(parts: Sequence[tuple[str, int | None]]) -> Iterator[Markup | str]:
    for at, (text, rule) in enumerate(parts):
        if at:
            yield " "
        yield text if rule is None else element("tspan", text, class_=f"filled {_colour(rule)}")


def _colour(place: int) -> str:
    return f"c{place % COLOURS}"
