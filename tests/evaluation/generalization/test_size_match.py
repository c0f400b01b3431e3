"""Set-ups of about one size share a size-matched model."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.evaluation.generalization.covr_paper import TRAIN, covr_paper
from recombine.evaluation.generalization.size_match import may_share, nearest_size, size_difference


def test_under_two_percent_of_the_larger() -> None:
    assert may_share(10_000, 9_801)
    assert not may_share(10_000, 9_800)
    assert may_share(9_801, 10_000)


def test_the_nearest_is_taken() -> None:
    trained = {"far": 10_150, "near": 9_950, "too far": 12_000}
    assert nearest_size(10_000, trained) == "near"
    assert nearest_size(11_000, trained) is None
    assert nearest_size(10_000, {}) is None


def test_set_ups_of_the_paper_that_filter_as_much_share() -> None:
    sizes = {name: round(1000 * (TRAIN - row.filtered)) for name, row in covr_paper().setups.items()}
    assert size_difference(sizes["covr:has-quant"], sizes["covr:has-groupby"]) == 0
    assert may_share(sizes["covr:has-quant"], sizes["covr:has-quant-comp"])
    assert not may_share(sizes["covr:has-quant"], sizes["covr:has-compar"])


def test_nothing_has_no_size() -> None:
    with pytest.raises(OptionError, match="0 and 5 examples"):
        may_share(0, 5)
