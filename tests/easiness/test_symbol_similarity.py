"""Similarity of symbols, by hand and against sets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.easiness.symbol_similarity import SymbolSimilarity, symbol_similarity
from recombine.errors import UnknownNameError
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree
from small_programs import structures_of, trees


def similarity(texts: list[str], definition: str = "local:2", average: str = "contexts") -> SymbolSimilarity:
    found = structures_of(texts, definition)
    return symbol_similarity(found, np.ones(found.shape[1], bool), average=average)


# Figure 3, top: `exists` and `most` have the parents <s>, or, and; they share two children of three.
FIGURE_3 = [
    "exists ( find )",
    "or ( exists ( filter ) )",
    "and ( exists ( find ) )",
    "most ( find )",
    "or ( most ( filter ) )",
    "and ( most ( with_relation ) )",
]


def test_figure_3() -> None:
    found = similarity(FIGURE_3)
    assert found.contexts("exists") == {
        "children": ["filter", "find"],
        "parents": ["<s>", "and", "or"],
        "right": [],
        "left": [],
    }
    assert found.of("exists", "most") == pytest.approx((1 + 2 / 3) / 2)  # 83.3 % in the figure
    assert found.of("most", "exists") == found.of("exists", "most")
    assert found.of("exists", "exists") == 1.0


def test_a_context_counts_when_one_of_the_two_has_it() -> None:
    # f: child a, parent <s>. g: child a, parent <s>, and once a sibling h to its right.
    found = similarity(["f ( a )", "g ( a )", "<s> ( g , h )"])
    # children 1, parents 1, right 0 of {h}; nobody has a left neighbour.
    assert found.of("f", "g") == pytest.approx(2 / 3)
    assert similarity(["f ( a )", "g ( a )", "<s> ( g , h )"], average="relations").of("f", "g") == pytest.approx(1 / 2)


def test_the_relations_left_out_count_no_contexts() -> None:
    texts = ["p ( f , x )", "p ( g , y )"]
    assert similarity(texts).of("f", "g") == pytest.approx((1 + 0) / 2)  # parents 1, right neighbours 0
    assert similarity(texts, "local:2,no-siblings").of("f", "g") == 1.0
    assert similarity(texts, "local:2,no-parents").of("f", "g") == 0.0


def test_an_unseen_symbol_is_like_no_other() -> None:
    found = structures_of(["f ( a )", "g ( a )"])
    seen = found.observed([0])
    assert symbol_similarity(found, seen).of("f", "g") == 0.0


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="unknown symbol 'exist'; did you mean 'exists'"):
        similarity(FIGURE_3).of("exist", "most")
    with pytest.raises(UnknownNameError, match="did you mean 'contexts'"):
        similarity(FIGURE_3, average="context")


def edges(tree: Tree) -> Iterator[tuple[str, str, str]]:
    for node in Tree("<s>", (tree,)).iter_nodes():
        labels = [child.label for child in node.children]
        yield from ((">", node.label, label) for label in labels)
        yield from (("~", *pair) for pair in pairwise(labels))


@settings(max_examples=40, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=5), st.booleans())
def test_against_sets(sample: list[Tree], by_relation: bool) -> None:
    found = local_structures(program_arrays(sample))
    symbols = symbol_similarity(
        found, np.ones(found.shape[1], bool), average="relations" if by_relation else "contexts"
    )
    pairs = {edge for tree in sample for edge in edges(tree)}
    for one in symbols.symbols:
        for other in symbols.symbols:
            relations = []
            for kind in ">~":
                jaccards = []
                for at, far in ((1, 2), (2, 1)):
                    mine, yours = ({e[far] for e in pairs if e[0] == kind and e[at] == s} for s in (one, other))
                    if mine | yours:
                        jaccards.append(len(mine & yours) / len(mine | yours))
                relations.append(jaccards)
            values = [mean(some) for some in relations if some] if by_relation else list(chain(*relations))
            assert symbols.of(one, other) == pytest.approx(mean(values))
    matrix = symbols.matrix()
    assert matrix[0, -1] == symbols.of(symbols.symbols[0], symbols.symbols[-1])
    assert np.array_equal(matrix, matrix.T)


def test_more_symbols_than_a_word_has_bits() -> None:
    found = similarity(
        [f"f ( s{number} )" for number in range(100)] + [f"g ( s{number} )" for number in range(50, 150)]
    )
    assert found.of("f", "g") == pytest.approx((1 + 50 / 150) / 2)
