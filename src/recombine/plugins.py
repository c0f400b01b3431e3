"""Lists that others can add to, and the modules that do: plug-ins.

A `Registry` is a list of things by name: languages, split methods, data sets, generators, structures, measures,
matchers, models, worlds. Things of the package are in it from the start, some as `module:attribute`, imported when they
are asked for. A plug-in is a module that registers more of them when it is imported. It is named by `--plugin` or in a
study file, as a module or as a Python file, or is installed with an entry point in the group `recombine`; those are
imported when a name is asked for that is not known, or when all names are.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from recombine.errors import InputFileError, OptionError, RecombineError, UnknownNameError

GROUP = "recombine"
"""The group of entry points."""
T = TypeVar("T")


@dataclass(frozen=True)
class Plugin:
    """A module that was loaded as a plug-in."""

    name: str
    """As it was named: a module, or the path of a file."""
    identity: str
    """Its version, or else a digest of its file: what results depend on."""


LOADED: dict[str, Plugin] = {}
"""The plug-ins of this process, by the names that they were loaded under."""
_LOADING: list[str] = []
_INSTALLED: list[bool] = []


class Registry(Mapping[str, T], Generic[T]):
    """Things of one kind by name.

    >>> colours = Registry("colour", {"red": 1})
    >>> colours.register("blue", 2)
    2
    >>> list(colours), colours["blue"]
    (['red', 'blue'], 2)
    >>> colours.find("bleu")
    Traceback (most recent call last):
    recombine.errors.UnknownNameError: unknown colour 'bleu'; did you mean 'blue'? known: blue, red
    """

    def __init__(self, kind: str, packaged: Mapping[str, T | str] | None = None, *, lazy: bool = False) -> None:
        self.kind, self._lazy = kind, lazy
        self._things: dict[str, T | str] = dict(packaged or {})
        self._origins: dict[str, str] = {}

    def register(self, name: str, thing: T) -> T:
        """Add a thing; a name that the package or another plug-in has is refused."""
        origin = _LOADING[-1] if _LOADING else ""
        if name in self._things and (not origin or self._origins.get(name, "") != origin):
            owner = self._origins.get(name) or "the package"
            raise OptionError(f"there is a {self.kind} {name!r} already, of {owner}", "give it another name")
        if not name or not isinstance(name, str):
            raise OptionError(f"the name of a {self.kind} is {name!r}", "give a text that is not empty")
        self._things[name] = thing
        self._origins[name] = origin
        return thing

    def find(self, name: str) -> T:
        """The thing of a name."""
        if name not in self._things:
            load_installed()
        if name not in self._things:
            raise UnknownNameError(self.kind, name, self._things)
        thing = self._things[name]
        if self._lazy and isinstance(thing, str):
            module, _, attribute = thing.partition(":")
            thing = self._things[name] = cast("T", getattr(importlib.import_module(module), attribute))
        return cast("T", thing)

    def origin(self, name: str) -> str:
        """The plug-in that a name is from; empty where it is of the package."""
        return self._origins.get(name, "")

    def forget(self, origin: str) -> None:
        """Remove what a plug-in registered."""
        for name in [name for name, given in self._origins.items() if given == origin]:
            del self._things[name], self._origins[name]

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise KeyError(name)
        return self.find(name)

    def __contains__(self, name: object) -> bool:
        if name not in self._things:
            load_installed()
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        load_installed()
        return iter(list(self._things))

    def __len__(self) -> int:
        load_installed()
        return len(self._things)


def load_plugin(name: str) -> Plugin:
    """Import a plug-in by module or by the path of its file; one that is loaded already is left as it is."""
    if name in LOADED:
        return LOADED[name]
    with _loading(name):
        module = _import_file(Path(name)) if name.endswith(".py") else _import_module(name)
    LOADED[name] = Plugin(name, _identity(module))
    return LOADED[name]


def load_installed() -> None:
    """Import the plug-ins that are installed, once."""
    if _INSTALLED:
        return
    _INSTALLED.append(True)
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        load_plugin(point.value.partition(":")[0])


@contextmanager
def _loading(name: str) -> Iterator[None]:
    _LOADING.append(name)
    try:
        yield
    except RecombineError as error:
        raise OptionError(f"the plug-in {name}: {error.problem}", error.remedy) from error
    except Exception as error:
        raise OptionError(f"the plug-in {name} fails: {type(error).__name__}: {error}", "mend it") from error
    finally:
        _LOADING.pop()


def _import_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0] and error.name != name:
            raise
        raise OptionError(f"there is no module {name!r}", "install it, or name its file: FILE.py") from None


def _import_file(path: Path) -> Any:
    if not path.is_file():
        raise InputFileError(f"{path}: no such file", "name a Python file, or a module")
    name = f"recombine_plugin_{path.stem}_{hashlib.blake2b(str(path.resolve()).encode(), digest_size=4).hexdigest()}"
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None and specification.loader is not None  # noqa: S101, PT018  # it ends in .py
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # data classes of the module look it up
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _identity(module: Any) -> str:
    version = getattr(module, "__version__", None)
    if isinstance(version, str) and version:
        return f"version {version}"
    file = getattr(module, "__file__", None)
    content = Path(file).read_bytes() if file else repr(module).encode()
    return f"digest {hashlib.blake2b(content, digest_size=8).hexdigest()}"
