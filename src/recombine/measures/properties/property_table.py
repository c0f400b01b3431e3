"""Named properties and splits, read from data files: each is said with the primitives, or with others.

The packaged file is `covr.toml`, which tells the form. A file of one's own adds to it, and is known by the digest of
its content. Everything is checked when it is read; a fault names the file and the entry.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError, RecordError, UnknownNameError
from recombine.files import read_text
from recombine.measures.properties.predicate import Atom, parse_predicate, quoted, replaced
from recombine.measures.properties.primitives import PRIMITIVES, check_primitive, form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.measures.properties.predicate import Predicate

PACKAGED = "covr.toml"
PLACE = "{}"
"""What stands for the last part of a property whose name ends in `:*`."""
PROGRAMS, PAIRS = DRAWS = ("programs", "pairs")
_KEYS: dict[str, type] = {
    "held_out": str,
    "draw": str,
    **dict.fromkeys(("few_shot", "number", "apart", "together"), int),
    **dict.fromkeys(("share", "paper"), float),
}
"""What a preset may say."""


@dataclass(frozen=True)
class Preset:
    """A split by its name: a predicate, or what is drawn, with how many examples of it train keeps."""

    name: str
    held_out: str = ""
    few_shot: int = 0
    draw: str = ""
    share: float = 0.0
    number: int = 0
    """How many are drawn; 0 where it is a share."""
    apart: int = 0
    """How often each name of a pair must be in train without the other."""
    together: int = 0
    """How often a pair must be there to be tested."""
    paper: float | None = None
    """The share of train that the paper filtered."""


@dataclass(frozen=True)
class PropertyTable:
    """Properties and presets by name.

    >>> table = property_table()
    >>> str(table.expanded(parse_predicate("has:num:3 & !has:quant:all")))
    'arg:3 & !op:all,all_same'
    >>> table.expanded(parse_predicate("has:qant"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recombine.errors.UnknownNameError: unknown property 'has:qant'; did you mean 'has:quant'? known: ans:VALUE, ...
    """

    properties: Mapping[str, str]
    presets: Mapping[str, Preset]
    own: str = ""
    """The name of a file of one's own and the digest of its content; empty where there is none."""

    def preset(self, name: str) -> Preset | None:
        """The preset of a name, in capitals or not; none where it is no preset."""
        return self.presets.get(name.strip().lower())

    def expanded(self, predicate: Predicate) -> Predicate:
        """The predicate said with primitives alone."""
        return self._expanded(predicate, ())

    def _expanded(self, predicate: Predicate, inside: tuple[str, ...]) -> Predicate:
        return replaced(predicate, lambda atom: self._meaning(atom, inside))

    def _meaning(self, atom: Atom, inside: tuple[str, ...]) -> Predicate:
        name, text = str(atom), self.properties.get(str(atom))
        if text is None and len(atom.parts) > 1:
            last, pattern = atom.parts[-1], ":".join((*map(str, atom.parts[:-1]), "*"))
            if pattern in self.properties and len(last.words) == 1 and not last.but and not last.words[0].sign:
                name, text = pattern, self.properties[pattern].replace(PLACE, quoted(last.words[0].text))
        if text is not None:
            if name in inside:
                raise OptionError(f"the property {name!r} is said with itself", "say it with others")
            return self._expanded(parse_predicate(text, what=f"the property {name}"), (*inside, name))
        if atom.name in PRIMITIVES:
            check_primitive(atom)
            return atom
        if self.preset(str(atom)) is not None:
            raise OptionError(f"{str(atom)!r} is a whole split and no property", "name it alone")
        known = {*self.properties, *map(form, PRIMITIVES), *(self.presets if atom.name == "covr" else ())}
        raise UnknownNameError("property", str(atom), known)


def property_table(path: Path | str | None = None) -> PropertyTable:
    """The packaged properties, with those of a file of one's own."""
    packaged = _packaged()
    if not path:
        return packaged
    text, name = read_text(Path(path)), Path(path).name
    own = _table(text, str(path))
    for kind, mine, theirs in (
        ("property", own.properties, packaged.properties),
        ("preset", own.presets, packaged.presets),
    ):
        if both := sorted(mine.keys() & theirs.keys()):
            raise RecordError(path, both[0], f"there is such a {kind} already", "give it another name")
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    table = PropertyTable(
        {**packaged.properties, **own.properties}, {**packaged.presets, **own.presets}, f"{name}@{digest}"
    )
    _check(table, own, str(path))
    return table


@cache
def _packaged() -> PropertyTable:
    text = (files("recombine.measures.properties") / PACKAGED).read_text(encoding="utf-8")
    table = _table(text, PACKAGED)
    _check(table, table, PACKAGED)
    return table


def _table(text: str, source: str) -> PropertyTable:
    """The properties and presets of a file, not yet looked at together."""
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{source}: is no TOML ({error})", "mend it") from None
    for key, value in record.items():
        if key not in ("properties", "presets") or not isinstance(value, dict):
            raise RecordError(source, key, "is no table of properties", "write [properties] or [presets.NAME]")
    properties: dict[str, str] = {}
    for name, value in record.get("properties", {}).items():
        if not isinstance(value, str):
            raise RecordError(source, name, "is no text", "write a predicate")
        properties[_canonical(name, source)] = value
    presets = {name.lower(): _preset(name, value, source) for name, value in record.get("presets", {}).items()}
    return PropertyTable(properties, presets)


def _canonical(name: str, source: str) -> str:
    """The name of a property as atoms are written."""
    try:
        atom = parse_predicate(name)
    except RecombineError as error:
        raise RecordError(
            source, name, f"is no name of a property: {error.problem}", "write one such as my:own"
        ) from None
    if not isinstance(atom, Atom):
        raise RecordError(source, name, "is no name of a property", "write one such as my:own")
    return str(atom)


def _preset(name: str, value: Any, source: str) -> Preset:
    if not isinstance(value, dict):
        raise RecordError(source, name, "is no table", "write held_out or draw in it")
    for key, given in value.items():
        wanted = _KEYS.get(key)
        if wanted is None:
            raise RecordError(source, name, f"has {key!r}", f"known: {', '.join(_KEYS)}")
        if type(given) is not wanted or (isinstance(given, int | float) and given < 0):
            raise RecordError(source, name, f"{key} is {given!r}", f"give a {wanted.__name__} of 0 or more")
    preset = Preset(name, **value)
    if bool(preset.held_out) == bool(preset.draw):
        raise RecordError(source, name, "has to say either held_out or draw", "write one of them")
    if preset.draw and (preset.draw not in DRAWS or not (0 < preset.share < 1 or preset.number)):
        raise RecordError(source, name, f"draws {preset.draw!r}", "draw programs or pairs, a share or a number of them")
    return preset


def _check(table: PropertyTable, own: PropertyTable, source: str) -> None:
    """Refuse what cannot be said with primitives."""
    said = {**own.properties, **{name: each.held_out for name, each in own.presets.items() if each.held_out}}
    for name, text in said.items():
        try:
            table.expanded(parse_predicate(text.replace(PLACE, "x")))
        except RecombineError as error:
            raise RecordError(source, name, error.problem, error.remedy) from None
