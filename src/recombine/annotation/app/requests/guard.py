"""What stands before every page: host, origin, size and rate are checked, headers are set, and a line is logged.

Written against ASGI itself, since it sees every request. The log names the route and not the path or the query: a
path may hold a worker's secret. Refusals are short texts; whoever gets one did not come by the app's own pages.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from recombine.annotation.app.requests.cookie import read_cookie

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from recombine.annotation.app.address import Address
    from recombine.annotation.app.requests.rate_limit import RateLimit

LOG = logging.getLogger("recombine.annotation")
MOST_BYTES = 64 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With `no-referrer` a browser would send the origin `null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RefusedError(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        self.status, self.text, self.headers = status, text, headers or {}
        super().__init__(text)


class Guard:
    """The app behind its checks."""

    def __init__(self, app: ASGIApp, *, address: Address, by_worker: RateLimit, by_address: RateLimit) -> None:
        self._app, self._address = app, address
        self._by_worker, self._by_address = by_worker, by_address
        self._set = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if address.secure:
            self._set.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, and log."""
        if scope["type"] != "http":
            await self._pass_other(scope, receive, send)
            return
        began, outcome = time.perf_counter(), Outcome(send, self._set)
        try:
            await self._app_or_refusal(scope, receive, outcome)
        finally:
            took = (time.perf_counter() - began) * 1000
            LOG.info("%s %s %s %.1f ms", scope["method"], route_name(scope), outcome.status, took)

    async def _pass_other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1003})

    async def _app_or_refusal(self, scope: Scope, receive: Receive, outcome: Outcome) -> None:
        try:
            self._check(scope)
            await self._app(scope, Limited(receive), outcome)
        except RefusedError as refused:
            if outcome.status:
                raise
            await outcome.refuse(refused)

    def _check(self, scope: Scope) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host", "").lower() not in self._address.hosts:
            raise RefusedError(421, "This site is reached under another name.")
        if scope["method"] in UNSAFE:
            check_origin(headers, self._address.origins)
        if int(_digits(headers.get(b"content-length", "0"))) > MOST_BYTES:
            raise RefusedError(413, f"A form has at most {MOST_BYTES:,} bytes.")
        self._check_rate(scope, headers)

    def _check_rate(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """A worker's requests count for the worker; those of nobody, and a new cookie's first, for the address."""
        secret = read_cookie(headers.get(b"cookie", ""), secure=self._address.secure)
        seconds = 0
        if not (secret and self._by_worker.knows(secret)):
            seconds = self._by_address.wait(client_address(scope))
        if secret and not seconds:
            seconds = self._by_worker.wait(secret)
        if seconds:
            raise RefusedError(429, "Too many requests. Wait a moment.", {"retry-after": str(seconds)})


def check_origin(headers: dict[bytes, str], origins: tuple[str, ...]) -> None:
    """A form comes from our own page; browsers say where it does come from."""
    origin = headers.get(b"origin")
    if origin is not None and origin.lower() not in origins:
        raise RefusedError(403, "This form was sent from another site.")
    if origin is None and headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError(403, "This form was sent from another site.")


def client_address(scope: Scope) -> str:
    """The address a request came from; a proxy's own, unless the server was told to trust what it says."""
    client = scope.get("client")
    return str(client[0]) if client else "-"


def route_name(scope: Scope) -> str:
    """The route as it is written in the app, so that no path with a secret is ever logged."""
    route = scope.get("route")
    return str(getattr(route, "path", "(no such page)"))


def _digits(text: str) -> str:
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise RefusedError(400, "The length of the form is not a number.")
    return text


class Limited:
    """A request's body that ends the request where it grows too long, whatever length it claimed."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._bytes = receive, 0

    async def __call__(self) -> Message:
        """The next piece."""
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > MOST_BYTES:
            raise RefusedError(413, f"A form has at most {MOST_BYTES:,} bytes.")
        return message


class Outcome:
    """What is sent back, with the headers that every answer has; `status` is 0 until it has begun."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send, self._headers, self.status = send, headers, 0

    async def __call__(self, message: Message) -> None:
        """Send a piece."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name for name, _ in message["headers"]}
            added = [pair for pair in self._headers if pair[0] not in own]
            cache = [] if b"cache-control" in own else [(b"cache-control", b"no-store")]
            message = {**message, "headers": [*message["headers"], *added, *cache]}
        await self._send(message)

    async def refuse(self, refused: RefusedError) -> None:
        """Send a refusal."""
        body = f"{refused.text}\n".encode()
        headers: dict[str, Any] = {"content-type": "text/plain; charset=utf-8", "content-length": len(body)}
        pairs = [(name.encode(), str(value).encode()) for name, value in (headers | refused.headers).items()]
        await self({"type": "http.response.start", "status": refused.status, "headers": pairs})
        await self._send({"type": "http.response.body", "body": body})
