"""What is done while numba compiles kernels: it is said, and what numba writes is listed.

numba tells of both by its events. It writes a kernel to disk between the end of compiling it and the end of its
compiler lock; for just so long the folder is locked, since two processes that write beside each other could have numba
take the one's kernel for the other's.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from numba.core import event

from recombine.kernels.kernel_folder import VARIABLE, kernel_folder
from recombine.progress import note, stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.kernels.kernel_store import KernelStore, Writing

_STORES: dict[Callable[..., Any], KernelStore | None] = {}
_SAID: set[str] = set()


def watch(dispatcher: Any, store: KernelStore | None) -> None:
    """Tell when a kernel is compiled, and list what is written of it where it has a store."""
    if not _STORES:
        event.register("numba:compile", _Compiling())
        event.register("numba:compiler_lock", _Unlocking())
    _STORES[dispatcher.py_func] = store


def say_compiling(what: str) -> None:
    """Say that kernels are compiled, once in a process: a line at the command line, and nothing from Python."""
    if "compiling" not in _SAID:
        _SAID.add("compiling")
        stage(f"compiling {what}; this happens once on a machine")


def cannot_keep(error: Exception) -> None:
    """Say once in a process that kernels cannot be kept."""
    if "keep" not in _SAID:
        _SAID.add("keep")
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        note(
            f"compiled kernels cannot be kept in {kernel_folder()} ({why}), and are compiled each time; "
            f"{VARIABLE} names another folder"
        )


class _Held(threading.local):
    writing: Writing | None = None


_HELD = _Held()


class _Compiling(event.Listener):  # type: ignore[misc]
    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if function in _STORES:
            say_compiling(f"{function.__name__} and what else this command uses")

    def on_end(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        store = _STORES.get(function)
        if store is not None:
            try:
                _HELD.writing = store.write(function, tuple(event.data["args"]))
            except OSError as error:
                cannot_keep(error)


class _Unlocking(event.Listener):  # type: ignore[misc]
    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        del event
        writing, _HELD.writing = _HELD.writing, None
        if writing is not None:
            try:
                writing.finish()
            except OSError as error:
                cannot_keep(error)
