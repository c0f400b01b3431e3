"""Where the app is reached: the origins it answers to, and whether it may listen there.

Off the loopback a worker's secret would travel in the clear, so the app listens there only with a certificate of its
own, or behind a proxy that has one.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from recombine.errors import OptionError


@dataclass(frozen=True)
class Address:
    """The origins that a browser may name, as `https://annotate.example.org`; the first is the one in links."""

    origins: tuple[str, ...]

    @property
    def url(self) -> str:
        """What join links start with."""
        return self.origins[0]

    @property
    def secure(self) -> bool:
        """Whether browsers come over TLS."""
        return self.url.startswith("https:")

    @property
    def hosts(self) -> frozenset[str]:
        """What a request's Host may be."""
        return frozenset(origin.partition("://")[2] for origin in self.origins)


def is_loopback(host: str) -> bool:
    """Whether a name or number stands for this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(
    host: str, port: int, *, public_url: str | None = None, tls: bool = False, behind_proxy: bool = False
) -> Address:
    """Where the app is reached that listens at `host`; refused where secrets would travel in the clear.

    >>> address_of("127.0.0.1", 8000).origins[:2]
    ('http://127.0.0.1:8000', 'http://localhost:8000')
    >>> address_of("0.0.0.0", 8000, public_url="https://a.example.org/", behind_proxy=True).origins
    ('https://a.example.org',)
    """
    if not (is_loopback(host) or tls or behind_proxy):
        raise OptionError(
            f"{host} can be reached from other machines, and workers' links would travel in the clear",
            "give --certificate and --key, put a proxy with TLS before it and say --behind-proxy, or use 127.0.0.1",
        )
    if public_url is not None:
        return Address((_origin(public_url, tls or (behind_proxy and not is_loopback(host))),))
    if not is_loopback(host) or behind_proxy:
        raise OptionError(
            "the app does not know under which name browsers reach it",
            "say --public-url https://annotate.example.org",
        )
    scheme = "https" if tls else "http"
    names = dict.fromkeys((_in_url(host), "localhost", "127.0.0.1", "[::1]"))
    return Address(tuple(f"{scheme}://{name}{_port(scheme, port)}" for name in names))


def _origin(url: str, must_be_secure: bool) -> str:
    parts = urlsplit(url)
    good = parts.scheme in ("http", "https") and parts.netloc and parts.path in ("", "/") and not parts.query
    if not good or "@" in parts.netloc:
        raise OptionError(f"{url!r} is no address of a site", "write it as https://annotate.example.org")
    if must_be_secure and parts.scheme != "https":
        raise OptionError(f"{url!r} is not reached over TLS", "write it as https://…")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _port(scheme: str, port: int) -> str:
    return "" if port == {"http": 80, "https": 443}[scheme] else f":{port}"
