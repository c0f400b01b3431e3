"""A small SPARQL endpoint on loopback that behaves as a test says, well or badly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

JSON = "application/sparql-results+json"
Behaviour = Callable[["Handler", dict[str, str]], None]


class Handler(BaseHTTPRequestHandler):
    """Reads a posted form and lets the behaviour of its server answer."""

    protocol_version = "HTTP/1.1"
    server: BrokenEndpoint

    def do_POST(self) -> None:
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(form, keep_blank_values=True).items()}
        self.server.asked.append(fields)
        with suppress(BrokenPipeError, ConnectionResetError):
            self.server.behaviour(self, fields)

    def answer(self, content: bytes, *, status: int = 200, kind: str | None = JSON, **headers: str) -> None:
        """A whole answer with its length."""
        self.send_response(status)
        if kind is not None:
            self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *rest: Any) -> None:
        """Say nothing."""


class BrokenEndpoint(ThreadingHTTPServer):
    """The server, with the forms that were posted to it."""

    daemon_threads = True

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.asked: list[dict[str, str]] = []
        self.stopping = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/sparql"


@contextmanager
def endpoint(behaviour: Behaviour) -> Iterator[BrokenEndpoint]:
    """A server that runs while the block does."""
    server = BrokenEndpoint(behaviour)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
