"""Compiled kernels on disk: a folder for each source file, in which numba's own cache keeps what it compiled.

numba keeps a kernel beside the file that the kernel's code says it is from. Here that is a copy of the source file, in
a folder named by a digest of all that the compiled code rests on: the file, the tuples that its kernels take, and the
versions of numba and Python; numba itself sees to it that the processor fits. The same package in another place finds
the same folder, and a changed file another one.

numba does not notice that a file is damaged, and would run it. A list beside the copy holds the digest of each; what is
not as listed is removed before numba sees it, and compiled anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numba

from recombine.kernels.kernel_folder import kernel_folder
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Callable

FORM = 1
"""Rises when the form of a folder changes."""
_COPIED = 1_000_000_000
"""The time of every copy: numba takes another one for another file."""


def store_of(function: Callable[..., Any]) -> KernelStore:
    """The store of the file that a function is from; an `OSError` where there can be none."""
    return _store(Path(function.__code__.co_filename), kernel_folder(), tuple(_made_from(function)))


@lru_cache(maxsize=256)
def _store(source: Path, folder: Path, made_from: tuple[str, ...]) -> KernelStore:
    return KernelStore(source, folder, made_from)


class KernelStore:
    """The kernels of one source file."""

    def __init__(self, source: Path, folder: Path, made_from: tuple[str, ...]) -> None:
        content = source.read_bytes()
        digest = hashlib.sha256(repr((FORM, content, made_from)).encode()).hexdigest()[:24]
        self.folder = folder / f"{source.stem}-{digest}"
        self.copy = self.folder / source.name
        self.files: Path | None = None
        """Where numba's files are, once they are checked."""
        self._list = self.folder / "digests.json"
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (self.copy.is_file() and self.copy.read_bytes() == content and self.copy.stat().st_mtime == _COPIED):
            _write(self.copy, content)

    def placed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, from now on as if it were from the copy."""
        function.__code__ = function.__code__.replace(co_filename=str(self.copy))
        return function

    def check(self, files: str) -> None:
        """Remove what is not as it was listed; what lies where the folder's name says that it is ours, that is."""
        if self.files is not None or self.folder.name not in files:
            return
        with self.lock():
            listed = self._read_list()
            sound = {name: digest for name, digest in listed["files"].items() if _digest(Path(files, name)) == digest}
            for path in Path(files).iterdir():
                if path.name not in sound:
                    if path.name in listed["files"]:
                        note(f"{path}: is damaged, and is made anew")
                    path.unlink(missing_ok=True)
            if sound != listed["files"]:
                self._write_list({"files": sound, "kernels": []})
        self.files = Path(files)

    def holds(self, function: Callable[..., Any], types: tuple[Any, ...]) -> bool:
        """Whether a kernel is on disk for arguments of some types, as far as can be seen."""
        return self.files is None or _called(function, types) in self._read_list()["kernels"]

    def write(self, function: Callable[..., Any], types: tuple[Any, ...]) -> Writing | None:
        """Lock the folder while numba writes a kernel; None where nothing is to be listed."""
        return None if self.files is None else Writing(self, _called(function, types))

    def lock(self) -> IO[bytes]:
        """A file that is locked until it is closed; where files cannot be locked, a file."""
        stream = (self.folder / "lock").open("ab")
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX)
        return stream

    def stamps(self) -> dict[str, tuple[int, ...]]:
        """What tells that a file was written anew."""
        files = [path for path in (self.files or self.folder).iterdir() if path.suffix in (".nbi", ".nbc")]
        states = {path.name: path.stat() for path in files}
        return {name: (state.st_ino, state.st_mtime_ns, state.st_size) for name, state in states.items()}

    def add(self, kernel: str, names: set[str]) -> None:
        """List files that numba wrote."""
        listed = self._read_list()
        listed["files"].update({name: _digest(self.files / name) for name in names if self.files})
        listed["kernels"] = sorted({*listed["kernels"], kernel})
        self._write_list(listed)

    def _read_list(self) -> dict[str, Any]:
        try:
            listed = json.loads(self._list.read_bytes())
            return {"files": dict(listed["files"]), "kernels": list(listed["kernels"])}
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, KeyError):
            note(f"{self._list}: is damaged, and is made anew")
        return {"files": {}, "kernels": []}

    def _write_list(self, listed: dict[str, Any]) -> None:
        _write(self._list, json.dumps(listed, indent=1, sort_keys=True).encode())


class Writing:
    """The time in which numba writes a kernel."""

    def __init__(self, store: KernelStore, kernel: str) -> None:
        self._store = store
        self._kernel = kernel
        self._lock = store.lock()
        self._before = store.stamps()

    def finish(self) -> None:
        """List what was written."""
        with self._lock:
            written = self._store.stamps().items() - self._before.items()
            if written:
                self._store.add(self._kernel, {name for name, _ in written})


def _made_from(function: Callable[..., Any]) -> list[str]:
    """What the kernels of a file rest on beside the file: how it is imported, its tuples, versions, settings."""
    config: Any = numba.config
    tuples = [each for each in function.__globals__.values() if isinstance(each, type) and issubclass(each, tuple)]
    return [
        function.__module__,
        *sorted(f"{each.__module__}.{each.__qualname__}{getattr(each, '_fields', ())}" for each in tuples),
        *(numba.__version__, sys.implementation.cache_tag or ""),
        *map(str, (config.OPT, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT)),
    ]


def _called(function: Callable[..., Any], types: tuple[Any, ...]) -> str:
    return f"{function.__qualname__} {hashlib.sha256(repr(types).encode()).hexdigest()[:24]}"


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""


def _write(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole and with the time of every copy, or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.utime(name, (_COPIED, _COPIED))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
