"""A trie of arrays is the plain one; candidates are its paths."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.models.kbqa.arrays.build_trie import build_trie
from recombine.models.kbqa.arrays.form_columns import stacked, without_holes
from recombine.models.kbqa.arrays.tries import Tries


@pytest.mark.parametrize(("seed", "most"), [(0, 3), (1, 900), (2, 70_000)])
def test_it_is_the_plain_one(seed: int, most: int) -> None:
    """Codes are so large that several numbers are compared for one form, and few, so that many forms begin alike."""
    chance = np.random.default_rng(seed)
    for size in (0, 1, 7, 300):
        forms = [[*chance.choice([1, 2, most], chance.integers(0, 24)).tolist(), 0] for _ in range(size)]
        rows = stacked([np.array([form], np.int32) for form in forms])
        parents, codes = build_trie(rows)
        plain = Tries.of([forms])
        assert codes.tolist() == plain.codes[0].tolist()
        assert parents.tolist() == plain.parents[0].tolist()
        assert len({tuple(form) for form in forms}) == int((codes == 0).sum())


def test_the_order_of_forms_does_not_matter() -> None:
    chance = np.random.default_rng(3)
    forms = np.concatenate([chance.integers(1, 4, (40, 6)), np.zeros((40, 1), int)], axis=1).astype(np.int32)
    one, other = build_trie(forms), build_trie(forms[chance.permutation(40)])
    assert [each.tolist() for each in one] == [each.tolist() for each in other]


def test_holes_are_left_out() -> None:
    columns = np.array([[5, -1, -1, 6, 0], [-1, 7, 8, -1, 0], [-1, -1, -1, -1, 0]], np.int32)
    assert without_holes(columns).tolist() == [[5, 6, 0], [7, 8, 0], [0, 0, 0]]
    assert without_holes(np.empty((0, 4), np.int32)).shape == (0, 0)
