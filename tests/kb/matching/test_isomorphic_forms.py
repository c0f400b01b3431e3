"""What the paper's text compares: graphs up to isomorphism, without an ontology."""

from __future__ import annotations

import networkx as nx
import pytest
from random_forms import random_forms

from recombine.errors import FormError
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery, SExpression
from recombine.kb.forms.pattern import Pattern
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.read_form import read_form
from recombine.kb.matching.isomorphic_forms import IsomorphicForms
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression
from recombine.tree import Tree

FREEBASE = find_profile("freebase")
FORMS = IsomorphicForms(FREEBASE)
FILM = "(AND film.film (JOIN film.film.directed_by m.01))"
XSD = "http://www.w3.org/2001/XMLSchema#"
CASES = {
    "order": (FILM, "(AND (JOIN film.film.directed_by m.01) film.film)", True),
    "reversed twice": (FILM, "(AND film.film (JOIN (R (R film.film.directed_by)) m.01))", True),
    "joined first": ("(JOIN a.b (JOIN c.d m.01))", "(JOIN (JOIN a.b c.d) m.01)", True),
    "class twice": (FILM, f"(AND film.film {FILM})", True),
    "capitals": (f"(lt a.b 5^^{XSD}integer)", f"(LT a.b 5^^{XSD}integer)", True),
    "quotes": (f"(lt a.b 5^^{XSD}integer)", f'(lt a.b "5"^^{XSD}integer)', True),
    "repeated branch": (FILM, f"(AND (JOIN film.film.directed_by m.01) {FILM})", False),
    "implied class": (FILM, "(JOIN film.film.directed_by m.01)", False),
    "reverse": (FILM, "(AND film.film (JOIN (R film.director.films) m.01))", False),
    "another spelling": (f"(lt a.b 5^^{XSD}integer)", f"(lt a.b 5^^{XSD}int)", False),
    "asked-for node": ("(JOIN a.b (JOIN c.d m.01))", "(AND (JOIN c.d m.01) (JOIN (R a.b) e.f))", False),
    "count": (FILM, f"(COUNT {FILM})", False),
    "function": ("(ARGMAX a.b c.d)", "(ARGMIN a.b c.d)", False),
    "entity": (FILM, "(AND film.film (JOIN film.film.directed_by m.02))", False),
}


def of_text(text: str) -> str:
    return FORMS.text(SExpression(parse_sexpression(text)))


@pytest.mark.parametrize("case", CASES)
def test_pairs(case: str) -> None:
    one, other, same = CASES[case]
    assert (of_text(one) == of_text(other)) is same


def test_notations_are_compared() -> None:
    query = "SELECT ?x { ?x a ns:film.film . ?x ns:film.film.directed_by ns:m.01 }"
    assert FORMS.text(read_form(query, "sparql", FREEBASE)) == of_text(FILM)
    nodes = (GraphNode("class", Term.name("film.film")), GraphNode("entity", Term.name("m.01"), Term.name("a.b")))
    edge = GraphEdge(0, 1, Term.name("film.film.directed_by"))
    assert FORMS.text(GraphQuery(nodes, (edge,))) == of_text(FILM)


def test_graphs_that_are_no_trees() -> None:
    def cyclic(*order: int, asked: int) -> GraphQuery:
        nodes = tuple(GraphNode("class", Term.name("abc"[place])) for place in order)
        places = {place: number for number, place in enumerate(order)}
        edges = [GraphEdge(places[a], places[b], Term.name("r")) for a, b in ((0, 1), (1, 2), (2, 0))]
        return GraphQuery(nodes, tuple(edges), places[asked])

    assert FORMS.text(cyclic(0, 1, 2, asked=0)) == FORMS.text(cyclic(2, 0, 1, asked=0))
    assert FORMS.text(cyclic(0, 1, 2, asked=0)) != FORMS.text(cyclic(0, 1, 2, asked=1))


def test_queries_that_are_no_graphs() -> None:
    one, other = (read_form(f"ASK {{ ?{x} ns:a.b ?{y} }}", "sparql", FREEBASE) for x, y in (("x", "y"), ("p", "q")))
    assert FORMS.text(one) == FORMS.text(other)


def test_a_long_chain_is_refused() -> None:
    nodes = tuple(GraphNode("class", Term.name("c")) for _ in range(5_000))
    edges = tuple(GraphEdge(place, place + 1, Term.name("r")) for place in range(4_999))
    with pytest.raises(FormError):
        FORMS.text(GraphQuery(nodes, edges))


def graph_of(pattern: Pattern) -> nx.MultiDiGraph[int]:
    """A pattern as a graph whose labels are all that is said of a node."""
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for place, node in enumerate(pattern.nodes):
        said = (sorted({*node.constants}), sorted({*node.classes}), sorted({*node.comparisons}), node.extreme)
        graph.add_node(place, label=(repr(said), place == pattern.asked and ("count" if pattern.count else "asked")))
    for edge in pattern.edges:
        graph.add_edge(edge.start, edge.end, relation=edge.relation.text)
    return graph


def test_texts_are_equal_where_networkx_finds_an_isomorphism() -> None:
    def swapped(tree: Tree) -> Tree:
        return tree.mapped(lambda node: Tree("AND", node.children[::-1]) if node.label == "AND" else node)

    forms = random_forms(3, 150)
    forms += [swapped(form) for form in forms[:50]]
    patterns = [pattern_of(SExpression(form), FREEBASE).pattern for form in forms]
    same = 0
    pairs = [(place, place + step) for step in (1, 2, 3, 150) for place in range(len(forms) - step)]
    for place, other in pairs:
        wanted = nx.is_isomorphic(
            graph_of(patterns[place]),
            graph_of(patterns[other]),
            node_match=lambda a, b: a["label"] == b["label"],
            edge_match=lambda a, b: sorted(map(str, a.values())) == sorted(map(str, b.values())),
        )
        same += wanted
        texts = [FORMS.text(SExpression(forms[each])) for each in (place, other)]
        assert (texts[0] == texts[1]) is wanted, (forms[place], forms[other])
    assert 50 <= same < 100
