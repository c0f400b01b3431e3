"""Likeness of wordings: values worked out by hand, and every mean against a recomputation without arrays."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.measures.wordings.group_pairs import group_pairs
from recombine.measures.wordings.likeness import likeness, plain_words
from recombine.measures.wordings.pair_kernels import edit_distances


def edits(one: str, other: str) -> int:
    """Levenshtein's distance by its table, row by row."""
    row = list(range(len(other) + 1))
    for place, sign in enumerate(one, 1):
        above, row = row, [place]
        for column, each in enumerate(other, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (sign != each)))
    return row[-1]


def kernel_edits(one: str, other: str) -> int:
    points = sorted(set(one + other))
    codes = np.array([points.index(sign) for sign in one + other], np.int64)
    starts = np.array([0, len(one), len(one) + len(other)], np.int64)
    found = edit_distances(codes, starts, np.array([0]), np.array([1]), max(1, len(points)))
    return int(found[0])


def jaccard(one: list[object], other: list[object]) -> float:
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 1.0


def test_by_hand() -> None:
    """'what is the film by x' and 'which film is by x': 4 of 7 words shared, 1 of 8 pairs ('by x')."""
    found = likeness(["What is the film by X?", "which film is by x"], np.array([0]), np.array([1]))
    assert found is not None
    assert found.unigrams == pytest.approx(4 / 7)
    assert found.bigrams == pytest.approx(1 / 8)
    assert found.words == 5.5
    assert found.characters == 20
    assert found.edits == edits("what is the film by x?", "which film is by x")


@pytest.mark.parametrize(
    ("one", "other", "wanted"), [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2)]
)
def test_edits_by_hand(one: str, other: str, wanted: int) -> None:
    assert kernel_edits(one, other) == wanted


@given(st.text("ab c", max_size=150), st.text("ab c", max_size=150))
def test_edits_are_those_of_the_whole_table(one: str, other: str) -> None:
    assert kernel_edits(one, other) == edits(one, other)


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129])
def test_edits_of_texts_as_long_as_words_of_the_machine(size: int) -> None:
    rng = np.random.default_rng(size)
    one = "".join(rng.choice(list("abcd"), size))
    other = one[3:] + "".join(rng.choice(list("abcd"), 5))
    assert kernel_edits(one, other) == edits(one, other)


def test_means_are_those_of_a_recomputation() -> None:
    rng = np.random.default_rng(1)
    texts = [
        " ".join(rng.choice(["who", "wrote", "the", "film", "of", "Ann?"], int(rng.integers(10)))) for _ in range(12)
    ]
    pairs = group_pairs([5, 1, 6])
    found = likeness(texts, pairs.left, pairs.right, all_pairs=pairs.total)
    assert found is not None
    listed = [*combinations(range(5), 2), *combinations(range(6, 12), 2)]
    assert (found.pairs, found.all_pairs) == (len(listed), len(listed))
    words = [plain_words(text) for text in texts]
    couples = [list(pairwise(each)) for each in words]
    assert found.unigrams == pytest.approx(np.mean([jaccard(words[a], words[b]) for a, b in listed]))
    assert found.bigrams == pytest.approx(np.mean([jaccard(couples[a], couples[b]) for a, b in listed]))
    plain = [" ".join(text.lower().split()) for text in texts]
    assert found.edits == pytest.approx(np.mean([edits(plain[a], plain[b]) for a, b in listed]))
    used = [place for place in range(12) if place != 5]
    assert found.words == pytest.approx(np.mean([len(words[place]) for place in used]))
    assert found.characters == pytest.approx(np.mean([len(plain[place]) for place in used]))


def test_texts_without_words_are_alike_and_no_pairs_have_no_means() -> None:
    found = likeness(["?", "!"], np.array([0]), np.array([1]))
    assert found is not None
    assert (found.unigrams, found.bigrams, found.edits) == (1.0, 1.0, 1.0)
    assert likeness(["a"], np.zeros(0, np.int64), np.zeros(0, np.int64)) is None
