"""Lists that others can add to, and the modules that do: plug-ins.

A `Registry` is a list of things by name: languages, split methods, data sets, generators, structures, measures,
matchers, models, worlds. Things of the package are in it from the start, some as `module:attribute`, imported when they
are asked for; `register` is for others alone. A thing may be a family whose members have names such as `sql:postgres`;
they are found by name and are not in the list. A plug-in is a module that registers more of them when it is imported.
It is named by `--plugin` or in a study file, as a module or as a Python file, or is installed with an entry point in
the group `recombine`; those are imported when a name is asked for that is not known, or when all names are.
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
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from recombine.errors import InputFileError, OptionError, RecombineError, UnknownNameError
from recombine.progress import note

if TYPE_CHECKING:
    from types import ModuleType

GROUP = "recombine"
"""The group of entry points."""
T = TypeVar("T")


@dataclass(frozen=True)
class Plugin:
    """A module that was loaded as a plug-in."""

    name: str
    """The module, or the name of the file: what lists and keys call it."""
    identity: str
    """What results depend on: the version of an installed module, else a digest of its files."""
    place: str
    """What loads it again, in another process too: the module, or the whole path of the file."""


LOADED: dict[str, Plugin] = {}
"""The plug-ins of this process, by their places."""
_REGISTRIES: list[Registry[Any]] = []
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

    def __init__(
        self,
        kind: str,
        packaged: Mapping[str, T | str] | None = None,
        *,
        lazy: bool = False,
        families: Mapping[str, str] | None = None,
    ) -> None:
        self.kind, self._lazy, self._families = kind, lazy, families or {}
        self._things: dict[str, T | str] = dict(packaged or {})
        self._origins: dict[str, str] = {}
        _REGISTRIES.append(self)

    def register(self, name: str, thing: T) -> T:
        """Add a thing; a name that the package or another plug-in has is refused, one's own is replaced."""
        origin = _LOADING[-1] if _LOADING else _calling_package()
        if name in self._things and self._origins.get(name) != origin:
            owner = Path(self._origins.get(name) or "the package").name
            raise OptionError(f"there is a {self.kind} {name!r} already, of {owner}", "give it another name")
        if not name or not isinstance(name, str):
            raise OptionError(f"the name of a {self.kind} is {name!r}", "give a text that is not empty")
        self._things[name] = thing
        self._origins[name] = origin
        return thing

    def find(self, name: str) -> T:
        """The thing of a name, also `FAMILY:MEMBER` of one that has members."""
        family, colon, member = name.partition(":")
        if colon and name not in self._things and family in self._families:
            return cast("T", _imported(self._families[family])(member))
        if name not in self._things:
            load_installed()
        if name not in self._things:
            raise UnknownNameError(self.kind, name, self._things)
        thing = self._things[name]
        if self._lazy and isinstance(thing, str):
            thing = self._things[name] = cast("T", _imported(thing))
        return cast("T", thing)

    def origin(self, name: str) -> str:
        """The plug-in that a name is from; empty where it is of the package."""
        return self._origins.get(name, "")

    def holds_of(self, origin: str) -> bool:
        """Whether a plug-in registered any of these."""
        return origin in self._origins.values()

    def adopt(self, origin: str, place: str) -> None:
        """Give what one origin registered to another."""
        self._origins.update({name: place for name, given in self._origins.items() if given == origin})

    def forget(self, origin: str) -> None:
        """Remove what a plug-in registered."""
        for name in [name for name, given in self._origins.items() if given == origin]:
            del self._things[name], self._origins[name]

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise KeyError(name)
        return self.find(name)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and name not in self._things and name.partition(":")[0] in self._families:
            try:
                self.find(name)
            except UnknownNameError:
                return False
            return True
        if name not in self._things:
            load_installed()
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        load_installed()
        return iter(list(self._things))

    def __len__(self) -> int:
        load_installed()
        return len(self._things)


def _imported(place: str) -> Any:
    """What stands under `module:attribute`."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


def load_plugin(name: str, *, folder: Path | str = ".", kind: str = "plug-in") -> Plugin:
    """Import a plug-in by its module, or by the path of its file from a folder.

    One that is loaded already is left as it is, unless its files have changed: then it is imported anew. `kind` is what
    errors call it; a module of another kind than a plug-in need not register anything.
    """
    if not name.endswith(".py") and (not name or name.startswith(".")):
        raise OptionError(f"{name!r} is no plug-in", "name a module, or its file: FILE.py")
    place = str((Path(folder) / name).resolve()) if name.endswith(".py") else name
    if place in LOADED:
        if not name.endswith(".py") or _file_identity(Path(place)) == LOADED[place].identity:
            return LOADED[place]
        forget_plugin(place)
    with _loading(name, place, kind):
        identity = _import_file(Path(place), name) if name.endswith(".py") else _import_module(name)
    LOADED[place] = Plugin(Path(name).name if name.endswith(".py") else name, identity, place)
    if kind == "plug-in" and not any(registry.holds_of(place) for registry in _REGISTRIES):
        note(f"the plug-in {name} registers nothing")
    return LOADED[place]


def plugin_module(plugin: Plugin) -> ModuleType:
    """The module of a plug-in that is loaded."""
    is_file = plugin.place.endswith(".py")
    return sys.modules[_module_name(Path(plugin.place)) if is_file else plugin.place]


def load_same(plugin: Plugin) -> None:
    """Load a plug-in that another process has loaded; one that is not the same here is refused."""
    present = load_plugin(plugin.place)
    if present.identity != plugin.identity:
        raise OptionError(
            f"the plug-in {plugin.name} is of {present.identity} here, not of {plugin.identity}",
            "give every machine the same files",
        )


def forget_plugin(place: str) -> None:
    """Remove a plug-in with all that it has registered."""
    LOADED.pop(place, None)
    for registry in _REGISTRIES:
        registry.forget(place)


def load_installed() -> None:
    """Import the plug-ins that are installed, once; one that fails does so whenever they are asked for."""
    if _INSTALLED:
        return
    _INSTALLED.append(True)  # first, for a plug-in may ask for names itself
    from importlib.metadata import entry_points

    try:
        for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
            load_plugin(point.value.partition(":")[0])
    except BaseException:
        _INSTALLED.clear()
        raise


@contextmanager
def _loading(name: str, place: str, kind: str) -> Iterator[None]:
    """What is registered meanwhile is of the plug-in; where it fails, nothing of it is left."""
    _LOADING.append(place)
    try:
        yield
    except RecombineError as error:
        forget_plugin(place)
        raise OptionError(f"the {kind} {name}: {error.problem}", error.remedy) from error
    except (Exception, SystemExit) as error:  # a module that ends the process is no plug-in
        forget_plugin(place)
        raise OptionError(f"the {kind} {name} fails: {type(error).__name__}: {error}", "mend it") from error
    finally:
        _LOADING.pop()


def _calling_package() -> str:
    """The package of whoever registers something: the first on the way out that is not this one."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "recombine":
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _import_module(name: str) -> str:
    """Import a module; its identity. What it registered when it was imported before is its own from now on."""
    try:
        module = importlib.import_module(name)
        for registry in _REGISTRIES:
            registry.adopt(name.partition(".")[0], name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # the module is there, and one that it imports is not
        raise OptionError(f"there is no module {name!r}", "install it, or name its file: FILE.py") from None
    version = getattr(module, "__version__", None)
    if isinstance(version, str) and version:
        return f"version {version}"
    file = Path(module.__file__ or "")
    return _file_identity(*(sorted(file.parent.rglob("*.py")) if hasattr(module, "__path__") else [file]))


def _import_file(path: Path, name: str) -> str:
    """Import a file as a module of its own; its identity."""
    if not path.is_file():
        raise InputFileError(f"{name}: no such file", "name a Python file, or a module")
    module_name = _module_name(path)
    specification = importlib.util.spec_from_file_location(module_name, path)
    if specification is None or specification.loader is None:
        raise InputFileError(f"{name}: is no Python file", "name a Python file, or a module")
    identity = _file_identity(path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[module_name] = module  # data classes look up the module that they are of
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return identity


def _module_name(path: Path) -> str:
    return f"recombine_plugin_{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"


def _file_identity(*paths: Path) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        content = path.read_bytes()
        digest.update(len(content).to_bytes(8, "little") + content)
    return f"digest {digest.hexdigest()}"
