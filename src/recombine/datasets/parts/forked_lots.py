"""Lots made in processes that are forked from this one: what it has read is theirs, and is read once.

A process that is begun anew reads rules and tables for two seconds before its first lot, which is what it makes a
thousand questions in.
"""

from __future__ import annotations

import gc
import multiprocessing
import sys
import warnings
import weakref
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from recombine.datasets.parts.end_with_parent import end_with_parent
from recombine.errors import RecombineError
from recombine.grammars.unification.parse_many import SELDOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

_Lot = TypeVar("_Lot")
_AHEAD = 3
"""So many lots wait for each process by default, so that none is idle while the first of them is taken."""


class FailedLot(NamedTuple):
    """An error on its way from another process: not every one can be sent."""

    problem: str
    remedy: str


_makes: list[Callable[[int], Any]] = []
"""What makes lots in a process that was forked: one, and none in any other process."""


class ForkedLots(Generic[_Lot]):
    """Processes that make lots, for as long as they are asked for."""

    def __init__(self, make: Callable[[int], _Lot], processes: int, *, ahead: int = _AHEAD) -> None:
        """`make` gives the lot of a number; `ahead` lots wait for each process, in vain if none takes them."""
        self._ahead = ahead * processes
        context = multiprocessing.get_context("fork")
        self._pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(make,))
        self.close = weakref.finalize(self, self._pool.shutdown, cancel_futures=True)
        """End the processes."""

    def iter_lots(self, numbers: Iterable[int]) -> Iterator[_Lot]:
        """The lots of some numbers, in their order."""
        left = iter(numbers)
        waiting: deque[Future[_Lot | FailedLot]] = deque()
        try:
            with warnings.catch_warnings():
                # Newer Pythons warn of threads that a fork leaves behind; what makes lots waits for none of them.
                warnings.simplefilter("ignore", DeprecationWarning)
                waiting.extend(self._pool.submit(_lot, number) for number in islice(left, self._ahead))
            while waiting:
                made = waiting.popleft().result()
                if isinstance(made, FailedLot):
                    raise RecombineError(*made)
                waiting.extend(self._pool.submit(_lot, number) for number in islice(left, 1))
                yield made
        except BrokenProcessPool:
            raise killed() from None
        finally:
            for each in waiting:
                each.cancel()


def lot_or_failure(make: Callable[[], _Lot]) -> _Lot | FailedLot:
    """A lot, or the error that a person can mend, in a form that goes from one process to another."""
    try:
        return make()
    except RecombineError as error:
        return FailedLot(error.problem, error.remedy)


def can_fork() -> bool:
    """Whether a process can be forked here without danger for what systems do behind its back."""
    return sys.platform == "linux"


def killed() -> RecombineError:
    """What is said where a process that made lots has gone."""
    return RecombineError("a process that makes questions was killed; it may be out of memory", "use fewer processes")


def _begin(make: Callable[[int], _Lot]) -> None:
    """Begin a process: what it was given is never looked through for garbage."""
    end_with_parent()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    _makes[:] = [make]


def _lot(number: int) -> _Lot | FailedLot:
    return lot_or_failure(lambda: _makes[0](number))
