"""The numbers that tell two sets of images apart (COVR's facts on VERIFYCOUNT)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from recombine.scenes.questions.make_questions import _tells_apart
from recombine.scenes.questions.rejected import Rejected
from recombine.scenes.synthetic.draws import scene_draws
from recombine.scenes.templates.template import NumberSlot


def numbers(by: str, first: int, second: int) -> set[int]:
    """All that is drawn for two measures."""
    filling: Any = SimpleNamespace(option=SimpleNamespace(words={"OP": by}))
    slot = NumberSlot("N", "measure", "OP")
    return {_tells_apart(filling, slot, first, second, scene_draws(seed, 0, 0)) for seed in range(40)}


def test_a_number_is_met_by_one_of_two_measures() -> None:
    assert numbers("eq", 2, 4) == {2, 4}
    assert numbers("eq", 0, 4) == {4}
    assert numbers("geq", 1, 4) == {2, 3, 4}
    assert numbers("leq", 4, 1) == {1, 2, 3}


@pytest.mark.parametrize(("by", "first", "second"), [("geq", 2, 5), ("geq", 5, 0), ("leq", 0, 3), ("leq", 5, 0)])
def test_at_least_is_not_asked_of_five_and_at_most_not_of_none(by: str, first: int, second: int) -> None:
    with pytest.raises(Rejected):
        numbers(by, first, second)
