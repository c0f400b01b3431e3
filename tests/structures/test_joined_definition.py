"""Compounds of several kinds in one definition: their notation, their columns and their divergence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.errors import DefinitionError, OptionError
from recombine.extend import register_structures
from recombine.measures.divergence import divergence, divergence_by_kind, joined_divergence
from recombine.measures.floors.random_divergences import random_divergences
from recombine.structures.compound_definition import CompoundDefinition
from recombine.structures.counted_kind import counted_kind
from recombine.structures.definition import Structures
from recombine.structures.features import Features
from recombine.structures.joined_definition import JoinedDefinition, check_one_kind, kind_names
from recombine.structures.kinds import STRUCTURE_KINDS
from recombine.structures.local_definition import LocalDefinition
from recombine.structures.with_typing import with_typing

PART = st.builds(
    CompoundDefinition,
    st.just(2),
    st.integers(2, 4),
    st.sampled_from(["counts", "presence"]),
    kind=st.sampled_from(["dag", "tree", "words", "sequence"]),
    top=st.none() | st.integers(1, 50),
)
PARTS = st.lists(PART | st.builds(LocalDefinition, st.integers(2, 4)), min_size=2, max_size=4, unique_by=str)
ROWS = st.lists(
    st.tuples(*[st.dictionaries(st.sampled_from("abcde"), st.integers(1, 5).map(float), min_size=1, max_size=4)] * 3),
    min_size=2,
    max_size=7,
)


@given(PARTS)
def test_names_parse_back(parts: list[CompoundDefinition]) -> None:
    structures = Structures(compounds=JoinedDefinition(tuple(parts)))
    assert Structures.parse(str(structures)) == structures
    assert kind_names(structures.compounds) == tuple(part.kind for part in parts)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        # The atoms are those of the first part, where none are named.
        ("words:3-4 & dag:2-3,weighted", "atoms=tokens,presence;compounds=words:3-4,counts&dag:2-3,weighted"),
        ("symbols;tree:2-2&local:2", "atoms=symbols,presence;compounds=tree:2-2,counts&local:2"),
        ("compounds=sequence:2-3&words:1-1", "atoms=symbols,presence;compounds=sequence:2-3,counts&words:1-1,counts"),
        ("tree:2-2&tree:2-2,presence", "atoms=rules,presence;compounds=tree:2-2,counts&tree:2-2,presence"),
        (
            "dag:2-2,alpha=.5 & words:2-2,alpha=0.5",
            "atoms=rules,presence;compounds=dag:2-2,counts,alpha=0.5&words:2-2,counts,alpha=0.5",
        ),
    ],
)
def test_printed_definitions(written: str, printed: str) -> None:
    assert str(Structures.parse(written)) == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dag:2-3&", "the compounds 'dag:2-3&' have an empty part; write A&B"),
        ("&", "the compounds '&' have an empty part; write A&B"),
        ("dag:2-3 & & words:2-2", "the compounds 'dag:2-3 & & words:2-2' have an empty part; write A&B"),
        (
            "dag:2-3 & dag:2-3,counts",
            "the compounds dag:2-3,counts&dag:2-3,counts name a part twice; leave out one of them",
        ),
        (
            "dag:2-3 & words:2-2,alpha=0.5",
            "compounds that are joined have the exponents 0.1 and 0.5; give all parts the same alpha",
        ),
        ("dag:2-3 & nothing:2", "cannot read the compounds 'nothing:2'; write for example dag:2-9,counts or .*"),
        ("dag:2-3 & symbols", "cannot read the compounds 'symbols'; write for example dag:2-9,counts or .*"),
        ("dag:2-3 & words:4-2", "sizes 4-2 cannot be used; write .*"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(DefinitionError, match=f"^{message}$"):
        Structures.parse(text)


@pytest.fixture
def asked() -> Iterator[None]:
    """A kind of a plug-in: the words of the source."""
    register_structures(counted_kind("asked", lambda example, _: dict.fromkeys(example.source.split(), 1)))
    yield
    STRUCTURE_KINDS.forget("")


@pytest.mark.usefixtures("asked")
def test_a_part_of_a_plugin() -> None:
    structures = Structures.parse("asked,presence&words:2-2")
    assert str(structures) == "atoms=tokens,presence;compounds=asked,presence&words:2-2,counts"
    found = recombine.features([("jump twice", "J J"), ("walk", "W")], structures).compounds
    assert found.row(0) == {"jump": 1.0, "twice": 1.0, "J J": 1.0}
    assert [found.kind(0).row(1), found.kind(1).row(1)] == [{"walk": 1.0}, {}]


def test_the_value_is_weighted_where_a_part_is() -> None:
    assert Structures.parse("words:2-2,presence&dag:2-3,weighted").compounds.value == "weighted"
    assert Structures.parse("words:2-2,presence&dag:2-3").compounds.value == "presence"


def test_one_kind_is_asked_for() -> None:
    check_one_kind(Structures.parse("dag:2-3").compounds, "this")
    with pytest.raises(
        OptionError, match=r"^this takes compounds of one kind, and .* are of 3; name one of them with --structures$"
    ):
        check_one_kind(Structures.parse("dag:2-3&words:2-2&line:2-3").compounds, "this")


@given(ROWS)
def test_side_by_side_and_apart(rows: list[tuple[dict[str, float], ...]]) -> None:
    kinds = [Features.from_rows(list(each)) for each in zip(*rows, strict=True)]
    both = Features.side_by_side(kinds)
    assert both.shape == (len(rows), sum(len(kind.names) for kind in kinds))
    assert [len(kind.names) for kind in kinds] == np.diff([*both.kinds, len(both.names)]).tolist()
    assert both.indices.dtype == np.int32
    assert both.indptr.dtype == np.int64
    for number, kind in enumerate(kinds):
        alone = both.kind(number)
        assert [alone.row(n) for n in range(len(rows))] == [row[number] for row in rows]
        assert tuple(alone.names) == tuple(kind.names)
        for name in ("indptr", "indices", "data"):
            assert np.array_equal(getattr(alone, name), getattr(kind, name)), name
            assert getattr(alone, name).dtype == getattr(kind, name).dtype
    for low, high in zip(both.indptr, both.indptr[1:], strict=False):
        assert (np.diff(both.indices[low:high]) > 0).all(), "columns of a row ascend"


def test_kinds_by_hand() -> None:
    one, other = Features.from_rows([{"a": 1}, {}, {"b": 2}]), Features.from_rows([{}, {"c": 3}, {"a": 4}])
    both = Features.side_by_side([one, other])
    assert (both.names, both.kinds) == (["a", "b", "a", "c"], (0, 2))
    assert both.indptr.tolist() == [0, 1, 2, 4]
    assert both.indices.tolist() == [0, 3, 1, 2]
    assert both.data.tolist() == [1, 3, 2, 4]
    taken = both.taken([2, 0])
    assert taken.kinds == (0, 2)
    assert [taken.kind(1).row(n) for n in (0, 1)] == [{"a": 4.0}, {}]
    assert one.kind(0) is one


@given(ROWS, st.data())
def test_the_divergence_is_the_mean_of_the_kinds(rows: list[tuple[dict[str, float], ...]], data: st.DataObject) -> None:
    side = st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=6)
    train, test = data.draw(side), data.draw(side)
    kinds = [Features.from_rows(list(each)) for each in zip(*rows, strict=True)]
    both = Features.side_by_side(kinds)
    found = [divergence(kind, train, test, alpha=0.1) for kind in kinds]
    assert divergence(both, train, test, alpha=0.1) == joined_divergence(found)
    assert divergence_by_kind(both.sums(train), both.sums(test), both.kinds, 0.1) == found


def test_a_floor_is_of_the_mean_too() -> None:
    rows = np.random.default_rng(0).integers(0, 6, (40, 2))
    one, other = (Features.from_rows([{str(value): 1.0} for value in column]) for column in rows.T)
    both = random_divergences(Features.side_by_side([one, other]), 20, 20, alpha=0.1)
    alone = [random_divergences(kind, 20, 20, alpha=0.1) for kind in (one, other)]
    assert np.allclose(both, np.sqrt(alone[0] * alone[1]))
    assert not any(np.allclose(both, each) for each in alone)


def test_literals_reach_the_parts_that_are_of_programs() -> None:
    structures = Structures.parse("rules;dag:2-3 & sequence:2-2 & words:2-2 & tree:2-2,literals=drop")
    assert str(with_typing(structures, literals="type", names="type")) == (
        "atoms=rules,presence;compounds=dag:2-3,counts&sequence:2-2,counts,literals=type,names=type&words:2-2,counts"
        "&tree:2-2,counts,literals=type,names=type"
    )
    with pytest.raises(OptionError, match="are not of programs, which --literals is for"):
        with_typing(Structures.parse("tokens;dag:2-3&words:2-2"), literals="type")
    # Parts that are the same once their literals are counted alike are one part named twice.
    with pytest.raises(DefinitionError, match="name a part twice"):
        with_typing(Structures.parse("symbols;tree:2-2&tree:2-2,literals=type"), literals="type")


def test_atoms_are_of_one_kind() -> None:
    with pytest.raises(DefinitionError, match="cannot read the atoms 'rules&symbols'"):
        Structures.parse("atoms=rules&symbols;dag:2-3")
