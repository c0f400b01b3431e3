"""A world: what examples are about, such as a knowledge base, a collection of scenes, or a book of facts.

A `WorldReference` says what kind of world it is, where it lies, and the digest of its content; `open` gives the world
itself, by the way that its kind has registered. A world that is missing, or that is not the one of the digest, is
refused. A world may also be at an address (`https://…`), where its kind can be reached so: its content is not to be
had, so that the digest is that of the address.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from recombine.errors import InputFileError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


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
    digests: Callable[[Path | str], Sequence[str]] = lambda place: ()  # noqa: ARG005
    """The digests that what lies at a path, or at an address, gives of itself, its own first; none where they are to be
    made of its bytes, or of the text of the address."""
    open_address: Callable[[str, str], World] | None = None
    """The world at an address, with its digest; none where worlds of this kind have no addresses."""


WORLDS: Registry[WorldKind] = Registry(
    "kind of world",
    {
        "geoquery": "recombine.kb.geoquery.geoquery_world:GEOQUERY",
        "kb": "recombine.kb.kb_world:KB",
        "scenes": "recombine.scenes.files.scenes_world:SCENES",
    },
    lazy=True,
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
        self.compare(*digests_at(self.path, self.kind))
        return self

    def compare(self, *present: str) -> None:
        """Refuse a world none of whose digests is the one that is wanted."""
        if self.sha256 not in present:
            raise InputFileError(
                f"{self.path}: the {self.kind} there has the digest {present[0][:16]}…, not {self.sha256[:16]}…",
                "give the world that the data was made for with --world",
            )

    def open(self) -> World:
        """The world, when it is the one of the digest."""
        self.check()
        kind = WORLDS.find(self.kind)
        if is_address(self.path) and kind.open_address is not None:
            return kind.open_address(self.path, self.sha256)
        return kind.open(Path(self.path), self.sha256)

    def __str__(self) -> str:
        return str(self.name)


def is_address(place: Path | str) -> bool:
    """Whether a place is an address, not a path.

    >>> is_address("https://example.org/sparql"), is_address("facts.nt")
    (True, False)
    """
    return isinstance(place, str) and _ADDRESS.match(place) is not None


def place_of(said: str, folder: Path) -> Path | str:
    """A place that a file in a folder tells of: an address, or a path from that folder.

    >>> place_of("https://example.org/sparql", Path("studies"))
    'https://example.org/sparql'
    """
    return said if is_address(said) else folder / said


def digests_at(place: Path | str, kind: str) -> tuple[str, ...]:
    """The digests of the world of a kind at a place, its own first: which of them is wanted is for the data to say."""
    path = None if is_address(place) else _existing(place)
    known = WORLDS.find(kind)
    if path is None:
        if known.open_address is None:
            raise InputFileError(f"{place}: a world of the kind {kind!r} has no address", "give the path of a file")
        _refuse_secrets(str(place))
        return tuple(known.digests(place)) or (hashlib.sha256(str(place).encode()).hexdigest(),)
    return tuple(known.digests(path)) or (world_digest(path),)


def _refuse_secrets(address: str) -> None:
    """Refuse an address with a password in it: it would be kept in files beside data, splits and results."""
    secret, at, _ = urlsplit(address).netloc.rpartition("@")
    if at:
        shown = address.replace(secret + at, "", 1)
        raise InputFileError(f"{shown}: is given with a user name, which files would keep", "leave that out")


def _existing(place: Path | str) -> Path:
    path = Path(place)
    if not path.exists():
        raise InputFileError(f"{place}: there is no such world", "name the file or folder with --world PATH")
    return path


def world_digest(path: Path | str) -> str:
    """The SHA-256 of a file, of what it unpacks to where it is gzipped, or of the names and contents in a folder."""
    path = _existing(path)
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


def make_reference(place: Path | str, kind: str | None = None, *, wanted: str | None = None) -> WorldReference:
    """The reference of what lies at a place; without a kind, the one kind that recognises it.

    Where the world is known by several digests, it is referred to by the one that is wanted.
    """
    if kind is None:
        kind = _recognised_kind(place)
    digests = digests_at(place, kind)
    return WorldReference(kind, str(place), wanted if wanted in digests else digests[0])


def _recognised_kind(place: Path | str) -> str:
    """The one kind of world that recognises what lies at a place."""
    if is_address(place):
        kinds = [name for name, each in WORLDS.items() if each.open_address is not None]
    else:
        path = _existing(place)
        kinds = [name for name, each in WORLDS.items() if each.recognises(path)]
    if len(kinds) != 1:
        listed = " and ".join(kinds) or f"none of {', '.join(WORLDS) or 'the kinds (there are none)'}"
        raise InputFileError(
            f"{place}: recognised by {listed}, so the kind of world is not clear",
            'name it in the data\'s FILE.meta.json: {"world": {"kind": …, "path": …}}',
        )
    return kinds[0]


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
