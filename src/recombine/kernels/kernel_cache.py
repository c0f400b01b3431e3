"""Compiled kernels on disk, one file each, found by what they were made from.

A file's name holds a digest of the kernel's source file, its argument types, the processor, and the versions of numba
and Python: the same package in another place finds the same file, and nothing else can. numba's own cache goes by the
path of the source file; it also has an index that two processes can spoil for each other, and runs damaged code. Here a
file is written whole under its final name, and begins with a digest of the rest.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.types.containers import BaseNamedTuple

from recombine.kernels.kernel_folder import VARIABLE, kernel_folder
from recombine.progress import note, stage

if TYPE_CHECKING:
    from collections.abc import Callable

FORM = 1
"""Rises when the form of the files changes."""
_DIGEST = hashlib.sha256().digest_size
_SAID: set[str] = set()


class KernelCache(NullCache):  # type: ignore[misc]
    """The compiled forms of one function; a dispatcher asks it before it compiles, and hands over what it compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.compiled: list[str] = []
        """The files of what was not there and had to be compiled."""

    @property
    def cache_path(self) -> str:
        """Where the files lie."""
        return str(_folder())

    def path(self, signature: tuple[Any, ...], codegen: Any) -> Path:
        """The file of the kernel for arguments of some types."""
        made_from = (
            *(FORM, _source_digest(self.function.__code__.co_filename), self.function.__qualname__),
            *([_described(each) for each in signature], codegen.magic_tuple()),
            *(config.OPT, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT),
        )
        digest = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        module = self.function.__module__.rpartition(".")[2]
        return _folder() / f"{module}.{self.function.__qualname__}-{digest}.kernel"

    def load_overload(self, sig: tuple[Any, ...], target_context: Any) -> Any:
        """The compiled kernel, or None where there is none that is sound."""
        target_context.refresh()
        try:
            path = self.path(sig, target_context.codegen())
            content = path.read_bytes()
        except FileNotFoundError:
            content = None
        except (OSError, RuntimeError) as error:
            _say("read", f"compiled kernels cannot be read ({_reason(error)}): they are compiled again")
            content = None
        if content is not None:
            try:
                return _unpacked(content, target_context)
            except Exception:  # whatever a damaged file leads to, the kernel is made anew
                _say(path.name, f"{path}: is damaged, and is made anew")
        say_compiling(self.function.__name__)
        return None

    def save_overload(self, sig: tuple[Any, ...], data: Any) -> None:
        """Keep a kernel that was compiled; where that fails it is said, and the work goes on."""
        try:
            path = self.path(sig, data.codegen)
            self.compiled.append(path.name)
            if data.library.has_dynamic_globals or any(not each.can_cache for each in data.lifted):
                return
            content = dumps(data._reduce())
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_whole(path, hashlib.sha256(content).digest() + content)
        except (OSError, RuntimeError) as error:
            remedy = f"set {VARIABLE} to a folder that can be written"
            _say("write", f"compiled kernels cannot be kept ({_reason(error)}), and are compiled each time; {remedy}")


def _unpacked(content: bytes, target_context: Any) -> Any:
    """The kernel in a file, whose digest has to fit: damaged machine code would end the process."""
    if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        raise ValueError("the digest does not fit")
    # numba has no other form for a compiled function than a pickle; the folder is the user's own.
    return CompileResult._rebuild(target_context, *pickle.loads(content[_DIGEST:]))  # noqa: S301


def _write_whole(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _folder() -> Path:
    """The folder for these versions."""
    python = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    return kernel_folder() / f"numba-{numba.__version__}-{python}-{platform.machine()}"


def _described(kind: Any) -> str:
    """A type of numba's with all that compiled code rests on; a named tuple's own name does not say its fields."""
    if isinstance(kind, BaseNamedTuple):
        inner = ", ".join(f"{name}: {_described(each)}" for name, each in zip(kind.fields, kind.types, strict=True))
        return f"{kind.instance_class.__module__}.{kind.instance_class.__qualname__}({inner})"
    return repr(kind)


@lru_cache(maxsize=256)
def _source_digest(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _reason(error: Exception) -> str:
    where = getattr(error, "filename", None)
    return (f"{where}: " if where else "") + str(getattr(error, "strerror", None) or error)


def say_compiling(what: str) -> None:
    """Say that kernels are compiled, once in a process: a line at the command line, and nothing from Python."""
    _say("compiling", f"compiling {what} and what else this command uses; this happens once on a machine")


def _say(what: str, message: str) -> None:
    """Say something once in a process."""
    if what not in _SAID:
        _SAID.add(what)
        (stage if what == "compiling" else note)(message)
