"""A world: what examples are about, such as a knowledge base, a collection of scenes, or a book of facts.

A `WorldReference` says what kind of world it is, where it lies, and the digest of its content; `open` gives the world
itself, by the way that its kind has registered. A world that is missing, or that is not the one of the digest, is
refused.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from recombine.errors import InputFileError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable


class World(Protocol):
    """What parsers and matchers may ask; besides this, each kind has ways of its own."""

    @property
    def kind(self) -> str:
        """The name of its kind."""

    @property
    def digest(self) -> str:
        """The SHA-256 of its content."""


@dataclass(frozen=True)
class WorldKind:
    """How worlds of a kind are recognised and opened."""

    name: str
    open: Callable[[Path, str], World]
    """The world at a path, with its digest."""
    recognises: Callable[[Path], bool] = lambda path: False  # noqa: ARG005
    """Whether what lies at a path is of this kind, where nothing else says so."""
    find: Callable[[str], Path | None] = lambda digest: None  # noqa: ARG005
    """Where the world of a digest lies, where no path says so: one that was published, in the data directory."""


WORLDS: Registry[WorldKind] = Registry(
    "kind of world", {"geoquery": "recombine.kb.geoquery.geoquery_world:GEOQUERY"}, lazy=True
)
"""The kinds of worlds by name."""


def register_world(kind: WorldKind) -> WorldKind:
    """Add a kind of world to those that data can name."""
    return WORLDS.register(kind.name, kind)


class WorldName(NamedTuple):
    """Which world it is, wherever it lies.

    >>> print(WorldName("toy", "3fa2c0" * 10))
    toy@3fa2c03fa2c03fa2
    """

    kind: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.kind}@{self.sha256[:16]}"


@dataclass(frozen=True)
class WorldReference:
    """Which world it is and where it lies; what travels to other processes in its place."""

    kind: str
    path: str
    sha256: str

    @property
    def name(self) -> WorldName:
        """Which world it is."""
        return WorldName(self.kind, self.sha256)

    def check(self) -> WorldReference:
        """The reference itself, when the world lies there and is the one of the digest."""
        self.compare(world_digest(self.path))
        return self

    def compare(self, present: str) -> None:
        """Refuse a world whose digest is another."""
        if present != self.sha256:
            raise InputFileError(
                f"{self.path}: the {self.kind} there has the digest {present[:16]}…, not {self.sha256[:16]}…",
                "give the world that the data was made for with --world",
            )

    def open(self) -> World:
        """The world, when it is the one of the digest."""
        self.check()
        return WORLDS.find(self.kind).open(Path(self.path), self.sha256)

    def __str__(self) -> str:
        return str(self.name)


def world_digest(path: Path | str) -> str:
    """The SHA-256 of a file, of what it unpacks to where it is gzipped, or of the names and contents in a folder."""
    path = Path(path)
    if not path.exists():
        raise InputFileError(f"{path}: there is no such world", "name the file or folder with --world PATH")
    if path.is_file():
        return _file_digest(path)
    digest = hashlib.sha256()
    for file in sorted(each for each in path.rglob("*") if each.is_file()):
        digest.update(f"{file.relative_to(path).as_posix()}\0{_file_digest(file)}\n".encode())
    return digest.hexdigest()


def _file_digest(path: Path) -> str:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputFileError(f"{path}: not a whole gzip file ({error})", "copy it again") from error
    except OSError as error:
        raise InputFileError(f"{path}: cannot be read ({error.strerror})", "check the file") from error


def make_reference(path: Path | str, kind: str | None = None) -> WorldReference:
    """The reference of what lies at a path; without a kind, the one kind that recognises it."""
    digest = world_digest(path)
    if kind is None:
        kinds: list[str] = [name for name, each in WORLDS.items() if each.recognises(Path(path))]
        if len(kinds) != 1:
            listed = " and ".join(kinds) or f"none of {', '.join(WORLDS) or 'the kinds (there are none)'}"
            raise InputFileError(
                f"{path}: recognised by {listed}, so the kind of world is not clear",
                'name it in the data\'s FILE.meta.json: {"world": {"kind": …, "path": …}}',
            )
        kind = kinds[0]
    WORLDS.find(kind)
    return WorldReference(kind, str(path), digest)


def world_name(world: World | WorldReference) -> WorldName:
    """Which world it is that is at hand or referred to."""
    return world.name if isinstance(world, WorldReference) else WorldName(world.kind, world.digest)


def opened(world: Any) -> World | None:
    """A world from its reference, or as it is."""
    return world.open() if isinstance(world, WorldReference) else world


def world_text(world: World | WorldReference | None) -> str:
    """What a signature says of a world, `kind@digest`; empty where there is none.

    >>> world_text(WorldReference("facts", "facts.json", "0123456789abcdef" * 4))
    'facts@0123456789abcdef'
    """
    if world is None or isinstance(world, WorldReference):
        return "" if world is None else str(world)
    return f"{world.kind}@{world.digest[:16]}"
