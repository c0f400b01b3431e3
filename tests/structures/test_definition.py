from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import DefinitionError
from recombine.structures.definition import (
    ATOM_ALPHA,
    COMPOUND_ALPHA,
    PRESETS,
    AtomDefinition,
    CompoundDefinition,
    Structures,
)

KINDS = ("all", "grammar", "interpretation")
VALUES = st.sampled_from(["presence", "counts"])
ATOMS = st.builds(AtomDefinition, st.sampled_from(KINDS), VALUES) | st.builds(
    AtomDefinition, st.sampled_from(["all", "arity"]), VALUES, st.just("symbols")
)
ATOMS |= st.builds(AtomDefinition, st.just("all"), VALUES, st.just("tokens"))
COMPOUNDS = st.builds(
    lambda low, more, value, rules, top: CompoundDefinition(low, low + more, value, rules, top),
    st.integers(1, 8),
    st.integers(0, 8),
    st.sampled_from(["presence", "counts", "weighted"]),
    st.sampled_from(KINDS),
    st.none() | st.integers(1, 10**6),
) | st.builds(CompoundDefinition, st.just(2), st.integers(2, 5), kind=st.just("tree"))
COMPOUNDS |= st.builds(
    CompoundDefinition,
    st.just(1),
    st.integers(1, 3),
    VALUES,
    kind=st.sampled_from(["path", "subtree"]),
    alpha=st.sampled_from([0.1, 0.5]),
)


@given(st.builds(Structures, ATOMS, COMPOUNDS))
def test_names_parse_back(structures: Structures) -> None:
    assert Structures.parse(str(structures)) == structures


@given(st.builds(Structures, ATOMS, COMPOUNDS), st.builds(Structures, ATOMS, COMPOUNDS))
def test_another_definition_has_another_name(one: Structures, other: Structures) -> None:
    assert (str(one) == str(other)) == (one == other)


def test_a_half_leaves_the_other_at_its_default() -> None:
    assert str(Structures.parse("dag:2-4,weighted,top=40000")) == (
        "atoms=rules,presence;compounds=dag:2-4,weighted,top=40000"
    )
    assert str(Structures.parse("rules:grammar")) == "atoms=rules:grammar,presence;compounds=dag:2-9,counts"
    for text in PRESETS.values():
        assert str(Structures.parse(text)) == text


UNREADABLE = """
dag
dag:2
dag:4-2
dag:0-2
dag:2-99
dag:2-4,heavy
dag:2-4,top=0
dag:2-4,top=x
dag:2-4,rules=some
dag:2-4,alpha=1.5
path:1-2,weighted
tokens:arity
symbols:grammar
forest:2-4
rules:verbs
rules,weighted
rules,counts,counts
atoms=dag:2-3
"""


@pytest.mark.parametrize("text", UNREADABLE.rstrip().split("\n"))
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(DefinitionError, match="write"):
        Structures.parse(text)


def test_the_exponents_of_the_papers() -> None:
    # CFQ paper, §2.2: 0.5 for atoms, 0.1 for compounds; NQG paper, App. B.3: the same; local structures, App. D: 0.5.
    assert (ATOM_ALPHA, COMPOUND_ALPHA) == (0.5, 0.1)
    assert Structures.parse("dag:2-4,counts").compounds.alpha == 0.1
    assert {name: Structures.parse(name).compounds.alpha for name in PRESETS} == {
        **dict.fromkeys(PRESETS, 0.1),
        "tmcd:uls": 0.5,
    }
