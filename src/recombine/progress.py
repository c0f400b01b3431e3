"""How work tells of itself: what is being done, how far it is, and what is worth knowing.

Work calls the functions here; who listens decides what becomes of it. From Python nobody does: progress is silent, and
a note is an `InputWarning`. The command line listens with bars on a terminal and messages on standard error.
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from recombine.errors import InputWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


class Listener:
    """Hears of work and keeps silent; notes become warnings."""

    def working(self, message: str) -> AbstractContextManager[None]:
        """Something takes its time, from entering to leaving."""
        del message
        return nullcontext()

    def tracked(self, items: Iterable[T], message: str, *, total: int) -> Iterable[T]:
        """The items, one after the other."""
        del message, total
        return items

    def bar(
        self, message: str, *, counts: str = ""
    ) -> AbstractContextManager[Callable[[int, int | None, str], None] | None]:
        """What to call with the steps done, the steps in all where they are known, and a text beside the bar.

        `counts` names the steps where their numbers are to be shown. None where nobody looks.
        """
        del message, counts
        return nullcontext()

    def stage(self, message: str) -> None:
        """A stage of the work begins."""
        del message

    def note(self, message: str) -> None:
        """Something that is worth knowing and not part of the result."""
        warnings.warn(message, InputWarning, stacklevel=3)


_LISTENER: ContextVar[Listener] = ContextVar("listener", default=Listener())  # noqa: B039  # it holds nothing


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let another one listen for a while."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def working(message: str) -> AbstractContextManager[None]:
    """Say that something takes its time, while the block runs."""
    return _LISTENER.get().working(message)


def tracked(items: Iterable[T], message: str, *, total: int) -> Iterable[T]:
    """The items, while it is said how far they are."""
    return _LISTENER.get().tracked(items, message, total=total)


def bar(message: str, *, counts: str = "") -> AbstractContextManager[Callable[[int, int | None, str], None] | None]:
    """A bar that is fed with steps done, steps in all and a text; none where nobody looks."""
    return _LISTENER.get().bar(message, counts=counts)


def stage(message: str) -> None:
    """Say which stage of the work begins: a line where somebody listens, and nothing otherwise."""
    _LISTENER.get().stage(message)


def note(message: str) -> None:
    """Say something that is worth knowing and not part of the result."""
    _LISTENER.get().note(message)
