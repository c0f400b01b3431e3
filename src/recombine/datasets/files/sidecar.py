"""What stands beside a data file: `data.jsonl.meta.json` says which fields are context, which of them tell examples
apart, and which world the data is about.

    {"context": ["scene"], "identity": ["scene"], "world": {"kind": "scenes", "path": "scenes.json", "sha256": "…"}}

Each key may be left out; `made` is an object that says how data was generated, for people. A path is relative to the
sidecar, or an address (`https://…`); `--world` gives another place. Where there is a sha256, a world of other content
is refused. Without a kind, the world is of the one kind that recognises it. Without a path, a world that was published
is found in the data directory by its sha256.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, OutputFileError, UnknownNameError
from recombine.files import read_bytes
from recombine.records.world import WORLDS, WorldReference, is_address, make_reference, place_of, world_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.world import World, WorldName

SUFFIX = ".meta.json"
KEYS = ("context", "identity", "world", "made")
WORLD_KEYS = ("kind", "path", "sha256")


@dataclass(frozen=True)
class Sidecar:
    """What a sidecar says; the path of a world is not resolved."""

    context: tuple[str, ...] = ()
    identity: tuple[str, ...] = ()
    world: dict[str, str] | None = None
    file: Path | None = None
    """The file itself; none where there is none."""

    def world_of(self, given: Path | str | World | WorldReference | None) -> World | WorldReference | None:
        """The world of the data, which must lie there; `given` is used in place of the path that the sidecar says."""
        said = self.world or {}
        if given is None and self.world is None:
            return None
        if given is None or isinstance(given, str | Path):
            named = str(self._place(said) if given is None else given)
            given = make_reference(named, said.get("kind"), wanted=said.get("sha256"))
        name = world_name(given)
        if "sha256" in said:
            place = given.path if isinstance(given, WorldReference) else f"a world for {self.file}"
            WorldReference(said.get("kind", name.kind), place, said["sha256"]).compare(name.sha256)
        return given

    def _place(self, said: dict[str, str]) -> Path | str:
        """Where the world lies by what is said of it."""
        if self.file is not None and "path" in said:
            return place_of(said["path"], self.file.parent)
        place = _published_place(said["kind"], said.get("sha256", "")) if "kind" in said else None
        if place is None:
            raise InputFileError(f"{self.file}: says no path of its world", "give it with --world PATH")
        return place


def _published_place(kind: str, sha256: str) -> Path | None:
    return WORLDS.find(kind).find(sha256)


def sidecar_path(path: Path | str) -> Path:
    """Where the sidecar of a data file lies.

    >>> sidecar_path("mine/data.jsonl").as_posix()
    'mine/data.jsonl.meta.json'
    """
    path = Path(path)
    return path.with_name(path.name + SUFFIX)


def read_sidecar(path: Path | str) -> Sidecar:
    """What the sidecar of a data file says; nothing where there is none."""
    file = sidecar_path(path)
    if not file.exists():
        return Sidecar()
    record = _object(file)
    _known_keys(file, record, KEYS)
    context, identity = (_names(file, record, key) for key in KEYS[:2])
    for name in identity:
        if name not in context:
            raise InputFileError(
                f"{file}: the identity names {name!r}, which is not among the context", "name it there too"
            )
    if not isinstance(record.get("made", {}), dict):
        raise InputFileError(f"{file}: the key 'made' is not a JSON object", "write it as {…}")
    return Sidecar(context, identity, _world(file, record), file)


def check_sidecar_writable(path: Path | str) -> None:
    """Refuse to write beside a data file where what has the sidecar's name is not one: it is of another program."""
    try:
        read_sidecar(path)
    except InputFileError as error:
        raise OutputFileError(
            f"{path}: the name of its sidecar is taken ({error.problem})", "move that file, or write to another name"
        ) from error


def _object(file: Path) -> dict[str, Any]:
    try:
        record = orjson.loads(read_bytes(file))
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputFileError(f"{file}: broken JSON ({where}: {error.msg})", "mend it") from None
    if not isinstance(record, dict):
        raise InputFileError(f"{file}: is not a JSON object", f"write {{…}} with the keys {', '.join(KEYS)}")
    return record


def _known_keys(file: Path, record: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in record:
        if key not in known:
            unknown = UnknownNameError("key", key, known)
            raise InputFileError(f"{file}: {unknown.problem}", unknown.remedy)


def _names(file: Path, record: dict[str, Any], key: str) -> tuple[str, ...]:
    names = record.get(key, [])
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise InputFileError(f"{file}: the key {key!r} is not a list of fields", 'write it as ["field", …]')
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputFileError(f"{file}: {key} names the field {repeated!r} twice", "name it once")
    return tuple(names)


def _world(file: Path, record: dict[str, Any]) -> dict[str, str] | None:
    world = record.get("world")
    if world is None:
        return None
    if not isinstance(world, dict):
        raise InputFileError(f"{file}: the world is not a JSON object", f"write it as {{{', '.join(WORLD_KEYS)}}}")
    _known_keys(file, world, WORLD_KEYS)
    for key, value in world.items():
        if not isinstance(value, str) or not value:
            raise InputFileError(f"{file}: the {key} of the world is not text", "write it as a string")
    if "path" not in world and "sha256" not in world:
        raise InputFileError(f"{file}: the world has neither a path nor a sha256", "say which world it is")
    return world


def sidecar_bytes(
    path: Path | str,
    context: tuple[str, ...],
    identity: tuple[str, ...],
    world: World | WorldReference | None,
    made: Mapping[str, Any] | None = None,
) -> bytes | None:
    """The sidecar to write beside a data file; none where there is nothing to say. `made` is how data was generated."""
    if not (context or identity or made or world is not None):
        return None
    record: dict[str, Any] = {"context": context, "identity": identity}
    if world is not None:
        record["world"] = _world_record(world, Path(path).parent, world_name(world))
    if made:
        record["made"] = made
    return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"


def _world_record(world: World | WorldReference, folder: Path, name: WorldName) -> dict[str, str]:
    if not isinstance(world, WorldReference):  # it was made in Python, and lies nowhere
        return name._asdict()
    if is_address(world.path):
        return {"kind": name.kind, "path": world.path, "sha256": name.sha256}
    published = _published_place(name.kind, name.sha256)
    if published is not None and published.resolve() == Path(world.path).resolve():
        return name._asdict()  # where the data directory is differs from machine to machine
    place = Path(os.path.relpath(Path(world.path).resolve(), folder.resolve())).as_posix()
    return {"kind": name.kind, "path": place, "sha256": name.sha256}
