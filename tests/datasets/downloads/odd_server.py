"""A server on this machine that serves files well, or as badly as a test asks for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Served:
    """What a server has, how it answers the next requests, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    manners: list[str] = field(default_factory=list)
    """How the next requests are answered, one each; those after them well."""
    asked: list[dict[str, str | None]] = field(default_factory=list)
    ranges: bool = True
    mark: str = '"1"'
    address: str = ""
    stop: threading.Event = field(default_factory=threading.Event)


@contextmanager
def odd_server(**given: Any) -> Iterator[Served]:
    """A server that runs for a while, on 127.0.0.1 alone."""
    served = Served(**given)

    class Handler(_Handler):
        told = served

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    served.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        served.stop.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    told: Served
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        """Answer in the manner that is next."""
        told = self.told
        asked = {"path": self.path, "range": self.headers["Range"], "if_range": self.headers["If-Range"]}
        told.asked.append(asked)
        manner = told.manners.pop(0) if told.manners else "well"
        path = self.path.partition("://")[2].partition("/")[2] if "://" in self.path else self.path.lstrip("/")
        content = told.files.get(path.partition("?")[0])
        self.close_connection = True
        if manner.isdigit():
            return self._send(int(manner), b"no")
        if manner.startswith("to "):
            return self._send(302, b"", {"Location": manner[3:]})
        if content is None:
            return self._send(404, b"no")
        start = self._start(len(content))
        rest, headers = content[start:], {"ETag": told.mark}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        if manner == "another part" and start:
            headers["Content-Range"] = f"bytes {start + 1}-{len(content) - 1}/{len(content)}"
        if manner == "packed":
            headers["Content-Encoding"] = "gzip"
        if manner == "other":
            rest = bytes(byte ^ 1 for byte in rest)
        if manner == "shorter":
            rest = rest[:-1]
        if manner == "longer":
            rest += b"more"
        if manner == "endless":
            rest *= 50
        unsaid = manner in ("longer unsaid", "shorter unsaid", "endless")
        rest = rest + b"more" if manner == "longer unsaid" else rest[:-1] if manner == "shorter unsaid" else rest
        self._head(206 if start else 200, None if unsaid else len(rest), headers)
        if manner in ("cut", "stall"):
            self.wfile.write(rest[: len(rest) // 2])
            self.wfile.flush()
            if manner == "stall":
                told.stop.wait(20)
            return None
        with suppress(ConnectionError):  # who asked may have seen enough
            self.wfile.write(rest)
        return None

    def _start(self, size: int) -> int:
        wanted, mark = self.headers["Range"], self.headers["If-Range"]
        if not wanted or not self.told.ranges or (mark and mark != self.told.mark):
            return 0
        return min(int(wanted.removeprefix("bytes=").removesuffix("-")), size)

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, len(body), headers or {})
        self.wfile.write(body)

    def _head(self, status: int, length: int | None, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
