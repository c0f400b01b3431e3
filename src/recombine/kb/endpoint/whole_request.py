"""One request to an endpoint with an end: a limit of time for the whole of it, and of bytes for the answer.

httpx limits the time of each step alone, so that a server that sends a byte a second would never be given up. Here a
timer closes the connection when the time is over, whatever the request waits for.
"""

from __future__ import annotations

import socket
import threading
import weakref
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import AnswerError, KnowledgeBaseError, LateAnswerError
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

ACCEPT = "application/sparql-results+json, application/json;q=0.5"


class Response(NamedTuple):
    """What a server answered; headers by their names in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class CannotConnectError(AnswerError):
    """Nobody listens, or the name is unknown: it may pass."""


def import_httpx() -> ModuleType:
    """The module; where it is missing, the remedy."""
    try:
        import httpx
    except ImportError as error:
        raise KnowledgeBaseError("an endpoint needs httpx", 'install it: pip install "recombine[kb]"') from error
    return httpx


class Requester:
    """Sends requests to one address, one after the other, over a connection that is kept."""

    def __init__(self, address: str, *, time_out: float, max_bytes: int) -> None:
        httpx = import_httpx()
        self.address = address
        self.time_out = time_out
        self.max_bytes = max_bytes
        self._httpx = httpx
        try:
            self._client = httpx.Client(
                limits=httpx.Limits(max_connections=1),
                headers={"Accept": ACCEPT, "Accept-Encoding": "gzip", "User-Agent": f"recombine/{__version__}"},
                follow_redirects=False,
            )
        except ValueError as error:  # a proxy in the environment that is no address
            raise KnowledgeBaseError(f"httpx cannot be used ({error})", "see the proxies of the environment") from error
        # A store that is forgotten closes its connection.
        weakref.finalize(self, self._client.close)
        self._lock = threading.Lock()
        self._stream: Any = None

    def post(self, fields: Mapping[str, str]) -> Response:
        """The answer to a form that is posted; late, too large and broken ones are errors."""
        with self._lock:
            late = threading.Event()
            timer = threading.Timer(self.time_out, self._hang_up, args=(late,))
            timer.daemon = True
            timer.start()
            try:
                response = self._posted(fields)
                # Content without a length ends when the connection is closed, also when it is closed here.
                if late.is_set():
                    raise self._late()
                return response
            except (self._httpx.HTTPError, self._httpx.InvalidURL, OSError, ValueError, zlib.error) as error:
                raise self._failed(error, late=late.is_set()) from error
            finally:
                timer.cancel()

    def _posted(self, fields: Mapping[str, str]) -> Response:
        request = self._client.build_request(
            "POST", self.address, data=dict(fields), timeout=self.time_out, extensions={"trace": self._trace}
        )
        response = self._client.send(request, stream=True)
        try:
            content = self._read(response)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Response(response.status_code, headers, content)
        finally:
            response.close()

    def _read(self, response: Any) -> bytes:
        """The content, unpacked piece by piece, so that no more than the limit is ever held."""
        packed = response.headers.get("Content-Encoding", "identity").strip().lower()
        if packed not in ("identity", "gzip", "x-gzip"):
            raise AnswerError(f"{self.address}: the answer is packed as {packed!r}", "see what stands between")
        unpacker = zlib.decompressobj(wbits=31) if packed != "identity" else None
        content = bytearray()
        for piece in response.iter_raw():
            content += piece if unpacker is None else unpacker.decompress(piece, self.max_bytes + 1 - len(content))
            if len(content) > self.max_bytes:
                raise AnswerError(
                    f"{self.address}: the answer is larger than {self.max_bytes:,} bytes",
                    "ask for less, or raise the limit",
                )
        if unpacker is not None and not unpacker.eof:
            raise AnswerError(f"{self.address}: the answer broke off (no whole gzip)", "ask again")
        return bytes(content)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the connection, so that it can be closed."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info["return_value"]

    def _hang_up(self, late: threading.Event) -> None:
        late.set()
        connection = None if self._stream is None else self._stream.get_extra_info("socket")
        if connection is not None:
            with suppress(OSError):  # it was closed meanwhile
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def _late(self) -> AnswerError:
        return LateAnswerError(
            f"{self.address}: no whole answer within {self.time_out:g} s",
            "give it more time (--time-out), or ask for less",
        )

    def _failed(self, error: Exception, *, late: bool) -> AnswerError:
        if late or isinstance(error, self._httpx.TimeoutException):
            return self._late()
        said = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, self._httpx.ConnectError):
            return CannotConnectError(
                f"{self.address}: cannot be reached ({said})", "check the address, and the server"
            )
        if isinstance(error, self._httpx.InvalidURL | self._httpx.UnsupportedProtocol):
            return AnswerError(f"{self.address}: is no address of an endpoint ({said})", "give http:// or https://")
        return AnswerError(f"{self.address}: the answer broke off ({said})", "ask again")

    def close(self) -> None:
        """Close the connection."""
        self._client.close()
