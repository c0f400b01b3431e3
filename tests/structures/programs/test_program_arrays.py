"""Programs as arrays: links between nodes, tokenisations, and programs that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import DerivationError, RecordError, UnknownNameError
from recombine.languages.covr import COVR
from recombine.languages.functional import parse_functional, published_tree
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.structures.programs.distinct_programs import parse_programs
from recombine.structures.programs.program_arrays import ProgramArrays, dataset_arrays, program_arrays
from recombine.tree import Tree

RELATION = "query_attr [ color ] ( with_relation ( scene ( ) , playing with , find ( dog ) ) )"


def rebuilt(arrays: ProgramArrays, program: int) -> Tree:
    """The tree of the arrays, without the root."""
    first, last = int(arrays.starts[program]), int(arrays.starts[program + 1])
    assert arrays.symbols[int(arrays.labels[first])] == "<s>"

    def build(node: int) -> Tree:
        children = [other for other in range(first, last) if arrays.parents[other] == node]
        lefts = [int(arrays.lefts[child]) for child in children]
        assert lefts == [-1, *children][: len(children)]
        return Tree(arrays.symbols[int(arrays.labels[node])], tuple(map(build, children)))

    return build(first + 1)


def trees() -> st.SearchStrategy[Tree]:
    label = st.sampled_from(["a", "b c", "d()", "e f g", "h[i]"])
    return st.recursive(
        st.builds(Tree, label),
        lambda inner: st.builds(lambda name, below: Tree(name, tuple(below)), label, st.lists(inner, max_size=3)),
        max_leaves=8,
    )


@settings(max_examples=50, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=4))
def test_trees_come_back(sample: list[Tree]) -> None:
    plain, divided = program_arrays(sample), program_arrays(sample, tokenisation="published")
    assert [rebuilt(plain, place) for place in range(len(sample))] == sample
    assert [rebuilt(divided, place) for place in range(len(sample))] == [published_tree(tree) for tree in sample]
    assert plain.lengths().tolist() == [tree.size() for tree in sample]


@settings(max_examples=30, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3), st.lists(trees(), min_size=1, max_size=3))
def test_joined_arrays_are_those_of_all_trees(one: list[Tree], two: list[Tree]) -> None:
    joined, every = program_arrays(one).joined(program_arrays(two)), program_arrays([*one, *two])
    assert joined.symbols == every.symbols
    for name in ("starts", "labels", "parents", "lefts"):
        assert getattr(joined, name).tolist() == getattr(every, name).tolist()
        assert getattr(joined, name).dtype == getattr(every, name).dtype


def test_the_two_tokenisations() -> None:
    tree = parse_functional(RELATION)
    assert program_arrays([tree]).words(0) == [
        "query_attr[color]",
        "with_relation",
        "scene()",
        "playing with",
        "find",
        "dog",
    ]
    divided = program_arrays([tree], tokenisation="published")
    assert divided.words(0) == ["query_attr[color]", "with_relation", "scene", "playing", "with", "find", "dog"]
    assert divided.tokenisation == "published"


def test_an_unknown_tokenisation() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'published'"):
        program_arrays([], tokenisation="publish")


def test_programs_of_a_data_set() -> None:
    pairs = [("one", "exists ( find ( dog ) )"), ("two", "count ( find ( cat ) )"), ("two", "exists ( find ( dog ) )")]
    data = Dataset("mine", tuple(Example(str(n), *pair) for n, pair in enumerate(pairs)), language=COVR)
    found = parse_programs(data, data.language, data="mine")
    assert [tree.label for tree in found] == ["exists", "count", "exists"]
    assert found[0] is found[2]
    assert len(dataset_arrays(data)) == 3


def test_a_program_that_cannot_be_read_names_its_record() -> None:
    data = Dataset("mine", (Example("7", "one", "exists ( find ( dog )"),), language=COVR)
    with pytest.raises(RecordError, match=r"mine, example 7: .*not closed"):
        dataset_arrays(data)
    lined = Dataset("mine", (Example("7", "one", "exists ( dog ", tags={"line": 12}),), language=COVR)
    with pytest.raises(RecordError, match=r"mine, line 12: .*not closed"):
        dataset_arrays(lined)


def test_an_unknown_language() -> None:
    with pytest.raises(DerivationError, match="language of mine's targets is not known"):
        dataset_arrays(Dataset("mine", (Example("7", "one", "dog"),)))
