"""Graph queries as JSON: read, written again, and what is refused, by its field."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from recombine.errors import FormError, GraphQueryError, ProgramError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import GRAPH, SEXPRESSION
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.forms.write_graph import write_graph
from recombine.kb.profiles.find_profile import find_profile
from recombine.languages.sexpression import render_sexpression

FREEBASE = find_profile("freebase")
XSD = "http://www.w3.org/2001/XMLSchema#"


def node(number: int, kind: str = "class", name: str | None = "film.film", **said: Any) -> dict[str, Any]:
    """A node as GrailQA writes it."""
    fields = {"nid": number, "node_type": kind, "id": name, "class": name, "friendly_name": ""}
    return {**fields, "question_node": int(number == 0), "function": "none", **said}


def edge(start: int, end: int, relation: str = "film.film.director") -> dict[str, Any]:
    """An edge as GrailQA writes it."""
    return {"start": start, "end": end, "relation": relation, "friendly_name": ""}


def graph(*edges: dict[str, Any], nodes: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A graph query: films, their director m.0d, who was born in m.0c."""
    usual = [node(0), node(1, name="film.director"), node(2, "entity", "m.0c", **{"class": "location.city"})]
    return {"nodes": nodes or usual, "edges": list(edges) or [edge(0, 1), edge(1, 2, "people.person.born_in")]}


def test_what_is_read_is_written_again() -> None:
    value = graph()
    assert write_graph(read_graph(value, FREEBASE), FREEBASE) == value
    assert render_sexpression(convert(read_graph(value, FREEBASE), SEXPRESSION, profile=FREEBASE).form.tree) == (  # type: ignore[union-attr]
        "(AND film.film (JOIN film.film.director (JOIN people.person.born_in m.0c)))"
    )


def test_nodes_may_have_any_numbers() -> None:
    value = graph(edge(7, 3), nodes=[node(7, question_node=1), node(3, "entity", "m.0c", question_node=0)])
    read = read_graph(value, FREEBASE)
    assert (read.edges[0].start, read.edges[0].end, read.asked) == (0, 1, 0)


def test_anything_at_all_and_what_is_left_out() -> None:
    value = graph(edge(0, 1), nodes=[{"nid": 0, "node_type": "class", "question_node": 1}, node(1, "entity", "m.0c")])
    value["nodes"][1]["question_node"] = 0
    assert read_graph(value, FREEBASE).nodes[0].value is None
    again = write_graph(read_graph(value, FREEBASE), FREEBASE)
    assert (again["nodes"][0]["id"], again["nodes"][0]["class"]) == (None, None)
    assert read_graph(again, FREEBASE) == read_graph(value, FREEBASE)


def changed(path: str, value: Any) -> dict[str, Any]:
    """The usual graph query with one field changed, or taken out."""
    query: Any = copy.deepcopy(graph())
    *way, last = path.replace("]", "").replace("[", ".").split(".")
    at = query
    for step in way:
        at = at[int(step) if step.isdigit() else step]
    if value is KeyError:
        del at[last]
    else:
        at[int(last) if last.isdigit() else last] = value
    return query  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "graph query, all of it: is no object but []"),
        ({}, "graph query, nodes: is missing"),
        (changed("nodes", {}), "graph query, nodes: is no list but {}"),
        (changed("edges", KeyError), "graph query, edges: is missing"),
        (changed("nodes[1]", 5), "graph query, nodes[1]: is no object but 5"),
        ({"nodes": [], "edges": []}, "graph query, nodes: is empty"),
        (changed("nodes[1].nid", "1"), "graph query, nodes[1].nid: is no whole number but '1'"),
        (changed("nodes[1].nid", True), "graph query, nodes[1].nid: is no whole number but True"),
        (changed("nodes[1].nid", 2), "graph query, nodes[2].nid: 2 is the number of two nodes"),
        (changed("nodes[1].node_type", "klass"), "graph query, nodes[1].node_type: 'klass' is no kind of node"),
        (changed("nodes[1].node_type", KeyError), "graph query, nodes[1].node_type: is missing"),
        (changed("nodes[1].function", "most"), "graph query, nodes[1].function: 'most' is no function"),
        (changed("nodes[2].id", None), "graph query, nodes[2].id: is missing, and the node is no class but entity"),
        (changed("nodes[2].id", 5), "graph query, nodes[2].id: is 5"),
        (changed("nodes[2].id", f"5^^{XSD}int"), "is a literal, and the node is a entity"),
        (changed("nodes[1].question_node", 1), "graph query, question_node: the nodes 0 and 1 are both asked for"),
        (changed("nodes[0].question_node", 0), "graph query, question_node: no node is asked for"),
        (changed("nodes[0].question_node", "yes"), "graph query, nodes[0].question_node: is 'yes'"),
        (changed("edges[1].end", 9), "graph query, edges[1].end: there is no node 9; give a nid: 0, 1, 2"),
        (changed("edges[0].relation", KeyError), "graph query, edges[0].relation: names no relation"),
        (changed("edges", [edge(0, 1)]), "graph query, nodes[2]: nothing connects it with the asked-for node 0"),
        (changed("nodes[1].function", "count"), "nodes[1].function: counts a node that is not asked for"),
        (changed("nodes[2].function", "argmax"), "nodes[2].function: argmax stands at a node that is a entity"),
    ],
)
def test_malformed_ones_are_named_by_their_field(value: Any, message: str) -> None:
    with pytest.raises(GraphQueryError) as caught:
        read_form(value, GRAPH, FREEBASE)
    assert message in str(caught.value)
    assert isinstance(caught.value, ProgramError), "malformed, as other programs are"
    assert "\n" not in str(caught.value)


def literal(number: int, function: str, value: str = f"5^^{XSD}integer") -> dict[str, Any]:
    return node(number, "literal", value, function=function, **{"class": "type.int"})


def test_a_literal_begins_no_fact() -> None:
    with pytest.raises(GraphQueryError, match=r"edges\[0\]\.start: a literal begins no fact"):
        read_graph(graph(edge(1, 0), nodes=[node(0), literal(1, "<")]), FREEBASE)


def test_a_query_with_two_functions_is_refused() -> None:
    two = graph(edge(0, 1), edge(0, 2), nodes=[node(0), literal(1, "argmax"), literal(2, "<")])
    with pytest.raises(FormError, match="a graph query with two functions, argmax and <"):
        read_graph(two, FREEBASE)


def test_a_cyclic_query_has_no_s_expression() -> None:
    cyclic = read_graph(graph(edge(0, 1), edge(0, 1, "film.film.writer"), edge(1, 2)), FREEBASE)
    with pytest.raises(FormError, match="it is cyclic: two paths lead from what is asked for to one node"):
        convert(cyclic, SEXPRESSION, profile=FREEBASE)
    loop = read_graph(graph(edge(0, 1), edge(1, 2), edge(1, 1)), FREEBASE)
    with pytest.raises(FormError, match="it is cyclic"):
        convert(loop, SEXPRESSION, profile=FREEBASE)


def test_a_very_long_path_is_refused_in_time() -> None:
    nodes = [node(number) for number in range(900)]
    long = read_graph(graph(*(edge(n, n + 1) for n in range(899)), nodes=nodes), FREEBASE)
    with pytest.raises(FormError, match="deeper than 100 levels"):
        convert(long, SEXPRESSION, profile=FREEBASE)
    with pytest.raises(GraphQueryError, match=r"nodes: has 1,001 nodes; give 1,000 at most"):
        read_graph(graph(nodes=[node(number) for number in range(1001)]), FREEBASE)
