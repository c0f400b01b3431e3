"""One thread that writes: operations that wait are done in one transaction, and acknowledged after its commit.

An operation is a function of a turn. One that raises before it changes anything fails alone. Where one raises later, or
the commit fails, the transaction is undone and its operations are done again one by one, so that none suffers from
another.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from recombine.annotation.store.turn import Turn
from recombine.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

T = TypeVar("T")
MOST = 64
"""The most operations of one transaction."""


class Writer:
    """The thread, and what waits for it; `first` is done at the start of every transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], float], first: Callable[[Turn], None]) -> None:
        self._engine, self._clock, self._first = engine, clock, first
        self._waiting: SimpleQueue[tuple[Callable[[Turn], Any], Future[Any]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="campaign-writer", daemon=True)
        self._thread.start()

    def write(self, operation: Callable[[Turn], T]) -> T:
        """Do an operation; what it returns, once it is committed."""
        return self.later(operation).result()

    def later(self, operation: Callable[[Turn], T]) -> Future[T]:
        """Hand an operation over; what comes is there once it is committed."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise StoreError("the campaign is closed", "open it again")
            self._waiting.put((operation, future))
        return future

    def close(self) -> None:
        """Do what waits, and end."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (entry := self._waiting.get()) is not None:
            group, last = self._group(entry)
            self._together(group)
            if last:
                return

    def _group(
        self, entry: tuple[Callable[[Turn], Any], Future[Any]]
    ) -> tuple[list[tuple[Callable[[Turn], Any], Future[Any]]], bool]:
        """All that waits, up to the most; and whether it is the last."""
        group = [entry]
        while len(group) < MOST:
            try:
                more = self._waiting.get_nowait()
            except Empty:
                break
            if more is None:
                return group, True
            group.append(more)
        return group, False

    def _together(self, group: list[tuple[Callable[[Turn], Any], Future[Any]]]) -> None:
        """Do operations in one transaction; each alone where that fails."""
        try:
            done = self._transaction([operation for operation, _ in group])
        except BaseException as error:  # whatever it is, it is handed to who waits
            if len(group) == 1:
                group[0][1].set_exception(_as_store_error(error))
                return
            for each in group:
                self._together([each])
            return
        for (_, future), (value, fault) in zip(group, done, strict=True):
            if fault is None:
                future.set_result(value)
            else:
                future.set_exception(fault)

    def _transaction(self, operations: list[Callable[[Turn], Any]]) -> list[tuple[Any, Exception | None]]:
        done: list[tuple[Any, Exception | None]] = []
        with self._engine.begin() as connection:
            turn = Turn(connection, self._clock)
            self._first(turn)
            for operation in operations:
                turn.begin()
                before = turn.writes
                try:
                    done.append((operation(turn), None))
                except Exception as error:
                    if turn.writes > before:
                        raise
                    done.append((None, error))
            turn.end()
        return done


def _as_store_error(error: BaseException) -> BaseException:
    """What a database says, as an error of ours."""
    from sqlalchemy.exc import DBAPIError

    if isinstance(error, DBAPIError):
        raised = StoreError(f"the store cannot be written ({error.orig})", "see that it is there, whole and free")
        raised.__cause__ = error
        return raised
    return error
