"""What holds no compound is not tested: by mcd and tmcd, in groups, under a quota, and said wherever it matters."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recombine
from recombine.errors import InfeasibleError, OptionError
from recombine.records.dataset import Dataset
from recombine.splits.methods import make_splitter
from recombine.splits.search import exchange_kernels as kernels
from recombine.splits.search.exchange import SplitSearch
from recombine.splits.search.search_groups import Groups, search_groups

PAIRS = "atoms=symbols,presence;compounds=tree:2-2,counts"
SIZES: dict[str, Any] = {"train": 200, "dev": 20, "test": 40}
OUTER, INNER, LEAVES = "fgh", "jkl", "abcdeuvw"


def programs() -> list[str]:
    """72 programs of two pairs, such as `f ( j ( a ) )`, and 280 of a symbol alone, of the same symbols."""
    nested = [f"{outer} ( {inner} ( {leaf} ) )" for outer, inner, leaf in product(OUTER, INNER, LEAVES)]
    return [*nested, *(OUTER + INNER + LEAVES)[:14] * 20]


@pytest.fixture(scope="module")
def filled() -> Dataset:
    """Few programs with compounds, each twice, among many without."""
    texts = [*programs(), *programs()[:72]]
    data = recombine.load([(f"say {place}", text) for place, text in enumerate(texts)], language="funql")
    return Dataset(data.name, data.examples, language=data.language, structures=PAIRS)


def bare(data: Dataset, ids: tuple[str, ...]) -> int:
    """How many of these programs have no pair, by their text."""
    return sum("(" not in data[key].target for key in ids)


def test_what_holds_no_compound_is_not_tested(filled: Dataset) -> None:
    split = recombine.split(filled, by="mcd", **SIZES, max_atom_divergence=0.3, seed=1, effort=0.02)
    assert split.sizes() == SIZES
    assert (bare(filled, split.part("dev")), bare(filled, split.test)) == (0, 0)
    assert split.measured["without_compounds"] == {"train": bare(filled, split.train), "test": 0}
    assert split.signature.get("min_compounds") == "1"
    assert split.notes == ("280 of 424 examples hold no compound and are not tested (--min-compounds 0 lets them be)",)
    assert recombine.check(filled, split)["problems"] == []
    against_dev = recombine.measure(filled, split, against="dev")
    assert against_dev["without_compounds"] == {"train": bare(filled, split.train), "dev": 0}


def test_without_the_condition_they_fill_the_test(filled: Dataset) -> None:
    split = recombine.split(filled, by="mcd", **SIZES, max_atom_divergence=0.3, min_compounds=0, seed=1, effort=0.02)
    lacking = bare(filled, split.test)
    assert lacking > 10
    assert split.measured["without_compounds"]["test"] == lacking
    assert (split.signature.get("min_compounds"), split.notes) == ("0", ())
    stated = recombine.Split(
        split.parts, split.data, split.data_hash, split.signature.with_fields(min_compounds=1), {}, split.reading
    )
    assert (
        f"{lacking} examples of test hold fewer compounds than the stated 1"
        in recombine.check(filled, stated)["problems"]
    )


@pytest.mark.parametrize(
    "options",
    [
        {"by": "tmcd"},
        {"by": "tmcd", "no_duplicates": True},
        {"by": "tmcd", "quota": 1},
        {"by": "tmcd", "divergence": 0.2},
        {"by": "tmcd", "divergence": 0.0},
    ],
)
def test_under_other_wishes_too(options: dict[str, Any], filled: Dataset) -> None:
    split = recombine.split(filled, **{"train": 200, "test": 40, "seed": 1, "effort": 0.02, **options})
    assert (len(split.train), len(split.test), bare(filled, split.test)) == (200, 40, 0)
    assert recombine.check(filled, split)["problems"] == []


def test_a_group_with_one_that_must_not_be_tested_is_not_tested() -> None:
    names = [f"program {number % 20}" for number in range(60)]
    barred = np.arange(60) < 8  # one example of each of eight groups, the two others may be tested
    compounds = csr([[] if out else [number % 20, 20 + number % 7] for number, out in enumerate(barred)])
    sides, _ = search_groups(
        Groups.named(names),
        (csr([[0]] * 60), [compounds]),
        36,
        12,
        lengths={},
        distinct=0,
        target=None,
        barred=barred,
        generator=np.random.default_rng(1),
        effort=0.01,
        seed=1,
    )
    assert (np.bincount(sides) == [12, 36, 12]).all()
    assert {names[row] for row in np.flatnonzero(sides == 2)}.isdisjoint(names[:8])


def test_more_than_one_may_be_asked_for() -> None:
    """Programs of one pair and of two: with two wanted, those of one are not tested."""
    texts = [*programs()[:72], *(f"{outer} ( {leaf} )" for outer, leaf in product(OUTER, LEAVES))] * 2
    data = recombine.load([(f"say {place}", text) for place, text in enumerate(texts)], language="funql")
    split = recombine.split(data, by="tmcd", train=100, test=30, min_compounds=2, seed=1, effort=0.02)
    assert {data[key].target.count("(") for key in split.test} == {2}
    assert split.notes[0].startswith("48 of 192 examples hold fewer compounds than 2 and are not tested")
    assert "without_compounds" not in split.measured


def test_where_each_holds_one_nothing_is_different(filled: Dataset) -> None:
    data = recombine.load([(e.source, e.target) for e in filled if "(" in e.target], language="funql")
    plain: dict[str, Any] = {"by": "tmcd", "train": 80, "test": 30, "seed": 3, "effort": 0.02}
    split, free = recombine.split(data, **plain), recombine.split(data, **plain, min_compounds=0)
    assert split.parts == free.parts
    assert "min_compounds" not in str(split.signature)
    assert (split.notes, "without_compounds" in split.measured) == ((), False)


def test_fewer_than_are_wanted_is_an_error(filled: Dataset) -> None:
    with pytest.raises(InfeasibleError) as caught:
        recombine.split(filled, by="tmcd", train=200, test=150, seed=1, effort=0.02)
    assert "280 of 424 examples hold no compound, so 144 can be tested, and 150 are to be; ask for fewer" in str(
        caught.value
    )
    with pytest.raises(OptionError, match="least number of compounds is -1"):
        make_splitter("mcd", min_compounds=-1)
    with pytest.raises(OptionError, match="the published procedure has no option --min-compounds"):
        make_splitter("mcd", min_compounds=2, published=True)


def test_the_published_procedure_takes_all(filled: Dataset) -> None:
    split = recombine.split(filled, by="mcd", train=200, test=40, published=True, max_atom_divergence=1.0, seed=1)
    assert "min_compounds" not in str(split.signature)
    assert split.measured["without_compounds"]["test"] == bare(filled, split.test)


def csr(rows: list[list[int]]) -> Any:
    """A matrix of ones."""
    indptr = np.cumsum([0, *map(len, rows)])
    return indptr, np.array([c for row in rows for c in sorted(row)], np.int32), np.ones(indptr[-1])


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_barred_examples_are_counted_at_every_move(data: st.DataObject, seed: int) -> None:
    size = data.draw(st.integers(8, 14))
    rows = data.draw(
        st.lists(st.sets(st.integers(0, 4), max_size=3).map(sorted), min_size=size, max_size=size).filter(any)
    )
    barred = np.array([not row for row in rows])
    test = max(1, min(size // 3, int((~barred).sum())))
    search = SplitSearch(csr([[0]] * size), csr(rows), size // 2, test, barred=barred, seed=seed, effort=0.001)
    search.place(
        np.argsort(~barred, kind="stable")[np.roll(np.arange(size), size // 2)]
    )  # the barred ones first in test
    for _ in range(4):
        tested = search.state.order[search.state.bounds[1] : search.state.bounds[2]]
        assert kernels.measure(search.state, search.atoms)[2] == barred[tested].sum()
        kernels.exchange(search.state, search.atoms, search.compounds, 40, 1.0, 0.0)
    result = search.run()
    assert not barred[result.sides == 2].any()
    assert result.problems == []
