"""Asking again what may pass: a server that is not up yet, that is busy, or that says when to come back.

The waits double, without chance, and a `Retry-After` of the server counts in their place; one that is longer than the
longest wait is an error that says so.
"""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import AnswerError
from recombine.kb.endpoint.whole_request import CannotConnectError, Response

if TYPE_CHECKING:
    from collections.abc import Callable

MAY_PASS = (429, 502, 503, 504)


class Retries(NamedTuple):
    """How often to ask again, how long to wait first, and at most."""

    times: int = 3
    wait: float = 0.5
    longest: float = 60.0


def asked_again(
    ask: Callable[[], Response], retries: Retries, *, address: str, sleep: Callable[[float], None] = time.sleep
) -> Response:
    """The answer, asked again as often as may be where it did not come and may yet."""
    for attempt in range(retries.times + 1):
        last = attempt == retries.times
        wait = min(retries.wait * 2**attempt, retries.longest)
        try:
            response = ask()
        except CannotConnectError:
            if last:
                raise
        else:
            if response.status not in MAY_PASS or last:
                return response
            wait = _told_wait(response, wait)
            if wait > retries.longest:
                raise AnswerError(
                    f"{address}: answers with status {response.status}, and wants to be asked again in {wait:,.0f} s",
                    "ask then, or ask less often",
                )
        sleep(wait)
    raise AssertionError("the last attempt returns or raises")


def _told_wait(response: Response, otherwise: float) -> float:
    """The seconds of `Retry-After`, as a number or a date; what cannot be read does not count."""
    told = response.headers.get("retry-after", "").strip()
    if told.isascii() and told.isdigit():
        return float(told)
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, IndexError, OverflowError):
        return otherwise
