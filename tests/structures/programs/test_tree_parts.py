"""Features of programs by arrays equal those that are made one by one: columns, their order, rows, values, types."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from listed_programs import listed_features
from recombine.errors import DerivationError, RecordError
from recombine.languages.language import Language
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import Structures
from recombine.structures.features import Features
from recombine.structures.programs.flat_trees import FlatTrees, _linked_by_kernel, _linked_one_by_one
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.tree_parts import counted_parts, interned_pairs
from recombine.tree import Tree

DEFINITIONS = [
    "atoms=symbols,presence;compounds=tree:2-2,counts",
    "atoms=symbols,counts;compounds=tree:2-2,presence,top=7",
    "atoms=symbols:arity,presence;compounds=path:1-2,counts",
    "atoms=symbols:arity,counts;compounds=path:2-4,presence",
    "atoms=tokens,presence;compounds=subtree:1-2,counts",
    "atoms=tokens,counts;compounds=subtree:2-3,presence,top=9",
]
CONNECTED = [
    "atoms=symbols,presence;compounds=tree:2-3,counts",
    "atoms=symbols,presence;compounds=tree:1-4,weighted",
    "atoms=symbols,presence;compounds=tree:2-2,weighted,top=5",
]
PUBLISHED = ["geoquery/funql", "spider/ssp", "cfq/mcd1", "cogs", "atis", "overnight", "covr/text", "schema2qa"]
QUICK = {"geoquery/funql", "schema2qa"}
LABELS = ["a", "b", "f", "g", "", "a(", 'say "x"', "[[a]]", "x, y", "ä", "ab"]


def assert_same(found: Features, expected: Features) -> None:
    assert type(found.names) is type(expected.names)
    assert found.names == expected.names
    for part in ("indptr", "indices", "data"):
        one, other = getattr(found, part), getattr(expected, part)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other), part


def assert_equal_to_listed(dataset: Dataset, definition: str) -> None:
    found = extract_features(dataset, Structures.parse(definition))
    atoms, compounds = listed_features(dataset, definition)
    assert_same(found.atoms, atoms)
    assert_same(found.compounds, compounds)
    if "tokens" not in definition:
        names = {rule for graph in program_graphs(dataset) for rule in graph.rules}
        assert found.rules.startswith(f"{len(names)}@")


def dataset_of(trees: list[Tree], places: list[int]) -> Dataset:
    """Examples whose programs are these trees; two texts are read as each tree."""
    texts = [f"{place % len(trees)} {'.' * (place % 2)}" for place in places]
    language = Language("numbered", lambda text: trees[int(text.split()[0])], lambda tree: tree.label)
    return Dataset.of("mine", [Example(str(n), "", text) for n, text in enumerate(texts)], language=language)


TREES = st.recursive(
    st.sampled_from(LABELS).map(Tree),
    lambda inner: st.builds(Tree, st.sampled_from(LABELS), st.lists(inner, max_size=4).map(tuple)),
    max_leaves=14,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(TREES, min_size=1, max_size=5),
    st.lists(st.integers(0, 9), max_size=9),
    st.sampled_from(DEFINITIONS + CONNECTED),
)
def test_random_trees(trees: list[Tree], places: list[int], definition: str) -> None:
    assert_equal_to_listed(dataset_of(trees, places), definition)


@pytest.mark.parametrize("definition", DEFINITIONS + CONNECTED)
def test_programs_of_calls(definition: str) -> None:
    texts = ["f ( g ( x , y ) , x )", "f(g(x,y),x)", "x", "f ( g ( x , y ) , x )", "f ( y , g ( x ) , h ( f ( x ) ) )"]
    for language in ("funql", "functional"):
        assert_equal_to_listed(recombine.load([("q", text) for text in texts], language=language), definition)


def test_a_wide_and_a_deep_program() -> None:
    wide = Tree("f", tuple(Tree(f"a{n % 700}") for n in range(3000)))
    deep = Tree("a")
    for _ in range(98):
        deep = Tree("f", (deep, Tree("b")))
    for definition in DEFINITIONS:
        assert_equal_to_listed(dataset_of([wide, deep], [0, 2, 1, 3, 0]), definition)


def test_texts_that_are_equal_are_one_column() -> None:
    owners, parts = np.array([0, 0, 0]), np.array([0, 1, 3])
    found = counted_parts(owners, parts, ["b", "b", "unused", "a"], np.array([1, 0, 0]), "counts")
    assert found.names == ("a", "b")
    assert found.indptr.tolist() == [0, 0, 2, 4]
    assert found.indices.tolist() == [0, 1, 0, 1]
    assert found.data.tolist() == [1, 2, 1, 2]


@given(st.lists(TREES, min_size=1, max_size=4))
def test_links_of_many_nodes_are_those_of_few(trees: list[Tree]) -> None:
    flat = FlatTrees.of(trees)
    for one, other in zip(_linked_by_kernel(flat), _linked_one_by_one(flat.children), strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 1 << 40, 1 << 61, (1 << 62) + 1]), st.integers(0, 2)), min_size=1))
def test_pairs_are_told_apart_at_any_size(pairs: list[tuple[int, int]]) -> None:
    firsts, seconds = (np.array(part, np.int64) for part in zip(*pairs, strict=True))
    numbers, one, other = interned_pairs(firsts, seconds, 3)
    assert [(int(one[n]), int(other[n])) for n in numbers] == pairs
    assert len(one) == len(set(pairs))


@pytest.mark.parametrize("definition", ["symbols;tree:2-2", "symbols:arity;path:1-2", "tokens;subtree:1-2", "local:2"])
def test_errors_are_those_of_the_graphs(definition: str) -> None:
    for language, bad in (("funql", "f ( x"), ("covr", "exists ( find ( dog ) , 2 )"), ("sparql", "SELECT M0")):
        good = {"funql": "f ( x )", "covr": "exists ( find ( dog ) )"}.get(language, "SELECT count(*) WHERE { M0 a b }")
        data = recombine.load([("p", good), ("q", bad), ("r", "( (")], language=language)
        with pytest.raises(RecordError) as plain:
            program_graphs(data)
        with pytest.raises(RecordError) as found:
            recombine.features(data, definition)
        assert str(found.value) == str(plain.value)
    with pytest.raises(DerivationError, match=r"language of .* is not known; name it with --language: .*funql"):
        recombine.features(recombine.load([("p", "f ( x )")]), "symbols;path:1-2")


@pytest.mark.shared_data
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PUBLISHED]
)
@pytest.mark.usefixtures("data_dir")
def test_published_programs(name: str) -> None:
    data = recombine.load(name)
    part = data.with_examples(list(data)[:: max(1, len(data) // 2000)])
    for definition in DEFINITIONS:
        assert_equal_to_listed(part, definition)
