"""The graphs of GrailQA's scorer: its verdicts on real pairs, and isomorphism as networkx has it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from random_forms import CLASSES, ontology, random_forms

from recombine.errors import ProgramError
from recombine.kb.matching.grailqa_forms import GrailqaForms
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.profiles.find_profile import find_profile
from recombine.languages.sexpression import render_sexpression
from recombine.tree import Tree

FREEBASE = find_profile("freebase")
SMALL = GrailqaForms(ontology(), FREEBASE)


def verdict(forms: GrailqaForms, one: str, other: str) -> bool | str:
    try:
        return forms.text(one) == forms.text(other)
    except ProgramError:
        return "unreadable"


@pytest.mark.shared_data
def test_published_verdicts(data_dir: Path) -> None:
    """All that do not depend on search order: a pair, the other way round, and each on itself."""
    forms = GrailqaForms(default_ontology(data_dir / "grailqa" / "ontology"), FREEBASE)  # type: ignore[arg-type]
    rows = [json.loads(line) for line in (data_dir / "grailqa" / "scorer_verdicts.jsonl").read_text().splitlines()]
    rows = [row for row in rows if not row["order_dependent"]]
    assert len(rows) == 61
    for row in rows:
        a, b = row["a"], row["b"]
        assert verdict(forms, a, b) == row["published"], row["n"]
        assert verdict(forms, b, a) == row["published_reversed"], row["n"]
        assert [verdict(forms, a, a), verdict(forms, b, b)] == row["published_reflexive"], row["n"]


FILM = "(AND film.film (JOIN film.film.directed_by m.01))"
MATCHES = {
    "implied class": ("(JOIN film.film.directed_by m.01)", True),
    "wider class": ("(AND media.work (JOIN film.film.directed_by m.01))", False),
    "reverse": ("(AND film.film (JOIN (R film.director.films) m.01))", True),
    "repeat": ("(AND film.film (AND (JOIN film.film.directed_by m.01) (JOIN film.film.directed_by m.01)))", False),
    "class twice": ("(AND film.film (AND film.film (JOIN film.film.directed_by m.01)))", True),
    "unknown class": ("(AND film.flim (JOIN film.film.directed_by m.01))", False),
    "blank after a bracket": ("( AND film.film (JOIN film.film.directed_by m.01))", "unreadable"),
    "blank before a bracket": ("(AND film.film (JOIN film.film.directed_by m.01) )", "unreadable"),
    "bracket too many": ("(AND film.film (JOIN film.film.directed_by m.01)))", "unreadable"),
    "unfinished": ("(AND film.film (JOIN film.film.directed_by m.01)", False),
    "no function": ("(XOR film.film (JOIN film.film.directed_by m.01))", "unreadable"),
    "an argument missing": ("(AND film.film)", "unreadable"),
    "an argument too many": ("(AND film.film (JOIN film.film.directed_by m.01) m.02)", True),
    "unknown word": ("(AND film.film (JOIN @@UNKNOWN@@ m.01))", "unreadable"),
    "empty brackets": ("()", "unreadable"),
    "deep": ("(R " * 10_000 + "a" + ")" * 10_000, "unreadable"),
    "long": ("m" * 20_000_000, "unreadable"),
}


@pytest.mark.parametrize("case", MATCHES)
def test_what_it_matches(case: str) -> None:
    other, wanted = MATCHES[case]
    assert verdict(SMALL, FILM, other) == wanted
    assert verdict(SMALL, other, FILM) == wanted


def test_what_it_does_not_see() -> None:
    asked = "(JOIN film.film.directed_by (JOIN people.person.born_in m.01))"
    other = "(AND film.director (AND (JOIN people.person.born_in m.01) (JOIN (R film.film.directed_by) film.film)))"
    assert verdict(SMALL, asked, other) is True, "the asked-for node"
    film = "(AND (JOIN film.film.directed_by (JOIN people.person.born_in m.01)) (JOIN film.film.based_on m.02))"
    director = "(AND (JOIN people.person.born_in m.01) (JOIN (R film.film.directed_by) (JOIN film.film.based_on m.02)))"
    assert verdict(SMALL, f"(AND film.film {film})", f"(AND film.director {director})") is True, "of two in the middle"
    assert verdict(SMALL, "(JOIN foo.bar m.01)", "(JOIN foo.baz m.01)") is True, "relations that it does not know"
    assert verdict(SMALL, "(AND a.b (JOIN c.d", "(AND e.f (JOIN g.h") is True, "the rest of unfinished texts"


def changed(tree: Tree, chance: np.random.Generator) -> Tree:
    """A form with one thing in it changed, or none."""
    nodes = list(tree.iter_nodes())
    target = nodes[int(chance.integers(len(nodes)))]
    other = {"ARGMAX": "ARGMIN", "ARGMIN": "ARGMAX", "lt": "le", "ge": "gt"}.get(target.label, target.label)
    children = target.children
    if target.label == "AND":
        children = children[::-1]
    elif not children and target.label.startswith("m."):
        other = "m.077"
    elif not children and target.label in CLASSES:
        other = CLASSES[int(chance.integers(len(CLASSES)))]
    return tree.mapped(lambda node: Tree(other, children) if node is target else node)


def graph_of(text: str, order: np.random.Generator | None = None) -> nx.MultiDiGraph[int]:
    """The scorer's graph, its nodes and edges put in in some order."""
    nodes = SMALL.nodes(text)
    numbers = {id(node): number for number, node in enumerate(nodes)}
    places = order.permutation(len(nodes)) if order is not None else np.arange(len(nodes))
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for place in places.tolist():
        node = nodes[place]
        said = {"function": node.function} if node.function else {}
        graph.add_node(place, label=(node.kind, node.name, node.time), **said)
    for place in places.tolist():
        for neighbour, along, _ in nodes[place].edges:
            if along is not None:
                graph.add_edge(place, numbers[id(neighbour)], relation=along)
    return graph


def isomorphic(one: nx.MultiDiGraph[int], other: nx.MultiDiGraph[int], *, erasing: bool) -> bool:
    """Whether two graphs are isomorphic; functions are compared, and erased when they are if that is wanted."""

    def same_edges(edges: dict[int, Any], others: dict[int, Any]) -> bool:
        return sorted(e["relation"] for e in edges.values()) == sorted(e["relation"] for e in others.values())

    def same_nodes(node: dict[str, Any], twin: dict[str, Any]) -> bool:
        if node["label"] != twin["label"]:
            return False
        take = dict.pop if erasing else dict.get
        return bool(take(node, "function", "") == take(twin, "function", ""))

    return bool(nx.is_isomorphic(one, other, node_match=same_nodes, edge_match=same_edges))


def _in_small_letters(text: str) -> str:
    """The comparisons as the scorer reads them."""
    return re.sub(r"\((?:LT|LE|GT|GE) ", lambda match: match[0].lower(), text)


@pytest.mark.parametrize("seed", range(4))
def test_texts_are_equal_where_graphs_are_isomorphic(seed: int) -> None:
    """And where a search that erases functions says the same in every order, it says this."""
    chance = np.random.default_rng(seed)
    told, hanging = 0, 0
    for form in random_forms(seed, 150):
        one, other = (_in_small_letters(render_sexpression(tree)) for tree in (form, changed(form, chance)))
        ours = verdict(SMALL, one, other)
        assert ours == isomorphic(graph_of(one), graph_of(other), erasing=False), (one, other)
        orders = {isomorphic(graph_of(one, chance), graph_of(other, chance), erasing=True) for _ in range(12)}
        if len(orders) == 1:
            told += 1
            assert orders == {ours}, (one, other)
        hanging += len(orders) == 2
    assert told > 100
    assert hanging < 30
