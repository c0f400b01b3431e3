"""A dask cluster that tasks run on: one by its address, or a local one that is closed afterwards.

A task is the name of a function of this room and plain values: texts, numbers, bytes and arrays. Where a worker dies,
dask runs what it had to do again elsewhere, and tasks write nothing that half done could be seen. An error that a user
can mend comes back as a value, and the one of the first task is raised, whichever came first.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from recombine import errors
from recombine.errors import ClusterError, OptionError, RecombineError
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOCAL = "local"
WORKERS, MEMORY = 2, "1.5GB"
"""Of a local cluster, where nothing else is said."""
TIMEOUT = 10
"""Seconds to wait for a scheduler."""
_LOCAL = re.compile(rf"{LOCAL}(?::([0-9]+))?(?::([0-9.]+ ?[kMG]i?B))?")
PATIENCE = 60
"""Seconds to wait for workers where there are none."""
_POLL = 0.02
_FAULT = "recombine.error"


@dataclass
class Session:
    """A connection to a cluster."""

    client: Any
    address: str
    plugins: list[tuple[str, str, str]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=count)
    _name: str = field(default_factory=lambda: uuid4().hex[:8])

    def submit(self, function: str, *values: Any) -> Any:
        """A future of a task: `function` is `module:name` in this room; values may be futures."""
        name = function.partition(":")[2]
        key = f"recombine-{name}-{self._name}-{next(self._number)}"
        return self.client.submit(run_task, function, self.plugins, *values, key=key, pure=False)

    def map(self, message: str, function: str, tasks: Sequence[Sequence[Any]]) -> list[Any]:
        """The results of a function for each list of values, in their order, while it is said how far it is."""
        return self.results(message, [self.submit(function, *values) for values in tasks])

    def results(self, message: str, futures: Sequence[Any], *, keep: bool = False) -> list[Any]:
        """What futures give, in their order; the futures are let go, and with `keep` nothing is fetched."""
        with bar(message, counts="parts") as update:
            for done in self._iter_done(futures):
                if update is not None:
                    update(done, len(futures), "")
        return [] if keep else self._gathered(futures)

    def result(self, future: Any) -> Any:
        """What one future gives."""
        for _ in self._iter_done([future]):
            pass
        return self._gathered([future])[0]

    def _gathered(self, futures: Sequence[Any]) -> list[Any]:
        values = self.client.gather(list(futures))
        for value in values:
            raise_fault(value)
        return list(values)

    def _iter_done(self, futures: Sequence[Any]) -> Iterator[int]:
        """How many futures are done, whenever more are; a cluster without workers is not waited for without end."""
        from distributed import as_completed

        waiting = as_completed(futures, loop=self.client.loop)
        done, heard = 0, time.monotonic()
        while done < len(futures):
            ready = len(waiting.next_batch(block=False))
            if ready or self._has_workers():
                heard = time.monotonic()
            elif time.monotonic() > heard + PATIENCE:
                raise ClusterError(f"all workers of the cluster at {self.address} are gone", "start some, and again")
            if ready:
                done += ready
                yield done
            else:
                time.sleep(_POLL)

    def _has_workers(self) -> bool:
        """Whether there are workers, as the scheduler said last; a scheduler that is gone is an error."""
        from distributed.comm import CommClosedError

        if self.client.status not in ("running", "connecting"):
            raise CommClosedError(self.address)
        return bool(self.client.scheduler_info()["workers"])


def run_task(function: str, plugins: list[tuple[str, str, str]], *values: Any) -> Any:
    """A task on a worker; an error of the user's is given back, and so is one of the values that are given."""
    from recombine.plugins import Plugin, load_same

    fault = next((value for value in values if isinstance(value, dict) and _FAULT in value), None)
    if fault is not None:
        return fault
    try:
        for plugin in plugins:
            load_same(Plugin(*plugin))
        module, _, name = function.partition(":")
        return getattr(importlib.import_module(f"recombine.cluster.{module}"), name)(*values)
    except RecombineError as error:
        return {_FAULT: [type(error).__name__, error.problem, error.remedy]}


def raise_fault(value: Any) -> None:
    """Raise the error that a task gave back, if it is one."""
    if isinstance(value, dict) and _FAULT in value:
        name, problem, remedy = value[_FAULT]
        kind = getattr(errors, name, RecombineError)
        error = kind.__new__(kind)
        RecombineError.__init__(error, problem, remedy)
        raise error


@contextmanager
def open_session(cluster: str) -> Iterator[Session]:
    """A session on the cluster of an address, or on a local one: `local`, `local:2` or `local:2:4GB`.

    What befalls the cluster meanwhile is one error in one line.
    """
    if importlib.util.find_spec("distributed") is None:
        raise ClusterError("a cluster needs distributed, which is not installed", "install recombine[cluster]")
    if "://" in cluster:
        with _connected(cluster, cluster) as session:
            yield session
        return
    match = _LOCAL.fullmatch(cluster)
    if match is None or match[1] == "0":
        raise OptionError(
            f"cannot read the cluster {cluster!r}",
            "give the address of a scheduler such as tcp://host:8786, or local, local:2 or local:2:4GB",
        )
    import dask
    from distributed import LocalCluster

    # A machine that slept must not take its workers for dead: here their processes are watched. The dashboard is on any
    # free port, for another program may have its own.
    with (
        dask.config.set({"distributed.scheduler.worker-ttl": None}),
        LocalCluster(
            n_workers=int(match[1] or WORKERS),
            threads_per_worker=1,
            memory_limit=match[2] or MEMORY,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as local,
        _connected(local, cluster) as session,
    ):
        yield session


@contextmanager
def _connected(where: Any, address: str) -> Iterator[Session]:
    from concurrent.futures import CancelledError

    from distributed import Client
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    from recombine.plugins import LOADED

    try:
        client = Client(where, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler answers at {address} ({error})", "check the address") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise ClusterError(f"the cluster at {address} has no workers", "start some with `dask worker`")
        plugins = [(each.name, each.identity, each.place) for each in LOADED.values()]
        try:
            yield Session(client, address, plugins)
        except KilledWorker as error:
            raise ClusterError(
                f"a task killed each worker that it was given to ({error.task}); it may be out of memory",
                f"give workers more memory, such as {LOCAL}:2:4GB, or make smaller parts",
            ) from error
        except (CancelledError, FutureCancelledError, CommClosedError, OSError) as error:
            if isinstance(error, OSError) and not isinstance(error, CommClosedError | TimeoutError):
                raise
            raise ClusterError(f"the cluster at {address} was lost", "start it again, and then the command") from error
