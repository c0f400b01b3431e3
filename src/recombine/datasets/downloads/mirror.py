"""Where originals are fetched from: the public address, a mirror of it on the web, or a folder.

All are laid out alike: `OWNER/REPOSITORY/COMMIT/PATH` below the address. On the web, proxies are those of the usual
variables (HTTP_PROXY, HTTPS_PROXY, NO_PROXY); redirects are followed, but not away from the web, and not from an
encrypted address to one that is not.
"""

from __future__ import annotations

import http.client
import re
import ssl
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recombine.errors import DownloadError, OptionError
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from recombine.datasets.downloads.sources import Original

PUBLIC = "https://raw.githubusercontent.com"
TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
"""The answers of a server that may be others a little later."""
NOT_SATISFIABLE = 416
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


class Interrupted(Exception):  # noqa: N818  # no error of the user: it is tried again
    """A transfer that broke off, stalled, or was turned away for the moment; with `restart`, what came is of no use."""

    def __init__(self, problem: str, *, restart: bool = False) -> None:
        self.restart = restart
        super().__init__(problem)


@dataclass(frozen=True)
class Opened:
    """An answer: its bytes, from where on they are, how many the whole has, and the mark of its version."""

    stream: IO[bytes]
    start: int = 0
    total: int | None = None
    mark: str = ""


class Mirror(Protocol):
    """What holds originals."""

    def place(self, original: Original) -> str:
        """Where an original is, for people."""

    def open(self, original: Original, *, start: int, mark: str) -> AbstractContextManager[Opened]:
        """The bytes of an original from `start` on, or all of them; `mark` is that of the version begun with."""


@dataclass(frozen=True)
class FolderMirror:
    """Originals in a folder."""

    folder: Path

    def place(self, original: Original) -> str:
        """The path of an original."""
        return str(self.folder / original.address)

    @contextmanager
    def open(self, original: Original, *, start: int, mark: str) -> Iterator[Opened]:
        """All bytes of an original: a copy needs no resuming."""
        del start, mark
        path = self.folder / original.address
        if not path.is_file():
            raise DownloadError(f"{path}: no such file", "lay the mirror out as OWNER/REPOSITORY/COMMIT/PATH")
        try:
            with path.open("rb") as stream:
                yield Opened(stream, total=path.stat().st_size)
        except OSError as error:
            raise DownloadError(f"{path}: cannot be read ({error.strerror})", "check its permissions") from error


class _WebRedirects(HTTPRedirectHandler):
    max_redirections = 5

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        new = urlsplit(newurl)
        if new.scheme not in ("http", "https") or (new.scheme == "http" and req.full_url.startswith("https:")):
            fp.close()
            raise DownloadError(f"{req.full_url} leads to {newurl}, which is not followed", "give a mirror with --from")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@dataclass(frozen=True)
class WebMirror:
    """Originals at an address of the web."""

    address: str = PUBLIC
    timeout: float = 30.0

    def place(self, original: Original) -> str:
        """The address of an original."""
        return f"{self.address.rstrip('/')}/{quote(original.address)}"

    @contextmanager
    def open(self, original: Original, *, start: int, mark: str) -> Iterator[Opened]:
        """The bytes that a server gives, from `start` on where it can and has the same version still."""
        headers = {"User-Agent": f"recombine/{__version__}", "Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
            if mark:
                headers["If-Range"] = mark
        request = Request(self.place(original), headers=headers)  # noqa: S310  # `find_mirror` lets the web alone pass
        try:
            with build_opener(_WebRedirects()).open(request, timeout=self.timeout) as answer:
                yield _opened(answer, start, request.full_url)
        except HTTPError as error:
            error.close()
            raise _refused(error, request.full_url) from None
        except TimeoutError:
            raise Interrupted(f"{request.full_url} sent nothing for {self.timeout:g} s") from None
        except (URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                raise Interrupted(f"{request.full_url} sent nothing for {self.timeout:g} s") from None
            if isinstance(reason, ssl.SSLError):
                problem = f"{request.full_url} cannot be trusted ({reason})"
                raise DownloadError(problem, "check the certificates of this machine") from None
            raise Interrupted(f"{request.full_url} cannot be reached or broke off ({reason})") from None


def _opened(answer: Any, start: int, address: str) -> Opened:
    """The answer of a server, when it is one that can be used."""
    encoding = answer.headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        raise DownloadError(f"{address} is sent packed as {encoding}, which was not asked for", "give another mirror")
    mark, length = answer.headers.get("ETag", ""), answer.headers.get("Content-Length")
    mark = "" if mark.startswith("W/") else mark  # a weak mark does not stand for the same bytes
    stream = cast("IO[bytes]", answer)
    if answer.status == http.client.PARTIAL_CONTENT:
        part = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if part is None or int(part[1]) != start:
            raise Interrupted(f"{address} sent another part than was asked for", restart=True)
        return Opened(stream, start, None if part[2] == "*" else int(part[2]), mark)
    if answer.status != http.client.OK:
        raise DownloadError(f"{address} answers {answer.status} {answer.reason}", "give another mirror with --from")
    return Opened(stream, 0, int(length) if length is not None and length.isdigit() else None, mark)


def _refused(error: HTTPError, address: str) -> Exception:
    """What an answer with another status than that of success means."""
    said = f"{address} answers {error.code} {error.reason}"
    if error.code in TRY_AGAIN or error.code == NOT_SATISFIABLE:
        return Interrupted(said, restart=error.code == NOT_SATISFIABLE)
    if error.code == http.client.PROXY_AUTHENTICATION_REQUIRED:
        return DownloadError(said, "give the proxy's user and password in HTTPS_PROXY")
    return DownloadError(said, "give a mirror that has it with --from URL or --from DIR")


def find_mirror(text: str | None, *, timeout: float) -> Mirror:
    """The mirror at an address or in a folder; the public address where none is given."""
    if timeout <= 0:
        raise OptionError(f"a time-out of {timeout:g} s", "give seconds above 0")
    if text is None:
        return WebMirror(timeout=timeout)
    if text.startswith(("http://", "https://")):
        if not urlsplit(text).hostname:
            raise OptionError(f"{text!r} is no address", "write https://HOST/PATH")
        return WebMirror(text, timeout)
    folder = Path(text.removeprefix("file://"))
    if "://" in str(text) and not text.startswith("file://"):
        raise OptionError(f"{text!r} is neither an http address nor a folder", "give http://…, https://… or a folder")
    if not folder.is_dir():
        raise OptionError(f"{folder}: no such folder", "give a folder or an address that begins with http")
    return FolderMirror(folder)
