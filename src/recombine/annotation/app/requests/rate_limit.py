"""How many requests a client may make: a bucket of tokens each, in memory, with a bounded number of buckets.

A client is whatever names it: a worker's cookie, or an address. Buckets that are full again hold no news, and the
oldest go first when there are too many.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class RateLimit:
    """Buckets of `burst` tokens that fill at `per_second`.

    >>> limit = RateLimit(per_second=1, burst=2, clock=lambda: 0.0)
    >>> [limit.wait("ann"), limit.wait("ann"), limit.wait("ann"), limit.wait("bob")]
    [0, 0, 1, 0]
    """

    def __init__(
        self, *, per_second: float, burst: int, clients: int = 20_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second, self._burst, self._clients, self._clock = per_second, burst, clients, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> int:
        """Take a token; 0 where there was one, else the whole seconds until there is."""
        tokens, now = self._filled(client)
        if tokens < 1:
            return max(1, math.ceil((1 - tokens) / self._per_second))
        self._keep(client, tokens - 1, now)
        return 0

    def knows(self, client: str) -> bool:
        """Whether the client was here not long ago."""
        return client in self._buckets

    def _filled(self, client: str) -> tuple[float, float]:
        now = self._clock()
        tokens, since = self._buckets.get(client, (float(self._burst), now))
        return min(float(self._burst), tokens + (now - since) * self._per_second), now

    def _keep(self, client: str, tokens: float, now: float) -> None:
        self._buckets[client] = (tokens, now)
        self._buckets.move_to_end(client)
        while len(self._buckets) > self._clients:
            self._buckets.popitem(last=False)
