"""Folds keep templates together, are about as large as each other, and depend on the seed alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import OptionError
from recombine.models.kbqa.transfer.template_folds import held_apart, template_folds, template_of

NAMES = st.lists(st.sampled_from("abcdefghij"), min_size=15, max_size=40).map(lambda names: [*names, *"abcde"])


@given(NAMES, st.integers(0, 5))
def test_a_template_is_in_one_fold_and_every_fold_has_some(names: list[str], seed: int) -> None:
    folds = template_folds(names, 5, seed=seed)
    assert len({(name, fold) for name, fold in zip(names, folds.tolist(), strict=True)}) == len(set(names))
    assert sorted(set(folds.tolist())) == [0, 1, 2, 3, 4]
    assert folds.tolist() == template_folds(names, 5, seed=seed).tolist()


def test_folds_are_even_where_templates_are() -> None:
    names = [f"t{number // 3}" for number in range(90)]
    assert np.bincount(template_folds(names, 5, seed=1)).tolist() == [18] * 5
    assert template_folds(names, 5, seed=1).tolist() != template_folds(names, 5, seed=2).tolist()


@pytest.mark.parametrize("folds", [1, 4])
def test_folds_that_would_be_empty_are_refused(folds: int) -> None:
    with pytest.raises(OptionError, match="give 2 to 3"):
        template_folds(["a", "b", "c", "c"], folds, seed=0)


@given(NAMES, st.integers(0, 5))
def test_what_is_held_apart_shares_no_template(names: list[str], seed: int) -> None:
    apart = held_apart(names, 0.2, seed=seed)
    inside = {name for name, is_apart in zip(names, apart, strict=True) if is_apart}
    outside = {name for name, is_apart in zip(names, apart, strict=True) if not is_apart}
    assert not inside & outside
    # whole templates are taken until the share is reached
    largest = max(names.count(name) for name in names)
    assert 0.2 * len(names) <= apart.sum() < 0.2 * len(names) + largest


def test_the_template_of_a_qid() -> None:
    assert template_of(3200001000002) == template_of("3200001000000") == "3200001"
