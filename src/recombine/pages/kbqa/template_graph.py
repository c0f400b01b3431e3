"""The graph of a form as it is drawn: the asked-for node on top, branches below it, relations beside their lines.

Places are worked out here; the page draws them. What is no tree is drawn as the tree of shortest ways from the node
that is asked for, with further lines across.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import RecombineError
from recombine.evaluation.groups.paraphrases import GRAPH as GRAPH_FIELD
from recombine.evaluation.match.form_matchers import read_form
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT, GRAPH, GraphQuery
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.wording.name_words import JOIN, last_part
from recombine.records.example import thawed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.kb.forms.form import GraphNode
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.records.example import Example

CHARACTER, BOLD, SMALL = 7.1, 8.2, 6.3
"""The widths of characters: in nodes, of functions there, and beside lines."""
PADDING, GAP, HEIGHT, STEP = 12, 22, 40, 96
LONGEST = 30
_WORDS = {ARGMAX: "the most", ARGMIN: "the least", COUNT: "how many"}


class DrawnNode(NamedTuple):
    """A node: what it is, its two lines of text, its place, and all of its name."""

    kind: str
    """`asked`, `class`, `entity`, `literal` or `extreme`, the literal of a superlative."""
    text: str
    note: str
    function: str
    x: float
    y: float
    width: float
    title: str


class DrawnEdge(NamedTuple):
    """A line between two nodes by place; it points to the second."""

    start: int
    end: int
    text: str
    title: str


class DrawnGraph(NamedTuple):
    """A graph with its places."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    width: float
    height: float

    def to_record(self) -> list[Any]:
        """As the page's script reads it."""
        return [list(map(list, self.nodes)), list(map(list, self.edges)), self.width, self.height]


def example_graph(example: Example, setting: FormSetting) -> GraphQuery:
    """The graph query of an example: the one that the data has, else the one that its form says."""
    said = {**example.tags, **example.context}.get(GRAPH_FIELD)
    if said is not None:
        try:
            return read_graph(thawed(said), setting.profile)
        except RecombineError:
            pass  # a field of another data set may have this name; the form says the same
    converted = convert(read_form(example.target, setting), GRAPH, profile=setting.profile).form
    if not isinstance(converted, GraphQuery):
        raise AssertionError("a form was converted to a graph")
    return converted


def draw_graph(query: GraphQuery, profile: Profile) -> DrawnGraph:
    """The places of a graph's nodes and lines."""
    above, order = _tree(query)
    labels = [last_name(edge.relation) for edge in query.edges]
    texts = [_texts(node, place == query.asked) for place, node in enumerate(query.nodes)]
    widths = [_width(*each) for each in texts]
    # A line's text stands at its right, so that a branch is as wide as that needs on both sides.
    needs = list(widths)
    for place, (_, edge) in above.items():
        needs[place] = max(needs[place], 2 * (SMALL * len(_short(labels[edge])) + 14))
    children: dict[int, list[int]] = {place: [] for place in range(len(query.nodes))}
    for place in order:
        if place in above:
            children[above[place][0]].append(place)
    spans = dict.fromkeys(range(len(query.nodes)), 0.0)
    for place in reversed(order):
        inner = sum(spans[child] for child in children[place]) + GAP * max(0, len(children[place]) - 1)
        spans[place] = max(needs[place], inner)
    centres, layers = _places(query.asked, order, children, spans)
    nodes = tuple(
        DrawnNode(
            _kind(node, place == query.asked),
            *texts[place],
            round(centres[place], 1),
            layers[place] * STEP,
            round(widths[place], 1),
            _title(node, profile),
        )
        for place, node in enumerate(query.nodes)
    )
    edges = tuple(
        DrawnEdge(edge.start, edge.end, _short(label), profile.show(edge.relation))
        for edge, label in zip(query.edges, labels, strict=True)
    )
    return DrawnGraph(nodes, edges, round(spans[query.asked], 1), max(layers.values()) * STEP + HEIGHT)


def last_name(term: Term | None) -> str:
    """The last part of a name, with blanks.

    >>> from recombine.kb.term import Term
    >>> last_name(Term.name("film.film.directed_by")), last_name(Term.iri("http://example.org/worksFor"))
    ('directed by', 'worksFor')
    >>> last_name(Term.name("/film/actor/film./film/performance/film"))
    'film / film'
    """
    if term is None:
        return ""
    if "://" in term.text:
        text = term.text.rstrip("/#").rpartition("#")[2] if "#" in term.text else last_part(term.text)
    else:
        text = " / ".join(_last(part) for part in term.text.split(JOIN))
    return text.replace("_", " ")


def _last(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2].rpartition(".")[2] or name


def _tree(query: GraphQuery) -> tuple[dict[int, tuple[int, int]], list[int]]:
    """Each node's parent with the edge between them, by shortest ways; and all nodes, from the one asked for on."""
    above: dict[int, tuple[int, int]] = {}
    order = [query.asked]
    for place in order:
        for number, edge in enumerate(query.edges):
            if place in (edge.start, edge.end):
                other = edge.end if edge.start == place else edge.start
                if other not in order:
                    above[other] = place, number
                    order.append(other)
    order += [place for place in range(len(query.nodes)) if place not in order]
    return above, order


def _places(
    root: int, order: Sequence[int], children: dict[int, list[int]], spans: dict[int, float]
) -> tuple[dict[int, float], dict[int, int]]:
    """The centre and the layer of each node; one that nothing ties to the rest stands at the right."""
    lefts, layers, centres = {root: 0.0}, {root: 0}, {}
    right = spans[root] + GAP
    for place in order:
        if place not in lefts:
            lefts[place], layers[place] = right, 0
            right += spans[place] + GAP
        centres[place] = lefts[place] + spans[place] / 2
        inner = sum(spans[child] for child in children[place]) + GAP * max(0, len(children[place]) - 1)
        at = lefts[place] + (spans[place] - inner) / 2
        for child in children[place]:
            lefts[child], layers[child] = at, layers[place] + 1
            at += spans[child] + GAP
    return centres, layers


def _kind(node: GraphNode, asked: bool) -> str:
    if asked:
        return "asked"
    return "extreme" if node.function in (ARGMAX, ARGMIN) else node.kind


def _texts(node: GraphNode, asked: bool) -> tuple[str, str, str]:
    """The text of a node, the class below it, and its function."""
    function = _WORDS.get(node.function) or (node.function if node.function in COMPARISONS else "")
    if node.kind == "class":
        return _short(node.name or last_name(node.value) or "anything"), "asked for" if asked else "", function
    name = node.name or (
        "" if node.value is None else last_name(node.value) if node.kind == "entity" else node.value.text
    )
    if node.function in (ARGMAX, ARGMIN):
        return _short(last_name(node.of_class) or "value"), "", function
    return _short(name or node.kind), _short(last_name(node.of_class)), function


def _width(text: str, note: str, function: str) -> float:
    first = CHARACTER * len(text) + (BOLD * (len(function) + 1) if function else 0)
    return max(first, SMALL * len(note), 40) + 2 * PADDING


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _title(node: GraphNode, profile: Profile) -> str:
    """All that is said of a node."""
    value = "" if node.value is None else profile.show(node.value)
    parts = [node.kind, value, "" if node.of_class is None else f"of {profile.show(node.of_class)}"]
    parts.append("" if node.function == "none" else node.function)
    return ", ".join(filter(None, parts))
