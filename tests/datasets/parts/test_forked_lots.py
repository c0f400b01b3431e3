"""Lots from processes that are forked: their order, what fails in them, and when they end."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from recombine.datasets.cfq.lot_setting import LotSetting
from recombine.datasets.cfq.lots import Lots, Workshop
from recombine.datasets.parts.forked_lots import ForkedLots, can_fork
from recombine.datasets.parts.made_lot import MadeLot, TextRow
from recombine.errors import RecombineError

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not can_fork(), reason="processes are not forked here")


def make(number: int) -> MadeLot:
    """A lot that says its number and its process; the first one takes longest."""
    time.sleep(0.2 if number == 0 else 0)
    return MadeLot([TextRow(str(number), str(os.getpid()), "", "", "")], [("", "")], Counter({("", "made"): number}))


def fail(number: int) -> MadeLot:
    """A lot that is made, or an error from the fourth on."""
    if number > 2:
        raise RecombineError(f"lot {number} cannot be made", "ask for another")
    return make(number)


def die(number: int) -> MadeLot:
    """A lot, or the end of the process."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return make(number)


@pytest.fixture
def setting() -> LotSetting:
    return LotSetting(rules="cfq", grounding=False, max_level=12, size=10, seed=2)


def test_lots_come_in_order_from_two_processes() -> None:
    lots = ForkedLots(make, 2)
    made = list(lots.iter_lots(range(30)))
    assert [lot.rows[0].id for lot in made] == [str(number) for number in range(30)]
    assert [lot.counts["", "made"] for lot in made] == list(range(30))
    others = {lot.rows[0].source for lot in made}
    assert len(others) == 2
    assert str(os.getpid()) not in others
    assert {lot.rows[0].source for lot in lots.iter_lots(range(5))} <= others
    lots.close()
    for process in others:
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


def test_an_error_is_the_same_in_another_process() -> None:
    lots = ForkedLots(fail, 2)
    made: Iterator[MadeLot] = lots.iter_lots(range(9))
    assert [lot.rows[0].id for lot in islice(made, 3)] == ["0", "1", "2"]
    with pytest.raises(RecombineError, match="lot 3 cannot be made; ask for another"):
        next(made)
    lots.close()


def test_a_process_that_was_killed_is_said() -> None:
    lots = ForkedLots(die, 2)
    with pytest.raises(RecombineError, match="a process that makes questions was killed"):
        list(lots.iter_lots(range(9)))
    lots.close()


def test_lots_of_questions_are_those_of_one_process(setting: LotSetting) -> None:
    workshop = Workshop(setting)
    two = Lots(workshop, 2)
    made = [*two.iter_lots(0, 5), *two.iter_lots(5, 3)]
    assert two._forked is not None
    two.close()
    assert made == list(Lots(Workshop(setting), 1).iter_lots(0, 8))
    assert list(two.iter_lots(2, 2)) == made[2:4]  # they begin again
    two.close()
