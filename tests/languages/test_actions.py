from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.actions import ACTIONS
from recombine.tree import Tree


def test_a_tree_by_hand() -> None:
    expected = Tree("actions", (Tree("I_TURN_LEFT"), Tree("I_JUMP")))
    assert ACTIONS.parse(" I_TURN_LEFT  I_JUMP") == expected
    assert ACTIONS.render(expected) == "I_TURN_LEFT I_JUMP"


def test_order_and_number_matter() -> None:
    texts = ("I_JUMP I_WALK", "I_WALK I_JUMP", "I_JUMP I_JUMP I_WALK")
    assert len({ACTIONS.normalise(ACTIONS.parse(text)) for text in texts}) == 3


@pytest.mark.parametrize(("text", "position"), [("I_JUMP ( I_WALK", 7), ("I_JUMP )", 7), (" ", 0)])
def test_mistakes_are_placed(text: str, position: int) -> None:
    with pytest.raises(ProgramError) as caught:
        ACTIONS.parse(text)
    assert caught.value.position == position
