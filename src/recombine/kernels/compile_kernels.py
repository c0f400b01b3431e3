"""Many kernels compiled at once, in this process and in one beside it.

The two share a list of modules, as each is free: the kernels of a module call each other and are compiled by one of
them. What the other process compiles comes by way of the cache on disk; where there is no writing to it, nothing is
gained and nothing lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import recombine
from recombine.kernels.compile_events import say_compiling
from recombine.kernels.kernel_folder import VARIABLE, kernel_folder
from recombine.kernels.signatures import find_kernel, known_signatures, read_types

if TYPE_CHECKING:
    from collections.abc import Iterable

_CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from recombine.kernels.compile_kernels import compile_named
for line in sys.stdin:
    compile_named(line.split())
    print("done", flush=True)
"""


class Compilation:
    """The kernels of some names on their way; leaving the block ends the process beside this one."""

    def __init__(self, names: Iterable[str] | None = None) -> None:
        self.began = time.perf_counter()
        self.names = [name for name in known_signatures() if names is None or name in set(names)]
        self.missing = missing_kernels(self.names)
        modules: dict[str, list[str]] = {}
        for name in self.missing:
            modules.setdefault(name.partition(":")[0], []).append(name)
        self._units = deque(modules.values())
        self._child: subprocess.Popen[str] | None = None
        self._feeder: Thread | None = None

    def __enter__(self) -> Compilation:
        if self.missing:
            say_compiling(f"{len(self.missing)} kernels")
        if len(self._units) > 1 and (os.cpu_count() or 1) > 1 and sys.executable:
            self._start_child()
        return self

    def __exit__(self, *_: object) -> None:
        self._units.clear()
        if self._child is not None:
            self._child.kill()
            self._child.communicate()

    def finish(self) -> None:
        """Compile what nobody has begun, and wait for the rest."""
        while names := self._next():
            compile_named(names)
        if self._feeder is not None:
            self._feeder.join()

    def _next(self) -> list[str]:
        try:
            return self._units.popleft()
        except IndexError:
            return []

    def _start_child(self) -> None:
        package = str(Path(recombine.__file__).parent.parent)
        try:
            self._child = subprocess.Popen(  # noqa: S603
                [sys.executable, "-W", "ignore", "-c", _CHILD, package],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, VARIABLE: str(kernel_folder())},
            )
        except OSError:  # no room for one more process: this one compiles all
            return
        self._feeder = Thread(target=self._feed, args=(self._child,), daemon=True)
        self._feeder.start()

    def _feed(self, child: subprocess.Popen[str]) -> None:
        """Give modules to the other process until there are none, or it has ended."""
        while child.stdin is not None and child.stdout is not None and (names := self._next()):
            try:
                child.stdin.write(" ".join(names) + "\n")
                child.stdin.flush()
                if not child.stdout.readline():
                    return
            except (OSError, ValueError):
                return


def compile_named(names: Iterable[str]) -> None:
    """Compile kernels, or load them from the cache, for all types that they are called with."""
    for name in names:
        for described in known_signatures()[name]:
            find_kernel(name).compile(read_types(described))


def missing_kernels(names: Iterable[str]) -> list[str]:
    """Those of some kernels that are not on disk for all their types."""
    known = known_signatures()
    return [name for name in names if not all(find_kernel(name).is_kept(read_types(each)) for each in known[name])]
