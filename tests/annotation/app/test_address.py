"""Where the app may listen, and under which names it answers."""

from __future__ import annotations

from typing import Any

import pytest

from recombine.annotation.app.address import address_of, is_loopback
from recombine.errors import OptionError

SITE = "https://annotate.example.org"


def test_on_the_loopback_nothing_more_is_needed() -> None:
    address = address_of("127.0.0.1", 8000)
    assert address.hosts == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    assert (address.url, address.secure) == ("http://127.0.0.1:8000", False)


def test_the_usual_port_does_not_stand_in_the_host() -> None:
    assert "localhost" in address_of("localhost", 80).hosts
    assert "localhost" in address_of("localhost", 443, tls=True).hosts
    assert "localhost:443" in address_of("localhost", 443).hosts


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "annotate.example.org", "10.0.0.1"])  # noqa: S104
def test_elsewhere_secrets_do_not_travel_in_the_clear(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(OptionError, match="in the clear"):
        address_of(host, 8000)
    with pytest.raises(OptionError, match="in the clear"):
        address_of(host, 8000, public_url=SITE)
    for given in ({"tls": True}, {"behind_proxy": True}):
        address = address_of(host, 8000, public_url=f"{SITE}/", **given)
        assert (address.origins, address.secure) == ((SITE,), True)
        assert address.hosts == {"annotate.example.org"}


@pytest.mark.parametrize("given", [{"tls": True}, {"behind_proxy": True}])
def test_elsewhere_the_name_is_told(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="under which name"):
        address_of("0.0.0.0", 8000, **given)  # noqa: S104
    with pytest.raises(OptionError, match="not reached over TLS"):
        address_of("0.0.0.0", 8000, public_url="http://annotate.example.org", **given)  # noqa: S104


@pytest.mark.parametrize(
    "url", ["annotate.example.org", "ftp://a.example.org", f"{SITE}/path", "https://u:p@a.example.org", "https://"]
)
def test_an_address_of_a_site_is_scheme_and_host(url: str) -> None:
    with pytest.raises(OptionError, match="no address of a site"):
        address_of("127.0.0.1", 8000, public_url=url)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)
