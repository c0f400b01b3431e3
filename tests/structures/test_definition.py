from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import DefinitionError
from recombine.structures.definition import (
    ATOM_ALPHA,
    COMPOUND_ALPHA,
    PRESETS,
    STRUCTURES,
    AtomDefinition,
    CompoundDefinition,
    Structures,
    local_definition,
)
from recombine.structures.local_definition import LocalDefinition

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
LOCAL = st.builds(LocalDefinition, st.integers(2, 4), kind=st.sampled_from(["local", "connected", "ngram"]))
LOCAL |= st.builds(
    LocalDefinition, st.integers(2, 4), st.just(value=False), kind=st.sampled_from(["local", "connected"])
)
LOCAL |= st.builds(LocalDefinition, st.integers(2, 4), parents=st.just(value=False))
DEFINITIONS = st.builds(Structures, ATOMS, COMPOUNDS | LOCAL)
DEFINITIONS |= st.builds(Structures, st.just(AtomDefinition(kind="symbols")), LOCAL, st.just(value=True))


@given(DEFINITIONS)
def test_names_parse_back(structures: Structures) -> None:
    assert Structures.parse(str(structures)) == structures


@given(DEFINITIONS, DEFINITIONS)
def test_another_definition_has_another_name(one: Structures, other: Structures) -> None:
    assert (str(one) == str(other)) == (one == other)


def test_a_half_leaves_the_other_at_its_default() -> None:
    assert str(Structures.parse("dag:2-4,weighted,top=40000")) == (
        "atoms=rules,presence;compounds=dag:2-4,weighted,top=40000"
    )
    assert str(Structures.parse("rules:grammar")) == "atoms=rules:grammar,presence;compounds=dag:2-9,counts"
    for text in PRESETS.values():
        assert str(Structures.parse(text)) == text


# What was written, and what signatures print for it, as they were before local structures were definitions too.
PRINTED = """
dag:2-9 atoms=rules,presence;compounds=dag:2-9,counts
dag:2-4,weighted,rules=all,top=40000 atoms=rules,presence;compounds=dag:2-4,weighted,rules=all,top=40000
dag:1-3,alpha=.5,presence atoms=rules,presence;compounds=dag:1-3,presence,alpha=0.5
rules:interpretation,counts atoms=rules:interpretation,counts;compounds=dag:2-9,counts
rules:all;tree:2-2 atoms=rules,presence;compounds=tree:2-2,counts
tree:2-4,weighted;symbols:arity atoms=symbols:arity,presence;compounds=tree:2-4,weighted
compounds=path:1-2;atoms=tokens,counts atoms=tokens,counts;compounds=path:1-2,counts
subtree:1-2,presence atoms=rules,presence;compounds=subtree:1-2,presence
cfq-table3 atoms=rules,presence;compounds=dag:2-10,counts,top=40000
cfq-weighted atoms=rules,presence;compounds=dag:2-9,weighted
cfq-lines atoms=rules,presence;compounds=line:7-8,presence,rules=resolution+knowledge,top=300
tmcd:geoquery atoms=symbols,presence;compounds=tree:2-2,counts
tmcd:spider atoms=tokens,presence;compounds=path:1-2,counts
tmcd:uls atoms=symbols,presence;compounds=subtree:1-2,counts,alpha=0.5
small atoms=rules,presence;compounds=dag:2-4,counts
local:2 local:2
local:3 local:3
local:4 local:4
local:2,no-siblings local:2,no-siblings
local:3,no-parents local:3,no-parents
connected:3 connected:3
connected:2,no-siblings connected:2,no-siblings
ngram:2 ngram:2
"""


@pytest.mark.parametrize("line", PRINTED.strip().split("\n"))
def test_printed_definitions_stay(line: str) -> None:
    written, printed = line.split()
    assert str(Structures.parse(written)) == printed
    assert str(Structures.parse(f" {printed} ")) == printed


def test_the_defaults_are_those_of_the_texts() -> None:
    assert STRUCTURES == str(Structures()) == "atoms=rules,presence;compounds=dag:2-9,counts"
    assert Structures.parse(STRUCTURES) == Structures()


def test_local_structures_go_with_symbols_where_atoms_are_needed() -> None:
    alone = Structures.parse("local:2,no-parents")
    assert (alone.alone, str(alone)) == (True, "local:2,no-parents")
    assert str(alone.with_atoms()) == "atoms=symbols,presence;compounds=local:2,no-parents"
    assert Structures.parse("compounds=local:2,no-parents") == alone
    named = Structures.parse("tokens;local:2")
    assert (named.alone, str(named)) == (False, "atoms=tokens,presence;compounds=local:2")
    assert named.with_atoms() == named
    with pytest.raises(DefinitionError, match="cannot stand without atoms"):
        Structures(alone=True)


OTHERS = ["tree:2-2", "tmcd:uls", "symbols", STRUCTURES, "symbols;local:2", "local:2;symbols", "compounds=dag:2-3"]


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_not_local_is_refused_with_what_serves(text: str) -> None:
    for given_text in (text, Structures.parse(text)):
        with pytest.raises(
            DefinitionError, match=r"cannot read the local structures '.*'; write local:2, .* or ngram:2"
        ):
            local_definition(given_text)


def test_local_structures_as_a_value() -> None:
    assert local_definition(Structures.parse("connected:3")) == LocalDefinition(3, kind="connected")
    assert local_definition("compounds=local:2,no-siblings") == LocalDefinition(2, siblings=False)


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
atoms=local:2
compounds=symbols
compounds=words
local:5
local:2,counts
ngram:2,no-siblings
dag-x:2-3
"""


@pytest.mark.parametrize("text", UNREADABLE.rstrip().split("\n"))
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(DefinitionError, match="write"):
        Structures.parse(text)


@pytest.mark.parametrize("text", ["dag:2-3;tree:2-2", "rules;atoms=symbols", "local:2;local:2"])
def test_a_half_is_named_once(text: str) -> None:
    with pytest.raises(DefinitionError, match="twice"):
        Structures.parse(text)


def test_a_preset_of_several_kinds() -> None:
    joined, lines = (Structures.parse(name).compounds for name in ("cfq-joined", "cfq-lines"))
    assert str(joined) == f"dag:2-5,weighted&line:2-8,weighted,rules=resolution+knowledge&{lines}"


def test_the_exponents_of_the_papers() -> None:
    # CFQ paper, §2.2: 0.5 for atoms, 0.1 for compounds; NQG paper, App. B.3: the same; local structures, App. D: 0.5.
    assert (ATOM_ALPHA, COMPOUND_ALPHA) == (0.5, 0.1)
    assert Structures.parse("dag:2-4,counts").compounds.alpha == 0.1
    assert {name: Structures.parse(name).compounds.alpha for name in PRESETS} == {
        **dict.fromkeys(PRESETS, 0.1),
        "tmcd:uls": 0.5,
    }
