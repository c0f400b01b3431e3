"""Which examples are shown: the similar ones, those that cover a program, or the same for all."""

from __future__ import annotations

import math

import pytest

from recombine.errors import OptionError, SizeError, UnknownNameError
from recombine.records.dataset import Dataset
from recombine.seeds import make_generator
from recombine.selection.prompts.choose_examples import METHODS, choose_examples
from recombine.selection.prompts.similar_sources import SimilarSources
from recombine.selection.select_examples import select_examples, select_prompts
from recombine.workbench import load

WORDS = [f"w{number}" for number in range(20)]
KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
PAIRS = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
PAIRS += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count") for k in KINDS]


@pytest.fixture(scope="module")
def pool() -> Dataset:
    return load(PAIRS, language="funql")


@pytest.fixture(scope="module")
def asked() -> Dataset:
    return load([("largest CITY loc_2?", "answer ( largest ( city ) )"), ("sea", "answer (")], language="text")


def cosine(one: str, other: str, texts: list[str]) -> float:
    """The cosine of two sums of words, each by its times and ln((1 + n) / (1 + n_w)) + 1, computed word by word."""
    within = [text.split() for text in texts]
    weight = {word: math.log((1 + len(texts)) / (1 + sum(word in each for each in within))) + 1 for word in WORDS}
    sums = [{word: each.split().count(word) * weight[word] for word in WORDS} for each in (one, other)]
    lengths = [math.sqrt(math.fsum(value**2 for value in each.values())) for each in sums]
    return math.fsum(sums[0][word] * sums[1][word] for word in WORDS) / (lengths[0] * lengths[1])


def test_similar_sources_by_hand() -> None:
    texts = [" ".join(row) for row in make_generator(3).choice(WORDS, size=(60, 6)).tolist()]
    pool = SimilarSources(texts)
    for asked in ["w3 w4 w4 w9", "w0 unknown", *texts[:5]]:
        alike = [round(cosine(asked.replace(" unknown", ""), text, texts), 9) for text in texts]
        assert pool.nearest(asked, 7) == sorted(range(60), key=lambda place: (-alike[place], place))[:7]


def test_nothing_in_common_is_the_order_of_the_pool() -> None:
    assert SimilarSources(["a b", "c", "a"]).nearest("zebra", 2) == [0, 1]
    assert SimilarSources(["a b", "c", "a"]).nearest("", 2) == [0, 1]


def test_similar_ones_for_each_question(pool: Dataset, asked: Dataset) -> None:
    chosen = choose_examples(pool, list(asked), 2)
    assert [pool[key].source for key in chosen.ids[asked[0].id]] == ["city loc_2", "largest city"]
    assert chosen.ids[asked[1].id] == tuple(pool.ids[:2])


def test_coverage_is_that_of_select(pool: Dataset, asked: Dataset) -> None:
    first, second = asked
    chosen = choose_examples(pool, list(asked), 2, by="coverage", programs={each.id: each.target for each in asked})
    wanted = select_prompts(pool, {first.id: first.target}, 2).selections[first.id]
    assert chosen.ids[first.id] == wanted.ids
    assert list(chosen.without_program) == [second.id]  # its program cannot be read: similar ones are shown
    assert chosen.ids[second.id] == choose_examples(pool, [second], 2).ids[second.id]
    assert chosen.fields == {"structures": "local:4", "tokenisation": "tree"}
    none = choose_examples(pool, list(asked), 1, by="coverage", programs={first.id: first.target})
    assert dict(none.without_program) == {second.id: "it has none"}
    with pytest.raises(OptionError, match="no question has a program to cover"):
        choose_examples(pool, list(asked), 1, by="coverage", programs={first.id: " "})


@pytest.mark.parametrize("by", ["local-structure", "template", "random"])
def test_the_same_for_all(pool: Dataset, asked: Dataset, by: str) -> None:
    chosen = choose_examples(pool, list(asked), 3, by=by, seed=4)
    assert set(chosen.ids.values()) == {select_examples(pool, 3, by=by, seed=4).ids}


@pytest.mark.parametrize("by", METHODS)
def test_none_where_none_are_wanted(asked: Dataset, by: str) -> None:
    assert set(choose_examples(asked.restricted([]), list(asked), 0, by=by).ids.values()) == {()}


def test_what_cannot_be_is_refused(pool: Dataset, asked: Dataset) -> None:
    with pytest.raises(SizeError, match="21 examples are asked for, but there are 20"):
        choose_examples(pool, list(asked), 21)
    with pytest.raises(OptionError, match="cannot show -1 examples"):
        choose_examples(pool, list(asked), -1)
    with pytest.raises(UnknownNameError, match="way to choose examples 'nearest'"):
        choose_examples(pool, list(asked), 1, by="nearest")
