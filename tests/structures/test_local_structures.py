"""Local structures by hand, against brute force, and on the real programs."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import DefinitionError
from recombine.languages.functional import parse_functional
from recombine.structures.definition import local_definition
from recombine.structures.local_definition import LocalDefinition
from recombine.structures.local_structures import LocalStructures, local_structures, structure_text
from recombine.structures.programs.local_structure_kernels import PAIRS
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree

Edge = tuple[int, int, str]
Structure = tuple[tuple[str, ...], frozenset[Edge]]
# §4.1 and Appendix C, nodes in program order; `>` parent and child, `~` consecutive siblings.
PAPER = {
    2: ["0>1", "0~1"],
    3: ["0>1 1>2", "0~1 1~2", "0>1 0>2 1~2"],
    4: ["0>1 1>2 2>3", "0~1 1~2 2~3", "0>1 1>2 1>3 2~3", "0>1 0>2 0>3 1~2 2~3"],
}
NAMES = [
    *(f"{family}:{order}{without}" for family in ("local", "connected") for order in (2, 3, 4) for without in
      ("", ",no-siblings", ",no-parents")),
    "ngram:2",
    "ngram:3",
    "ngram:4",
]  # fmt: skip


def edges_of(text: str) -> frozenset[Edge]:
    return frozenset((int(edge[0]), int(edge[2]), edge[1]) for edge in text.split())


def flat(tree: Tree) -> tuple[list[str], list[int], list[int]]:
    """Labels, parents and left siblings in program order, by recursion."""
    labels, parents, lefts = ["<s>"], [-1], [-1]

    def visit(node: Tree, parent: int, left: int) -> int:
        here = len(labels)
        labels.append(node.label)
        parents.append(parent)
        lefts.append(left)
        last = -1
        for child in node.children:
            last = visit(child, here, last)
        return here

    visit(tree, 0, -1)
    return labels, parents, lefts


def is_connected(size: int, edges: frozenset[Edge]) -> bool:
    reached = {0}
    for _ in range(size):
        reached |= {b for a, b, _ in edges if a in reached} | {a for a, b, _ in edges if b in reached}
    return len(reached) == size


def slow(tree: Tree, definition: LocalDefinition) -> Counter[Structure]:
    """Every set of nodes is tried."""
    labels, parents, lefts = flat(tree)
    found: Counter[Structure] = Counter()
    for size in range(2, definition.order + 1):
        if definition.kind == "ngram":
            run = frozenset((n, n + 1, "~") for n in range(size - 1))
            found.update((tuple(labels[at : at + size]), run) for at in range(len(labels) - size + 1))
            continue
        for nodes in combinations(range(len(labels)), size):
            up = {(i, j, ">") for i, j in combinations(range(size), 2) if parents[nodes[j]] == nodes[i]}
            across = {(i, j, "~") for i, j in combinations(range(size), 2) if lefts[nodes[j]] == nodes[i]}
            edges = frozenset((up if definition.parents else set()) | (across if definition.siblings else set()))
            known = is_connected(size, edges)
            if definition.kind == "local":
                known = edges in [edges_of(text) for text in PAPER[size]]
            if known:
                found[tuple(labels[node] for node in nodes), edges] += 1
    return found


def decoded(found: LocalStructures, program: int) -> dict[Structure, int]:
    result = {}
    for entry in range(int(found.indptr[program]), int(found.indptr[program + 1])):
        column = int(found.indices[entry])
        words = tuple(found.symbols[int(n)] for n in found.labels[column] if n >= 0)
        digits = [(pair, int(found.shapes[column]) // 3**place % 3) for place, pair in enumerate(PAIRS)]
        edges = frozenset((left, right, " >~"[digit]) for (left, right), digit in digits if digit)
        result[words, edges] = int(found.counts[entry])
    return result


def trees(size: int = 9) -> st.SearchStrategy[Tree]:
    label = st.sampled_from("abcd")
    return st.recursive(
        st.builds(Tree, label),
        lambda inner: st.builds(lambda name, below: Tree(name, tuple(below)), label, st.lists(inner, max_size=4)),
        max_leaves=size,
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3), st.sampled_from(NAMES))
def test_against_all_sets_of_nodes(sample: list[Tree], name: str) -> None:
    definition = local_definition(name)
    sample = [tree for tree in sample if tree.size() < 14] or [Tree("a")]
    found = local_structures(program_arrays(sample), definition)
    for program, tree in enumerate(sample):
        assert decoded(found, program) == slow(tree, definition)


PROGRAM = "or ( exists ( filter ( black , find ( dog ) ) ) , all ( find ( cat ) , scene ( ) ) )"


def names(program: str, definition: str) -> list[str]:
    found = local_structures(program_arrays([parse_functional(program)]), definition)
    return [found.name(int(column)) for column in found.row(0)]


def test_a_program_by_hand() -> None:
    pairs = [
        "<s> > or",
        "all > find",
        "all > scene()",
        "exists > filter",
        "filter > black",
        "filter > find",
        "find > cat",
        "find > dog",
        "or > all",
        "or > exists",
        "black ~ find",
        "exists ~ all",
        "find ~ scene()",
    ]
    assert names(PROGRAM, "local:2") == pairs
    assert names(PROGRAM, "local:2,no-siblings") == [name for name in pairs if ">" in name]
    assert names(PROGRAM, "local:2,no-parents") == [name for name in pairs if "~" in name]
    triples = [
        "<s> > or > all",
        "<s> > or > exists",
        "all > find > cat",
        "exists > filter > black",
        "exists > filter > find",
        "filter > find > dog",
        "or > all > find",
        "or > all > scene()",
        "or > exists > filter",
        "all > (find ~ scene())",
        "filter > (black ~ find)",
        "or > (exists ~ all)",
    ]
    assert names(PROGRAM, "local:3") == pairs + triples
    fours = [
        "<s> > or > all > find",
        "<s> > or > all > scene()",
        "<s> > or > exists > filter",
        "exists > filter > find > dog",
        "or > all > find > cat",
        "or > exists > filter > black",
        "or > exists > filter > find",
        "<s> > or > (exists ~ all)",
        "exists > filter > (black ~ find)",
        "or > all > (find ~ scene())",
    ]
    assert names(PROGRAM, "local:4") == pairs + triples + fours


def test_wide_nodes_by_hand() -> None:
    # choose ( count ( … ) , 2 , 3 ): three siblings, and a parent with three.
    found = names("choose ( count ( scene ( ) ) , 2 , 3 , 4 )", "local:4")
    assert "count ~ 2 ~ 3" in found
    assert "count ~ 2 ~ 3 ~ 4" in found
    assert "choose > (count ~ 2 ~ 3)" in found
    assert "choose > (2 ~ 3 ~ 4)" in found
    assert "count ~ 3" not in found


def test_symbols_in_order_are_the_program_without_brackets() -> None:
    assert names("count ( find ( dog ) )", "ngram:2") == ["<s> count", "count find", "find dog"]
    assert names("count ( find ( dog ) )", "ngram:3")[3:] == ["<s> count find", "count find dog"]


def test_connected_structures_that_the_paper_leaves_out() -> None:
    more = set(names(PROGRAM, "connected:3")) - set(names(PROGRAM, "local:3"))
    assert more == {
        "{exists; filter; all: 0>1, 0~2}",
        "{exists; all; find: 0~1, 1>2}",
        "{exists; all; scene(): 0~1, 1>2}",
        "{black; find; dog: 0~1, 1>2}",
        "{find; cat; scene(): 0>1, 0~2}",
    }


def test_counts_and_repeats() -> None:
    tree = Tree("and", (Tree("a"), Tree("a"), Tree("a")))
    found = local_structures(program_arrays([tree, tree]), "local:3")
    row = found.features().row(1)
    assert row == {
        "<s> > and": 1,
        "and > a": 3,
        "a ~ a": 2,
        "<s> > and > a": 3,
        "a ~ a ~ a": 1,
        "and > (a ~ a)": 2,
    }
    assert np.array_equal(found.observed([0]), np.ones(6, bool))
    assert not found.observed([]).any()
    assert found.sizes.tolist() == [2, 2, 2, 3, 3, 3]


def test_no_programs_and_one_symbol() -> None:
    assert local_structures(program_arrays([]), "local:4").shape == (0, 0)
    assert names("dog", "local:4") == ["<s> > dog"]
    assert names("dog", "local:4,no-parents") == []


@pytest.mark.parametrize("name", NAMES)
def test_definitions_print_and_parse(name: str) -> None:
    assert str(local_definition(name)) == name


@pytest.mark.parametrize("name", ["local", "local:1", "local:5", "local:2,sib", "ngram:2,no-parents", "tree:2", ""])
def test_definitions_that_cannot_be_read(name: str) -> None:
    with pytest.raises(DefinitionError, match="local"):
        local_definition(name)


def test_definitions_of_nothing() -> None:
    with pytest.raises(DefinitionError, match="are none"):
        LocalDefinition(2, siblings=False, parents=False)
    with pytest.raises(DefinitionError, match="there are no structures local:5"):
        LocalDefinition(5)


def test_names_that_would_be_ambiguous_are_quoted() -> None:
    assert structure_text(1, ["a > b", "c"]) == '"a > b" > c'
    assert structure_text(1, ["<s>", ">"]) == '<s> > ">"'
    assert structure_text(2, ["looking at", "scene()"]) == "looking at ~ scene()"


@pytest.mark.shared_data
def test_real_programs_against_all_sets_of_nodes(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "covr_text" / "examples.jsonl.gz").read_bytes()).splitlines()
    sample = [parse_functional(orjson.loads(line)["target"]) for line in lines[::500]]
    found = local_structures(program_arrays(sample), "local:3")
    for program, tree in enumerate(sample):
        assert decoded(found, program) == slow(tree, LocalDefinition(3))
