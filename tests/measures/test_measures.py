"""Measures on data small enough to work out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.errors import OptionError, SplitError
from recombine.grammars.terms.read_grammar import packaged_grammar
from recombine.measures.divergence import chernoff
from recombine.measures.length_ratio import length_ratio
from recombine.measures.patterns import pattern_coverage, variety
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.records.dataset import Dataset
from recombine.records.split import Split
from recombine.structures.features import Features

COUNTS = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


def commands(*texts: str) -> Dataset:
    grammar = packaged_grammar("scan")
    return recombine.load([grammar.example(grammar.parse_forest(text).first(1)[0]) for text in texts])


def cut(data: Dataset, train: list[int], test: list[int]) -> Split:
    parts = {"train": tuple(data[n].id for n in train), "test": tuple(data[n].id for n in test)}
    return Split(parts, data.name, data.hash, recombine.Signature.of(by="hand"))


def test_chernoff_by_hand() -> None:
    # p = (3/4, 1/4), q = (1/2, 1/2)
    assert chernoff([3, 1], [5, 5], 0.5) == pytest.approx(math.sqrt(3 / 8) + math.sqrt(1 / 8))
    assert chernoff([3, 1], [5, 5], 0.1) == pytest.approx((0.75**0.1 + 0.25**0.1) * 0.5**0.9)
    assert chernoff([3, 1], [5, 5], 0.1) == pytest.approx(0.98721, abs=1e-5)


@given(COUNTS, COUNTS, st.sampled_from([0.1, 0.5, 0.9]))
def test_chernoff_lies_between_0_and_1(p: list[int], q: list[int], alpha: float) -> None:
    value = chernoff(p, q, alpha)
    assert 0 <= value <= 1
    assert chernoff(p, p, alpha) == pytest.approx(1)
    assert chernoff(q, p, 1 - alpha) == pytest.approx(value)


@pytest.mark.parametrize("alpha", [0, 1, -0.5, 2])
def test_alpha_lies_between_0_and_1(alpha: float) -> None:
    with pytest.raises(OptionError, match="between 0 and 1"):
        chernoff([1], [1], alpha)


def test_divergences_by_hand() -> None:
    # Grammar and interpretation rules of "jump twice": single twice plain jump, [[V twice]] [[jump]]: six atoms.
    # "walk twice" shares four of them: D_A = 1 − Σ √(1/6 · 1/6) over four = 1/3.
    # Compounds of 2 nodes: single(twice) twice(plain) plain(jump); two of three are shared: D_C = 1 − 2/3.
    data = commands("jump twice", "walk twice")
    found = recombine.measure(data, cut(data, [0], [1]), structures="dag:2-2,counts")
    assert found["atom_divergence"] == pytest.approx(1 / 3)
    assert found["compound_divergence"] == pytest.approx(1 / 3)
    assert found["unseen_atom_examples"] == 1
    assert found["unseen_atoms"] == ["[[walk]]", "walk"]


def test_unequal_counts_by_hand() -> None:
    # Train: "jump" and "jump twice", test: "jump". Pairs in train: single(once) once(plain) plain(jump)×2 single(twice)
    # twice(plain), six in all; in test three, each 1/3. D_C = 1 − (1/3)^0.9 · (2·(1/6)^0.1 + (2/6)^0.1).
    data = commands("jump", "jump twice")
    found = recombine.measure(data, cut(data, [0, 1], [0]), structures="dag:2-2,counts")
    expected = 1 - (1 / 3) ** 0.9 * (2 * (1 / 6) ** 0.1 + (2 / 6) ** 0.1)
    assert found["compound_divergence"] == pytest.approx(expected)
    assert found["duplicates"] == {"ids": 1, "pairs": 1, "sources": 1, "targets": 1}


def test_repeats_count() -> None:
    data = commands("jump", "walk", "look")
    once = recombine.measure(data, cut(data, [0, 1], [1, 2]))
    twice = recombine.measure(data, cut(data, [0, 1, 1], [1, 2]))
    assert twice["train"] == 3
    assert twice["atom_divergence"] < once["atom_divergence"]
    assert "repeats:counted" in twice["signature"]


def test_lengths_and_patterns() -> None:
    data = commands("jump", "turn left twice", "walk", "jump right thrice")
    found = recombine.measure(data, cut(data, [0, 1], [2, 3]))
    # Own records have no collapsing rules: the pattern is the text itself, and the signature says so.
    assert found["pattern_coverage"] == {"source": 0.0, "target": 0.0}
    assert "patterns:source=exact,target=exact" in found["signature"]
    assert found["length_ratio"] == {"source": 1.0, "target": pytest.approx(1.5 / 3.5)}
    assert length_ratio(["a"], [""]) is None
    assert pattern_coverage(["a"], []) is None


def test_variety_by_hand() -> None:
    # Shares 1/2, 1/4, 1/4: entropy 1.5 bits, so 2^1.5 effective patterns.
    found = variety(["a", "a", "b", "c"])
    assert (found.number, found.top_share) == (3, 0.5)
    assert found.effective == pytest.approx(2**1.5)
    assert variety([]).effective == 0


def test_an_empty_part_cannot_be_measured() -> None:
    data = commands("jump")
    with pytest.raises(SplitError, match="test part is empty"):
        recombine.measure(data, cut(data, [0], []))
    with pytest.raises(SplitError, match="no part 'dev'"):
        recombine.measure(data, cut(data, [0], [0]), against="dev")


def test_data_without_derivations_has_no_divergences() -> None:
    data = recombine.load([("jump", "I_JUMP"), ("walk", "I_WALK")])
    found = recombine.measure(data, cut(data, [0], [1]))
    assert "compound_divergence" not in found
    assert "structures" not in found["signature"]
    with pytest.raises(recombine.RecombineError, match="has no derivation"):
        recombine.measure(data, cut(data, [0], [1]), structures="dag:2-4,counts")


def test_changing_any_option_changes_the_signature() -> None:
    data = commands("jump", "jump twice", "walk")
    split = cut(data, [0, 1], [2])
    plain = recombine.measure(data, split)["signature"]
    others = [
        recombine.measure(data, split, structures="dag:2-4,counts"),
        recombine.measure(data, split, atom_alpha=0.4),
        recombine.measure(data, split, compound_alpha=0.2),
        recombine.measure(data, split, against="train"),
    ]
    signatures = {found["signature"] for found in others}
    assert len(signatures | {plain}) == 5


def test_check_finds_what_is_wrong() -> None:
    data = commands("jump", "walk", "look")
    assert recombine.check(data, cut(data, [0, 1], [2]))["problems"] == [
        "1 examples of test hold atoms unseen in train: [[look]], look"
    ]
    overlapping = recombine.check(data, cut(data, [0, 1, 1], [1]), test=2)
    assert overlapping["problems"] == ["train and test share 1 examples", "test has 1 entries, not 2"]
    assert (overlapping["repeats"], overlapping["unused"]) == ({"train": 1, "test": 0}, 1)
    other = commands("jump", "walk")
    wrong = recombine.check(other, cut(data, [0], [2]))["problems"]
    assert wrong[0].startswith("the split was made for content")
    assert wrong[1] == "1 ids of test are not in records"


def test_check_compares_all_parts() -> None:
    data = commands("jump", "walk", "look", "jump twice")
    ids = [example.id for example in data]

    def problems(train: list[int], dev: list[int], test: list[int], sizes: dict[str, int] | None = None) -> list[str]:
        rows = {"train": train, "dev": dev, "test": test}
        parts = {name: tuple(ids[n] for n in part) for name, part in rows.items()}
        split = Split(parts, data.name, data.hash, recombine.Signature.of(by="hand"))
        found: list[str] = recombine.check(data, split, **sizes or {})["problems"]
        return [problem for problem in found if "atoms" not in problem]

    assert problems([0], [1], [2]) == []
    assert problems([0], [1, 2], [2, 3, 1]) == ["dev and test share 2 examples"]
    assert problems([0, 1], [1], [2]) == ["train and dev share 1 examples"]
    assert problems([0, 1], [2], [1]) == ["train and test share 1 examples"]
    assert problems([0], [0], [0]) == [
        "train and dev share 1 examples",
        "train and test share 1 examples",
        "dev and test share 1 examples",
    ]
    assert problems([0], [1], [2, 3], {"test": 1, "dev": 2, "train": 1}) == [
        "dev has 1 entries, not 2",
        "test has 2 entries, not 1",
    ]


def test_the_exponent_of_the_definition_is_taken() -> None:
    # As above, train's shares are 1/6, 1/6 and 2/6 where test's are 1/3 each.
    data = commands("jump", "jump twice")
    split = cut(data, [0, 1], [0])
    found = recombine.measure(data, split, structures="dag:2-2,counts,alpha=0.5")
    assert found["compound_divergence"] == pytest.approx(
        1 - math.sqrt(1 / 3) * (2 * math.sqrt(1 / 6) + math.sqrt(2 / 6))
    )
    given = recombine.measure(data, split, structures="dag:2-2,counts,alpha=0.5", compound_alpha=0.1)
    assert given["compound_divergence"] == recombine.measure(data, split, structures="dag:2-2")["compound_divergence"]
    assert "alpha:atoms=0.5,compounds=0.5" in found["signature"]


def test_unseen_means_less_often_than_asked_for() -> None:
    atoms = Features.from_rows([{"walk": 2}, {"walk": 1, "jump": 1}, {"jump": 1}])
    assert unseen_atoms(atoms, [0, 1], [0, 1, 2]) == ([], [])
    assert unseen_atoms(atoms, [0, 1], [0, 1, 2], least=2) == ([1, 2], ["jump"])
    assert unseen_atoms(atoms, [0, 1], [0, 1, 2], least=3) == ([1, 2], ["jump"])
    assert unseen_atoms(atoms, [0, 1], [0, 2], least=4) == ([0, 2], ["jump", "walk"])
