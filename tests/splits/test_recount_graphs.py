"""The recount of sub-graphs and the features of the package give the same values, on a small pool."""

from __future__ import annotations

import pytest

import recombine
from large_graphs import large_graph
from recombine.measures.divergence import divergence
from recombine.records.derivation import Derivation
from recount_graphs import divergences, grammar_parts, iter_weighted, kept, line_name, lines, values

TREES = [
    Derivation.tree(("s", [("v" if n % 3 else "w", [("a", []), ("b", [])]), ("n", [("a", [])] * (n % 4))]))
    for n in range(12)
]
GRAPHS = [large_graph(seed, 70) for seed in range(12)]
SPLIT = {"one": (range(8), range(8, 12))}


def measured(graphs: list[Derivation], definition: str) -> float:
    data = recombine.load([recombine.Example(str(n), f"s{n}", "t", graph) for n, graph in enumerate(graphs)])
    return divergence(recombine.features(data, definition).compounds, *map(list, SPLIT["one"]), alpha=0.1)


@pytest.mark.parametrize("value", ["counts", "weighted"])
def test_connected_parts(value: str) -> None:
    listed = [grammar_parts(tree, 2, 4) for tree in TREES]
    rows = iter_weighted(lambda: listed) if value == "weighted" else (values(parts, value) for parts in listed)
    assert measured(TREES, f"dag:2-4,{value}") == pytest.approx(divergences(rows, SPLIT, 0.1)["one"])


@pytest.mark.parametrize("top", [None, 5, 20])
def test_lines(top: int | None) -> None:
    rows = [values(lines(graph, 2, 3, ("resolution", "knowledge")), "presence") for graph in GRAPHS]
    definition = "line:2-3,presence,rules=resolution+knowledge"
    if top is not None:
        stay = kept(rows, top, line_name)
        rows = [{text: value for text, value in row.items() if text in stay} for row in rows]
        definition += f",top={top}"
    assert measured(GRAPHS, definition) == pytest.approx(divergences(rows, SPLIT, 0.1)["one"])
