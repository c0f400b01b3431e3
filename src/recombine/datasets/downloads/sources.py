"""What `sources.toml` says: the files that can be downloaded, what each is made of, and what has no address."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True)
class Original:
    """One file of a public repository at one commit."""

    repository: str
    commit: str
    path: str
    licence: str
    sha256: str = ""
    bytes: int | None = None
    git_blob: str = ""
    """The id that git has for the content, where its sha256 is not known."""

    @property
    def address(self) -> str:
        """Its path below a mirror: repository, commit, path."""
        return f"{self.repository}/{self.commit}/{self.path}"

    @property
    def digest(self) -> str:
        """The digest that its content must have."""
        return self.sha256 or self.git_blob


@dataclass(frozen=True)
class Source:
    """One file of the data directory, and what it is made of."""

    file: str
    names: tuple[str, ...]
    """The data sets that it is for."""
    conversion: str
    originals: tuple[tuple[str, Original], ...]
    """Roles and originals."""
    licence: str
    result: str = ""
    """The sha256 that the file must have, unpacked; none is known where it is empty."""
    known: str = ""
    """The sha256 of a file of this name that serves as well."""
    members: tuple[str, ...] = ()
    sample: str = ""
    note: str = ""

    @property
    def licences(self) -> list[str]:
        """The licences of the originals, each once."""
        return [*dict.fromkeys(original.licence for _, original in self.originals)]

    @property
    def recipe(self) -> str:
        """A digest of all that decides the content of the file."""
        parts = (self.conversion, self.sample, *self.members)
        parts += tuple(text for role, original in self.originals for text in (role, original.digest))
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Unpinned:
    """Data without a pinned public address."""

    name: str
    file: str
    """Where it belongs in the data directory."""
    reason: str
    remedy: str
    conversion: str = ""
    """How raw files of one's own are converted; not at all where it is empty."""
    wanted: tuple[str, ...] = ()
    """Patterns of the names of raw files."""
    language: str = ""


@dataclass(frozen=True)
class Sources:
    """All that there is to download, and what there is not."""

    sources: tuple[Source, ...]
    unpinned: tuple[Unpinned, ...]

    def names(self) -> list[str]:
        """The data sets with files to download, in the order of the list."""
        return [*dict.fromkeys(name for source in self.sources for name in source.names)]

    def of(self, name: str) -> tuple[Source, ...]:
        """The files of a data set."""
        return tuple(source for source in self.sources if name in source.names)

    def resolved(self, names: Iterable[str]) -> list[str]:
        """The data sets that names stand for, each once: `spider` is all of `spider/…` that has an address."""
        pinned = self.names()
        known = [*pinned, *(each.name for each in self.unpinned)]
        found: list[str] = []
        for name in names:
            below = [name] if name in known else [each for each in pinned if each.startswith(f"{name}/")]
            if not below:
                raise UnknownNameError("data set to download", name, known)
            found += below
        return [*dict.fromkeys(found)]


_TEXTS = ("file", "conversion", "licence", "result", "known", "sample", "note")


@cache
def read_sources() -> Sources:
    """The sources that come with the package.

    >>> [source.file for source in read_sources().of("atis")]
    ['atis/atis.jsonl.gz']
    """
    return parse_sources(files("recombine.datasets").joinpath("sources.toml").read_text(encoding="utf-8"))


def parse_sources(text: str) -> Sources:
    """The sources of a text of that form."""
    record = tomllib.loads(text)
    groups = {name: [*_iter_originals(group)] for name, group in record.get("group", {}).items()}
    sources = []
    for row in record["file"]:
        originals = [*_iter_originals(row), *(each for name in row.get("groups", ()) for each in groups[name])]
        fields: dict[str, Any] = {key: row[key] for key in _TEXTS if key in row}
        fields |= {key: tuple(row.get(key, ())) for key in ("names", "members")}
        sources.append(Source(**fields, originals=tuple(originals)))
    unpinned = [Unpinned(**{**row, "wanted": tuple(row.get("wanted", ()))}) for row in record.get("unpinned", ())]
    return Sources(tuple(sources), tuple(unpinned))


def _iter_originals(row: Mapping[str, Any]) -> Iterator[tuple[str, Original]]:
    shared = {key: row[key] for key in ("repository", "commit", "licence") if key in row}
    for each in row.get("originals", ()):
        own = {key: value for key, value in each.items() if key != "role"}
        yield each.get("role", ""), Original(**{**shared, **own})
