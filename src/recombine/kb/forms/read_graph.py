"""A graph query read from the JSON that GrailQA writes.

`nodes` have `nid`, `node_type` (class, entity, literal), `id`, `class`, `friendly_name`, `question_node` (1 at the one
that is asked for) and `function`; `edges` have `start`, `end`, `relation` and `friendly_name`. A name for people may be
left out; a class may be null, for anything at all. The literal of a superlative says nothing: GrailQA writes a zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import FormError, GraphQueryError, ProgramError
from recombine.kb.forms.form import ARGMAX, ARGMIN, COUNT, FUNCTIONS, NONE, GraphEdge, GraphNode, GraphQuery
from recombine.kb.forms.sexpression_words import read_word
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

KINDS = ("class", "entity", "literal")
_MOST_NODES = 1_000


def read_graph(value: Any, profile: Profile) -> GraphQuery:
    """The graph query of a JSON object; what is wrong is named by its field."""
    if not isinstance(value, dict):
        raise GraphQueryError("all of it", f"is no object but {_shown(value)}", 'give {"nodes": […], "edges": […]}')
    nodes, edges = (_list(value, field) for field in ("nodes", "edges"))
    if not nodes:
        raise GraphQueryError("nodes", "is empty", "give the node that is asked for")
    if len(nodes) > _MOST_NODES:
        raise GraphQueryError("nodes", f"has {len(nodes):,} nodes", f"give {_MOST_NODES:,} at most")
    places: dict[Any, int] = {}
    for place, node in enumerate(nodes):
        number = _integer(node, "nid", f"nodes[{place}]")
        if number in places:
            raise GraphQueryError(f"nodes[{place}].nid", f"{number} is the number of two nodes", "number each its own")
        places[number] = place
    query = GraphQuery(
        tuple(_node(node, f"nodes[{place}]", profile) for place, node in enumerate(nodes)),
        tuple(_edge(edge, f"edges[{place}]", places, profile) for place, edge in enumerate(edges)),
        _asked(nodes),
    )
    _check(query)
    return query


def _node(value: dict[str, Any], at: str, profile: Profile) -> GraphNode:
    kind, function = _text(value, "node_type", at), _text(value, "function", at, default=NONE)
    if kind not in KINDS:
        raise GraphQueryError(f"{at}.node_type", f"{_shown(kind)} is no kind of node", f"give {', '.join(KINDS)}")
    if function not in FUNCTIONS:
        raise GraphQueryError(f"{at}.function", f"{_shown(function)} is no function", f"give {', '.join(FUNCTIONS)}")
    named, of_class = _term(value, "id", at, profile), _term(value, "class", at, profile)
    extreme = function in (ARGMAX, ARGMIN)
    if extreme:
        named = None
    elif named is None and kind != "class":
        raise GraphQueryError(f"{at}.id", f"is missing, and the node is no class but {kind}", "name it")
    if named is not None and (named.kind == LITERAL) != (kind == "literal"):
        said = "a literal" if named.kind == LITERAL else "a name"
        raise GraphQueryError(f"{at}.id", f"{profile.show(named)} is {said}, and the node is a {kind}", "mend either")
    if kind == "class":
        named, of_class = named or of_class, None
    return GraphNode(kind, named, of_class, function, _text(value, "friendly_name", at, default=""))


def _edge(value: Any, at: str, places: dict[Any, int], profile: Profile) -> GraphEdge:
    ends = []
    for field in ("start", "end"):
        number = _integer(value, field, at)
        if number not in places:
            known = ", ".join(map(str, list(places)[:8]))
            raise GraphQueryError(f"{at}.{field}", f"there is no node {number}", f"give a nid: {known}")
        ends.append(places[number])
    relation = _term(value, "relation", at, profile)
    if relation is None or relation.kind == LITERAL:
        raise GraphQueryError(f"{at}.relation", "names no relation", "name it")
    return GraphEdge(ends[0], ends[1], relation, _text(value, "friendly_name", at, default=""))


def _asked(nodes: list[Any]) -> int:
    asked = []
    for place, node in enumerate(nodes):
        mark = node.get("question_node", 0)
        if mark not in (0, 1):
            raise GraphQueryError(f"nodes[{place}].question_node", f"is {_shown(mark)}", "give 0 or 1")
        if mark:
            asked.append(place)
    if len(asked) != 1:
        which = "no node is" if not asked else f"the nodes {asked[0]} and {asked[1]} are both"
        raise GraphQueryError("question_node", f"{which} asked for", "give one node question_node 1")
    return asked[0]


def _check(query: GraphQuery) -> None:
    """Raise for functions where none can stand, and for nodes that nothing connects."""
    functions = [place for place, node in enumerate(query.nodes) if node.function != NONE]
    for place in functions:
        node = query.nodes[place]
        if node.function == COUNT and place != query.asked:
            raise GraphQueryError(f"nodes[{place}].function", "counts a node that is not asked for", "count that one")
        if node.function != COUNT and node.kind != "literal":
            problem = f"{node.function} stands at a node that is a {node.kind}"
            raise GraphQueryError(f"nodes[{place}].function", problem, "put it at a literal")
    if len(functions) > 1:
        names = " and ".join(query.nodes[place].function for place in functions[:2])
        raise FormError(f"a graph query with two functions, {names}", "a graph query has one: write an S-expression")
    if query.nodes[query.asked].kind == "literal":
        raise GraphQueryError(f"nodes[{query.asked}]", "a literal is asked for", "ask for a class")
    for place, edge in enumerate(query.edges):
        if query.nodes[edge.start].kind == "literal":
            raise GraphQueryError(f"edges[{place}].start", "a literal begins no fact", "exchange start and end")
    apart = _apart(query)
    if apart is not None:
        problem = f"nothing connects it with the asked-for node {query.asked}"
        raise GraphQueryError(f"nodes[{apart}]", problem, "add an edge, or leave it out")


def _apart(query: GraphQuery) -> int | None:
    """The first node that no path connects with the one that is asked for."""
    near: list[list[int]] = [[] for _ in query.nodes]
    for edge in query.edges:
        near[edge.start].append(edge.end)
        near[edge.end].append(edge.start)
    seen, waiting = {query.asked}, [query.asked]
    while waiting:
        for other in near[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return next((place for place in range(len(query.nodes)) if place not in seen), None)


def _list(value: dict[str, Any], field: str) -> list[Any]:
    items = value.get(field)
    if not isinstance(items, list):
        raise GraphQueryError(field, f"is no list but {_shown(items)}" if field in value else "is missing", "give […]")
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            raise GraphQueryError(f"{field}[{place}]", f"is no object but {_shown(item)}", "give {…}")
    return items


def _integer(value: dict[str, Any], field: str, at: str) -> int:
    number = value.get(field)
    if not isinstance(number, int) or isinstance(number, bool):
        problem = f"is no whole number but {_shown(number)}" if field in value else "is missing"
        raise GraphQueryError(f"{at}.{field}", problem, "give the number of a node")
    return number


def _text(value: dict[str, Any], field: str, at: str, *, default: str | None = None) -> str:
    text = value.get(field)
    if text is None and default is not None:
        return default
    if not isinstance(text, str):
        raise GraphQueryError(f"{at}.{field}", f"is {_shown(text)}" if field in value else "is missing", "give a text")
    return text


def _term(value: dict[str, Any], field: str, at: str, profile: Profile) -> Term | None:
    text = _text(value, field, at, default="")
    if not text:
        return None
    try:
        return read_word(text, profile)
    except (ProgramError, FormError) as error:
        raise GraphQueryError(f"{at}.{field}", error.problem, error.remedy) from error


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
