"""Serving the app until it is stopped: one process, or several over a Postgres store.

Requests are logged by route, without paths, queries or cookies: uvicorn's own log of requests, which would hold the
secrets of join links, is off. A stop by SIGINT or SIGTERM lets requests that have begun end first.
"""

from __future__ import annotations

import multiprocessing.connection
import signal
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.annotation.app.address import address_of
from recombine.annotation.app.settings import Settings
from recombine.errors import CampaignError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import ASGIApp

WAITING = 512
"""Connections that wait to be taken."""
SERVER: dict[str, Any] = {
    # It would hold the secrets of join links.
    "access_log": False,
    "server_header": False,
    "backlog": WAITING,
    # Seconds that requests have to end when the server is stopped.
    "timeout_graceful_shutdown": 10,
    "ws": "none",
}
"""How uvicorn is set, whatever the options are."""


def serve(
    place: Path | str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    public_url: str | None = None,
    certificate: Path | str | None = None,
    key: Path | str | None = None,
    behind_proxy: bool = False,
    proxies: str = "127.0.0.1",
    pictures: Path | str | None = None,
    requests_per_second: float = 20.0,
    processes: int = 1,
    quiet: bool = False,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the campaign at `place` until SIGINT or SIGTERM; `ready` is called with the address once the port is taken.

    A `port` of 0 takes a free one. `proxies` are the addresses whose word on where a request came from is believed,
    with `behind_proxy`.
    """
    _check(place, certificate, key, pictures, processes)
    tls = certificate is not None
    address_of(host, port, public_url=public_url, tls=tls, behind_proxy=behind_proxy)
    listening = take_port(host, port)
    address = address_of(host, listening.getsockname()[1], public_url=public_url, tls=tls, behind_proxy=behind_proxy)
    folder = None if pictures is None else Path(pictures)
    settings = Settings(address, folder, requests_per_second / processes)
    options = {
        "log_config": _log_config(quiet),
        "ssl_certfile": certificate,
        "ssl_keyfile": key,
        "proxy_headers": behind_proxy,
        "forwarded_allow_ips": proxies,
    }
    if ready is not None:
        ready(address.url)
    with listening:
        if processes == 1:
            _serve_one(str(place), settings, listening, options)
        else:
            _serve_several(processes, str(place), settings, listening, options)


def app_at(place: str, settings: Settings) -> ASGIApp:
    """The app over the campaign at a place, which it closes when it ends; every process makes its own."""
    from recombine.annotation.app.make_app import make_app
    from recombine.annotation.campaign.campaign import Campaign

    return make_app(Campaign.open(place), settings, close=True)


def take_port(host: str, port: int) -> socket.socket:
    """A socket that listens at the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends small answers at once and does not wait for the other side.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        bound.close()
        raise OptionError(f"port {port} of {host} cannot be taken ({error})", "give another --port or --host") from None
    # Whoever comes before the app is up waits.
    bound.listen(WAITING)
    bound.set_inheritable(True)
    return bound


def _check(place: Path | str, certificate: Any, key: Any, pictures: Path | str | None, processes: int) -> None:
    if (certificate is None) != (key is None):
        raise OptionError("a certificate and its key go together", "give both --certificate and --key")
    for path in (certificate, key):
        if path is not None and not Path(path).is_file():
            raise OptionError(f"{path} is no file", "name the certificate and its key, as PEM files")
    if pictures is not None and not Path(pictures).is_dir():
        raise OptionError(f"{pictures} is no folder", "name the folder that the items' pictures are named from")
    if processes < 1:
        raise OptionError(f"{processes} processes serve nothing", "give 1 or more")
    if processes > 1 and not str(place).startswith("postgresql"):
        raise OptionError(
            "a SQLite store is served by one process, whose one writer keeps it quick",
            "serve it with one, or keep the campaign in Postgres",
        )


def _log_config(quiet: bool) -> dict[str, Any]:
    """Lines on standard error: what goes wrong, and each request by its route unless `quiet`."""
    handler = {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}
    level = "WARNING" if quiet else "INFO"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(message)s"}},
        "handlers": {"lines": handler},
        "loggers": {
            "uvicorn": {"level": "WARNING", "handlers": ["lines"], "propagate": False},
            "uvicorn.access": {"level": "CRITICAL", "propagate": False},
            "recombine.annotation": {"level": level, "handlers": ["lines"], "propagate": False},
        },
    }


def _serve_one(place: str, settings: Settings, listening: socket.socket, options: dict[str, Any]) -> None:
    """Serve in this process until it is told to stop."""
    import uvicorn

    config = uvicorn.Config(app_at(place, settings), **SERVER, **options)
    # uvicorn raises the signal that stopped it once more when it has ended; there is nothing left to stop then.
    with _on_stop(lambda: None):
        uvicorn.Server(config).run(sockets=[listening])


def _serve_several(number: int, *what: Any) -> None:
    """Serve in several processes that share the port; where one ends by itself, all do, and it is an error."""
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_serve_one, args=what) for _ in range(number)]
    asked: list[bool] = []

    def stop() -> None:
        asked.append(True)
        for child in children:
            if child.is_alive():
                child.terminate()

    with _on_stop(stop):
        for child in children:
            child.start()
        multiprocessing.connection.wait([child.sentinel for child in children])
        was_asked = bool(asked)
        stop()
        for child in children:
            child.join()
    if not was_asked:
        raise CampaignError("a server process ended by itself", "see what it logged, and start the server again")


@contextmanager
def _on_stop(action: Callable[[], None]) -> Iterator[None]:
    """Do this on SIGINT and SIGTERM, for a while."""
    before = {each: signal.signal(each, lambda *_: action()) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
