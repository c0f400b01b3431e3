"""Work that may take too long, with an end: what is not done in time is an error, and no part of it is taken."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar

from recombine.errors import LateAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def in_time(work: Callable[[Callable[[], bool]], T], seconds: float | None) -> T:
    """What the work gives, if it does so within some seconds; it is told whether anybody still waits.

    pyoxigraph cannot be stopped within a step, but lets other threads run. What is given up runs on in the background
    until its step ends, or the process does.
    """
    if seconds is None:
        return work(lambda: True)
    given_up = threading.Event()
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((work(lambda: not given_up.is_set()), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run, daemon=True, name="query")
    thread.start()
    try:
        thread.join(seconds)
    finally:
        given_up.set()
    if not outcome:
        raise LateAnswerError(
            f"the answer took more than {seconds:g} s", "give it more time (--time-out), or ask for less"
        )
    value, error = outcome[0]
    if error is not None:
        raise error
    return value  # type: ignore[no-any-return]
