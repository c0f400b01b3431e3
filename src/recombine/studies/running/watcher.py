"""Who follows how a run of a study goes."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.models.task import Task


class Watcher(Protocol):
    """Follows how a run goes."""

    def removed(self, names: Sequence[str]) -> None:
        """Files that an earlier run left in the folder of results and that are of no use were removed."""

    def begin(self, tasks: Sequence[Task], skipped: int) -> None:
        """What will be run, and how many cells are done already; a study with tuned models begins twice."""

    def stored(self, record: dict[str, Any]) -> None:
        """A cell is done or failed."""


_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def current_watcher() -> Watcher | None:
    """Who follows the runs that are started here; none where nobody does."""
    return _WATCHER.get()


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Let one follow the runs that are started in a block."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)
