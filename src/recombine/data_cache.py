"""The user's cache of data: Arrow columns under a content key, so that a command need not make or read them again.

It is `recombine/data` in XDG_CACHE_HOME or `~/.cache`; RECOMBINE_DATA_CACHE names another folder, or is `off`, which is
what `--no-cache` sets. A file is named after its key, which what decides the content makes, and begins with a digest of
the rest: one that is damaged is noticed and made again. It is written under another name and then renamed, so that
processes beside each other see it whole or not at all. What was used longest ago is removed first when the files are
more than RECOMBINE_DATA_CACHE_SIZE together, 2 GiB by default. A cache that cannot be written is a note and no error.

Besides the columns, it has folders under keys, for what other libraries keep in several files: made under another name
and renamed, with a list of the files and their sizes, by which one that is damaged is noticed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OutputFileError
from recombine.files import write_whole
from recombine.max_unpacked import parse_size
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyarrow as pa

VARIABLE = "RECOMBINE_DATA_CACHE"
SIZE_VARIABLE = "RECOMBINE_DATA_CACHE_SIZE"
OFF = "off"
DEFAULT_SIZE = 2 << 30
_MAGIC = b"recombine data 1"
_HEADER = 64  # columns begin at a multiple of this, as Arrow wants them
_SUFFIX = ".data.arrow"
_FOLDER = ".folder"
_LIST = "files.json"
"""The list of a folder's files and sizes, which is written last."""
_OURS = re.compile(r"[0-9a-f]{32}(\.data\.arrow|\.folder)")
_UNFINISHED = re.compile(r"\.[0-9a-f]{32}(\.data\.arrow|\.folder)\.[a-z0-9_]{8}")
_ABANDONED = 3600
"""After so many seconds, no process still writes a file."""


class StoredFile(NamedTuple):
    """A file or folder of the cache: its size, and when it was used last, in seconds since 1970."""

    path: Path
    size: int
    used: float


def cache_folder() -> Path | None:
    """The folder of the cache, which need not exist; none where the cache is switched off."""
    named = os.environ.get(VARIABLE)
    if named:
        return None if named.lower() == OFF else Path(named)
    return user_cache() / "data"


def user_cache() -> Path:
    """The folder of all that is kept between commands and may be deleted."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "recombine"


def cache_limit() -> int:
    """The most bytes that the files may have together."""
    text = os.environ.get(SIZE_VARIABLE, "")
    return parse_size(text, SIZE_VARIABLE) if text else DEFAULT_SIZE


def content_key(parts: Iterable[bytes]) -> str:
    """The key of what these parts decide, in their order.

    >>> content_key([b"a", b"bc"]) == content_key([b"ab", b"c"])
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


@lru_cache(maxsize=8)
def code_digest(rooms: tuple[str, ...], *, tables: bool = False) -> bytes:
    """A digest of the code in some rooms, or of files: where it changes, what it makes may be another.

    With `tables`, also of the files that lie beside the code, such as grammars and lists of words.

    >>> code_digest(("records",)) == code_digest(("records", "languages"))
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for room in rooms:
        place = Path(__file__).parent / room
        for path in [place] if place.is_file() else sorted(place.rglob("*" if tables else "*.py")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.digest()


def read_stored(key: str) -> pa.Table | None:
    """The columns under a key, mapped into memory; none where there are none that are whole."""
    folder = cache_folder()
    if folder is None or not (path := folder / f"{key}{_SUFFIX}").exists():
        return None
    import pyarrow as pa

    try:
        with pa.memory_map(str(path)) as mapped:
            table = _verified(mapped.read_buffer(), key)
    except FileNotFoundError:  # another process removed it just now
        return None
    except (OSError, ValueError, pa.ArrowException) as error:
        note(f"{path}: is damaged ({_one_line(error)}), so that it is not used and made again")
        return None
    with suppress(OSError):  # of a cache that is read-only, nothing is removed either
        os.utime(path)
    return table


def _verified(buffer: pa.Buffer, key: str) -> pa.Table:
    """The table in the bytes of a file; what is not as it was written is a `ValueError`."""
    import pyarrow as pa

    view = memoryview(buffer)
    if len(view) < _HEADER or bytes(view[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("it does not begin as it should")
    if bytes(view[len(_MAGIC) : _HEADER]) != _digest(key, view[_HEADER:]):
        raise ValueError("its digest is another")
    return pa.ipc.open_stream(buffer.slice(_HEADER)).read_all()


def _digest(key: str, content: memoryview) -> bytes:
    """The digest of what is under a key, as wide as the header has room for."""
    return hashlib.blake2b(content, key=key.encode(), digest_size=_HEADER - len(_MAGIC)).digest()


def store(key: str, table: pa.Table) -> None:
    """Keep columns under a key; where that cannot be, a note says so."""
    folder = cache_folder()
    if folder is None:
        return
    import pyarrow as pa

    limit = cache_limit()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content = memoryview(sink.getvalue())
    if _HEADER + len(content) > limit:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(folder, limit - _HEADER - len(content))
        write_whole(folder / f"{key}{_SUFFIX}", b"".join((_MAGIC, _digest(key, content), content)))
    except (OSError, OutputFileError) as error:
        why = f"{folder}: {error.strerror}" if isinstance(error, OSError) else getattr(error, "problem", "")
        note(f"the data is not kept for the next command ({why}); {VARIABLE} names another folder, or {OFF}")


def stored_folder(key: str, make: Callable[[Path], None]) -> Path | None:
    """The folder under a key, made where there is none that is whole; none where the cache cannot keep it.

    Other processes may make the same folder meanwhile: the first that is whole is kept.
    """
    folder = cache_folder()
    if folder is None:
        return None
    place = folder / f"{key}{_FOLDER}"
    if is_whole_folder(place):
        with suppress(OSError):
            os.utime(place)
        return place
    if place.exists():
        note(f"{place}: is damaged (a file is missing or of another size), so that it is not used and made again")
        _remove(place)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(dir=folder, prefix=f".{place.name}."))
    except OSError as error:
        note(f"the data is not kept for the next command ({folder}: {error.strerror}); {VARIABLE} names another folder")
        return None
    try:
        make(unfinished)
        return _kept_folder(unfinished, place)
    finally:
        _remove(unfinished)


def _kept_folder(unfinished: Path, place: Path) -> Path | None:
    """A folder that was made, under its name; none where it is larger than the cache may be."""
    sizes = _folder_sizes(unfinished)
    limit = cache_limit()
    if sum(sizes.values()) > limit:
        note(f"what is kept would be larger than {SIZE_VARIABLE}, so that it is made again the next time")
        return None
    _make_room(place.parent, limit - sum(sizes.values()))
    import orjson

    (unfinished / _LIST).write_bytes(orjson.dumps(sizes, option=orjson.OPT_SORT_KEYS))
    try:
        unfinished.rename(place)
    except OSError:  # another process was first
        if not is_whole_folder(place):
            raise
    return place


def drop_stored_folder(key: str) -> None:
    """Remove the folder under a key: its files are there, but do not hold what they should."""
    folder = cache_folder()
    if folder is not None:
        _remove(folder / f"{key}{_FOLDER}")


def is_whole_folder(place: Path) -> bool:
    """Whether a folder has the files that its list names, each of its size."""
    import orjson

    try:
        listed = orjson.loads((place / _LIST).read_bytes())
        return bool(listed == {name: (place / name).stat().st_size for name in listed})
    except (OSError, ValueError, TypeError):
        return False


def _folder_sizes(folder: Path) -> dict[str, int]:
    """The files below a folder with their sizes; those that its readers write to are none of the content."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("LOG", "LOCK", _LIST))
    return {str(path.relative_to(folder)): path.stat().st_size for path in files}


def _remove(path: Path) -> None:
    """Remove a file or folder; another process may have done so."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _make_room(folder: Path, limit: int) -> None:
    """Remove what was used longest ago until the rest is within the limit, and what a killed process left."""
    for each in _iter_files(folder, _UNFINISHED):
        if each.used < time.time() - _ABANDONED:
            _remove(each.path)
    files = sorted(_iter_files(folder, _OURS), key=lambda each: (-each.used, each.path.name))
    total = 0
    for each in files:
        total += each.size
        if total > limit:
            _remove(each.path)


def stored_files() -> list[StoredFile]:
    """The files of the cache by name; other files in its folder are not among them."""
    folder = cache_folder()
    return [] if folder is None else _iter_files(folder, _OURS)


def clear_cache() -> list[StoredFile]:
    """Remove the files of the cache, and give those that are gone; other files in its folder stay."""
    folder = cache_folder()
    removed = []
    for each in [] if folder is None else [*_iter_files(folder, _OURS), *_iter_files(folder, _UNFINISHED)]:
        try:
            _remove(each.path)
        except OSError as error:
            raise OutputFileError(f"{each.path}: cannot be removed ({error.strerror})", "see who owns it") from error
        removed.append(each)
    return removed


def _iter_files(folder: Path, name: re.Pattern[str]) -> list[StoredFile]:
    """The files and folders of this name in a folder; links are none of ours."""
    files = []
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if not name.fullmatch(entry.name) or entry.is_symlink() or entry.is_dir() != (_FOLDER in entry.name):
                continue
            with suppress(FileNotFoundError):  # another process removed it just now
                status = entry.stat(follow_symlinks=False)
                size = sum(_folder_sizes(Path(entry.path)).values()) if entry.is_dir() else status.st_size
                files.append(StoredFile(Path(entry.path), size, status.st_mtime))
    return sorted(files)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
