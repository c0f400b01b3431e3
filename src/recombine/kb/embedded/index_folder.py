"""The folder of an embedded index: one file an array, and `kb.json`, which says what they are.

`kb.json` holds the version of the form, the profile, the digest of the facts, counts, and of every file its type,
length and check sum. Opening compares the lengths, and the check sums where the files are small enough for that to be
quick; `verify` compares them all.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import KnowledgeBaseError
from recombine.kb.embedded.whole_folder import LOCK
from recombine.kb.profiles.profile import Profile
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

FORM = 1
"""Rises when the form of the folder changes."""
KIND = "recombine embedded knowledge base"
DESCRIPTION = "kb.json"
TYPES: Mapping[str, str] = {
    "terms": "|u1",
    "term_starts": "<i8",
    "forward_starts": "<i8",
    "forward_edges": "<i8",
    "backward_starts": "<i8",
    "backward_edges": "<i8",
    "relations": "<i4",
    "relation_counts": "<i8",
    "literal_families": "|i1",
    "literal_ranks": "<i4",
    "literal_order": "<i4",
    "literal_values": "<i8",
}
"""The arrays of an index with the types of their numbers."""
CHECKED_AT_OPENING = 256 << 20
"""Bytes of files up to which opening compares check sums: a tenth of a second."""
_PIECE = 1 << 22


class IndexFolder:
    """An index on disk: its description, and its arrays, mapped into memory when they are asked for."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.description = _read_description(self.path)
        self._check_lengths()
        if self.size <= CHECKED_AT_OPENING:
            self.verify()

    @property
    def size(self) -> int:
        """The bytes of all arrays."""
        return sum(_bytes(name, about) for name, about in self.description["files"].items())

    @property
    def profile(self) -> Profile:
        """The profile that the index was built under."""
        fields: dict[str, Any] = self.description["profile"]
        given: dict[str, Any] = {key: tuple(it) if isinstance(it, list) else it for key, it in fields.items()}
        return Profile(**given)

    def array(self, name: str) -> npt.NDArray[Any]:
        """One of the arrays, which cannot be written."""
        if not self.description["files"][name]["length"]:
            empty = np.empty(0, TYPES[name])
            empty.flags.writeable = False
            return empty
        try:
            return np.memmap(self._file(name), TYPES[name], "r").view(np.ndarray)
        except OSError as error:
            raise self.damaged(f"{name}.bin cannot be read ({error.strerror})") from error

    def verify(self) -> None:
        """Compare every file with its check sum."""
        with bar("checking the index") as update:
            done = 0
            for name, about in self.description["files"].items():
                check_sum = 0
                for piece in _iter_pieces(self._file(name)):
                    done, check_sum = done + len(piece), zlib.crc32(piece, check_sum)
                    if update is not None:
                        update(done, self.size, "")
                if check_sum != about["crc32"]:
                    raise self.damaged(f"{name}.bin is not what was written")

    def damaged(self, what: str) -> KnowledgeBaseError:
        """What to raise where something is not as it should be."""
        return KnowledgeBaseError(
            f"{self.path}: the index is damaged: {what}", "build it again with recombine kb build"
        )

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.bin"

    def _check_lengths(self) -> None:
        for name, about in self.description["files"].items():
            try:
                size = self._file(name).stat().st_size
            except OSError:
                raise self.damaged(f"{name}.bin is missing") from None
            if size != _bytes(name, about):
                raise self.damaged(f"{name}.bin has {size:,} bytes and should have {_bytes(name, about):,}")


def write_array(folder: Path, name: str, array: npt.NDArray[Any]) -> dict[str, Any]:
    """Write an array, and give what the description says of it."""
    content = np.ascontiguousarray(array, TYPES[name]).view(np.uint8).data
    with (folder / f"{name}.bin").open("wb") as stream:
        stream.write(content)
    return {"length": len(array), "crc32": zlib.crc32(content)}


def write_description(folder: Path, profile: Profile, said: Mapping[str, Any]) -> None:
    """Write `kb.json`, last of all."""
    kept = {**asdict(profile), "prefixes": dict(profile.prefixes)}
    description = {"kind": KIND, "form": FORM, **said, "profile": kept}
    content = json.dumps({**description, "crc32": _own_check_sum(description)}, indent=1, ensure_ascii=False)
    (folder / DESCRIPTION).write_text(content + "\n", encoding="utf-8")


def check_replaceable(path: Path) -> None:
    """Raise where something is at a path that no index may replace: all but an index and an empty folder."""
    if not path.exists() and not path.is_symlink():
        return
    remedy = "choose another place, or remove it first"
    if path.is_symlink() or not path.is_dir():
        raise KnowledgeBaseError(f"{path}: is there already and is no folder of an index", remedy)
    names = {each.name for each in path.iterdir()}
    others = sorted(names - {DESCRIPTION, LOCK, *(f"{name}.bin" for name in TYPES)})
    if others or (names and not _is_ours(path)):
        what = f"holds {others[0]}, which" if others else "holds files that"
        raise KnowledgeBaseError(f"{path}: {what} recombine kb build did not make", remedy)


def is_index(path: Path | str) -> bool:
    """Whether a path is a folder that `recombine kb build` made, of whatever version."""
    return _is_ours(Path(path))


def _is_ours(path: Path) -> bool:
    try:
        with (path / DESCRIPTION).open("rb") as stream:
            return KIND.encode() in stream.read(200)
    except OSError:
        return False


def _read_description(path: Path) -> dict[str, Any]:
    file = path / DESCRIPTION
    if not path.exists():
        raise KnowledgeBaseError(f"{path}: no such folder", "build an index with recombine kb build FILE -o FOLDER")
    remedy = "build an index with recombine kb build FILE -o FOLDER"
    try:
        content = json.loads(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise KnowledgeBaseError(f"{path}: is no index of a knowledge base (no {DESCRIPTION})", remedy) from None
    except OSError as error:
        raise KnowledgeBaseError(f"{file}: cannot be read ({error.strerror})", "check its permissions") from error
    except ValueError as error:
        raise KnowledgeBaseError(f"{file}: is damaged ({error})", "build the index again") from error
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise KnowledgeBaseError(f"{path}: is no index of a knowledge base ({DESCRIPTION} is of another kind)", remedy)
    if content.get("form") != FORM:
        raise KnowledgeBaseError(
            f"{path}: an index of form {content.get('form')}, and this version reads form {FORM}",
            "build it again with recombine kb build",
        )
    check_sum = content.pop("crc32", None)
    if check_sum != _own_check_sum(content):
        raise KnowledgeBaseError(f"{file}: is damaged (its check sum is another)", "build the index again")
    return content


def _own_check_sum(description: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(description, sort_keys=True).encode())


def _bytes(name: str, about: Mapping[str, int]) -> int:
    return about["length"] * np.dtype(TYPES[name]).itemsize


def _iter_pieces(path: Path) -> Iterator[bytes]:
    """The content of a file; read, not mapped, so that it does not stay in memory."""
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            yield piece
