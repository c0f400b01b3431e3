"""Small worlds in which a SPARQL query has answers, and its answers there by pyoxigraph."""

from __future__ import annotations

import random
from collections import Counter

import pyoxigraph

from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree

_POOL = [f"<http://pool.example/{letter}>" for letter in "abc"] + ["1", "2.5", '"x"@en', '"y"']
_SELECTS = ("select", "select_distinct", "select_reduced")


def world_of(tree: Tree, *, seed: int) -> pyoxigraph.Store:
    """A store with facts that make the query's triples true, for a few random choices of its variables."""
    draw = random.Random(seed)  # noqa: S311
    constants = sorted({n.label for n in tree.iter_nodes() if n.label[0] in '<"' and len(n.label) > 2})
    pool = _POOL + draw.sample(constants, min(4, len(constants)))
    store = pyoxigraph.Store()
    for _ in range(6):
        chosen: dict[str, str] = {}
        for node in tree.iter_nodes():
            if node.label == "triple":
                _say(store, node, chosen, pool, draw)
    return store


def _say(store: pyoxigraph.Store, triple: Tree, chosen: dict[str, str], pool: list[str], draw: random.Random) -> None:
    subject, path, value = triple.children
    start, end = (_chosen(term.label, chosen, pool, draw) for term in (subject, value))
    for begin, relation, finish in _facts(start, path, end, pool, draw):
        begin_iri = begin if begin[0] == "<" else _POOL[0]
        predicate = relation if relation[0] == "<" else _chosen(relation, chosen, _POOL[:3], draw)
        predicate = predicate if predicate[0] == "<" else _POOL[1]
        store.update(f"INSERT DATA {{ {begin_iri} {predicate} {finish} }}")


def _chosen(term: str, chosen: dict[str, str], pool: list[str], draw: random.Random) -> str:
    if term[0] != "?" and not term.startswith("_:"):
        return term
    return chosen.setdefault(term, draw.choice(pool))


def _facts(start: str, path: Tree, end: str, pool: list[str], draw: random.Random) -> list[tuple[str, str, str]]:
    """Facts that lead from one end of a path to the other."""
    if not path.children:
        return [(start, path.label, end)] if path.label != "!" else []
    if path.label == "/":
        stops = [start, *(draw.choice(_POOL[:3]) for _ in path.children[1:]), end]
        return [
            fact
            for a, step, b in zip(stops, path.children, stops[1:], strict=False)
            for fact in _facts(a, step, b, pool, draw)
        ]
    if path.label == "^":
        return _facts(end, path.children[0], start, pool, draw)
    if path.label == "!":
        return [(start, draw.choice(_POOL[:3]), end)]
    return _facts(start, draw.choice(path.children), end, pool, draw)


def answers(query: str, store: pyoxigraph.Store) -> object:
    """The answers as a bag of rows, or the truth of an ASK."""
    result = store.query(query)
    if isinstance(result, pyoxigraph.QueryBoolean):
        return bool(result)
    assert isinstance(result, pyoxigraph.QuerySolutions)
    return Counter(tuple(str(value) for value in row) for row in result)


def without_limits(tree: Tree) -> Tree:
    """The query with all of its answers: which of them a LIMIT leaves is not said where they are alike."""
    kept = tuple(child for child in tree.children if child.label not in ("limit", "offset"))
    return Tree(tree.label, tuple(without_limits(child) for child in kept))


def is_answered_alone(tree: Tree) -> bool:
    """Whether a query asks nobody else, and has no graphs, which these worlds do not have."""
    return not any(node.label.startswith(("service", "graph", "from")) for node in tree.iter_nodes())


def has_all_columns(tree: Tree) -> bool:
    """Whether a query asks for `*`, whose columns have no order."""
    return tree.label in _SELECTS and tree.children[0].children[0].label == "*"


def same_answers(one: str, other: str, *, seeds: int) -> int:
    """In how many of these worlds there were answers; fails where the two queries differ."""
    tree = read_query(one).tree
    answered = 0
    for seed in range(seeds):
        store = world_of(tree, seed=seed)
        expected = answers(one, store)
        assert answers(other, store) == expected, (write_query(tree), seed)
        answered += bool(expected)
    return answered
