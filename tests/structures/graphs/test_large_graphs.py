"""Graphs of up to 1,024 nodes, rules of four kinds, and linear sub-graphs, against a slow recount."""

from __future__ import annotations

import pytest

import recombine
from large_graphs import connected_sets, counts, large_graph, linear_sets, weights
from recombine.errors import DefinitionError, DerivationError
from recombine.records.derivation import Derivation
from recombine.structures.definition import RULE_STRUCTURES, STRUCTURES, Structures
from recombine.structures.features import Features
from recombine.structures.graphs.compounds import DAG, LINE, rule_compounds

SIZES = (63, 64, 65, 130, 200)
FOUR = Derivation.from_rows(
    [
        ["JOIN"],
        ["inference:I", 0, 3],
        ["S", 0, 1],
        ["V", 2, 1, 1, 2],
        ["resolution:R", 0, 2],
        ["knowledge:K(a, b)", 1, 1, 4, 1],
    ]
)
"""A small graph with rules of four kinds."""


def extract(sample: list[Derivation], definition: str) -> Features:
    kind = LINE if definition.startswith("line") else DAG
    return rule_compounds(sample, kind.parse(definition))


def chain(*rules: str) -> Derivation:
    return Derivation.from_rows([[rule, *([place - 1, 1] if place else [])] for place, rule in enumerate(rules)])


@pytest.mark.parametrize("size", SIZES)
def test_connected_sub_graphs_of_large_graphs(size: int) -> None:
    graph = large_graph(size, size)
    found = extract([graph], "dag:2-4,counts,rules=all")
    # Texts by place tell more apart than canonical names do: of each size there are as many, in fewer kinds.
    sets = connected_sets(graph, 2, 4)
    assert found.data.sum() == len(sets)
    assert len(found.names) <= len(counts(graph, sets))
    pairs = extract([graph], "dag:2-2,counts,rules=all").row(0)  # these are listed by other code
    two = {name: count for name, count in found.row(0).items() if name in pairs}
    assert two == pairs


@pytest.mark.parametrize("size", SIZES)
def test_linear_sub_graphs_of_large_graphs(size: int) -> None:
    graph = large_graph(size, size)
    for low, high in ((2, 3), (5, 7), (9, 9)):
        row = extract([graph], f"line:{low}-{high},counts,rules=all").row(0)
        # In a path the order of nodes is that of the graph, so that texts and canonical names tell the same apart.
        assert sorted(row.values()) == counts(graph, linear_sets(graph, low, high))


@pytest.mark.parametrize("sizes", [(40, 70), (66, 129, 200)])
def test_weights_of_large_graphs(sizes: tuple[int, ...]) -> None:
    graphs = [large_graph(size, size) for size in sizes]
    graphs.append(graphs[0])  # a repeated graph counts twice
    sets = [linear_sets(graph, 3, 6) for graph in graphs]
    found = extract(graphs, "line:3-6,weighted,rules=all")
    for place, row in enumerate(weights(graphs, sets)):
        assert sorted(found.row(place).values()) == pytest.approx(sorted(row.values()))


def test_small_sub_graphs_of_any_shape_and_long_linear_ones() -> None:
    graph = large_graph(7, 90)
    found = extract([graph], "dag:2-3,counts,rules=all,linear=6")
    assert found.data.sum() == len(connected_sets(graph, 2, 3)) + len(linear_sets(graph, 4, 6))
    assert "linear=6" in str(DAG.parse("dag:2-3,counts,linear=6"))
    weighted = extract([graph, graph], "dag:2-3,weighted,rules=all,linear=6")
    assert weighted.shape == (2, found.shape[1])
    assert weighted.data.min() >= 0.0
    assert weighted.data.max() == 1.0


def test_a_path_with_a_further_edge_is_not_linear() -> None:
    skip = Derivation.from_rows([["a"], ["b", 0, 1], ["c", 1, 1, 0, 2]])
    assert list(extract([skip], "line:2-3,counts").row(0)) == ["a(1:b)", "a(2:c)", "b(1:c)"]
    assert list(extract([chain("a", "b", "c")], "line:3-3,counts").row(0)) == ["a(1:b(1:c))"]


def test_the_same_compounds_under_and_over_64_nodes() -> None:
    small, large = chain(*"abcd"), chain(*("x",) * 80, *"abcd")
    rows = extract([small, large], "dag:2-4,counts,rules=all")
    for name, count in rows.row(0).items():
        assert rows.row(1)[name] == count


def two_chains(one: int, other: int) -> Derivation:
    """Two chains below a root: derivations may not be as deep as they may be large."""
    rows: list[list[str | int]] = [["x"]]
    rows += [["x", place, 1] for place in range(one)]
    rows += [["x", 0, 2], *(["x", one + place, 1] for place in range(1, other))]
    return Derivation.from_rows(rows)


def test_graphs_of_1024_nodes_and_no_more() -> None:
    row = extract([two_chains(511, 512)], "dag:2-3,counts").row(0)
    assert row["x(1:x)"] == 511 + 511
    assert row["x(2:x)"] == 1
    assert row["x(1:x(1:x))"] == 510 + 510
    assert sum(row.values()) == 1023 + 1022  # the root with both, and with two of the second chain, are one each
    with pytest.raises(DerivationError, match="1025 rule applications, more than the 1024"):
        extract([two_chains(512, 512)], "dag:2-3,counts")


def test_rules_of_four_kinds() -> None:
    def names(definition: str) -> list[str]:
        return list(extract([FOUR], definition).row(0))

    assert names("dag:2-2,counts") == ["JOIN(1:S)", "S(1:V)"]
    assert names("dag:2-2,counts,rules=inference") == []
    assert names("dag:2-2,counts,rules=knowledge+inference") == ["inference:I(1:knowledge:K(a, b))"]
    assert names("dag:2-2,counts,rules=resolution+knowledge") == ["resolution:R(1:knowledge:K(a, b))"]
    assert len(names("dag:2-2,counts,rules=all")) == 7
    assert str(DAG.parse("dag:2-3,rules=knowledge+grammar")) == "dag:2-3,counts,rules=grammar+knowledge"
    atoms = recombine.features([_example(FOUR)], "atoms=rules:inference+knowledge;compounds=dag:2-2,counts").atoms
    assert list(atoms.names) == ["inference:I", "knowledge:K(a, b)"]


@pytest.mark.parametrize(
    "text",
    [
        "dag:2-3,rules=verbs",
        "dag:2-3,rules=grammar+grammar",
        "dag:2-4,linear=4",
        "dag:2-4,linear=33",
        "line:2-3,linear=5",
    ],
)
def test_definitions_that_are_none(text: str) -> None:
    with pytest.raises(DefinitionError):
        Structures.parse(text)


def _example(derivation: Derivation) -> recombine.Example:
    return recombine.Example("1", "s", "t", derivation)


def test_the_default_of_derivations_with_logical_rules() -> None:
    data = recombine.load([_example(FOUR)])
    assert data.structures == RULE_STRUCTURES
    assert str(recombine.features(data).structures) == RULE_STRUCTURES  # it prints as it is written
    assert recombine.load([_example(chain("a", "b"))]).structures == STRUCTURES
