"""Names for the things of a world: all different, but for a share that have the name of another of their kind."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PARTS = "name_parts.toml"
_SLOT = re.compile(r"\{(\w+)\}")
_NUMERALS = ("", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


@cache
def name_parts() -> dict[str, tuple[str, ...]]:
    """The lists of parts that come with the package."""
    return {name: tuple(parts) for name, parts in tomllib.loads(parts_text()).items()}


def parts_text() -> str:
    """The file of parts as it stands."""
    return (files("recombine.kb.made_up") / PARTS).read_text(encoding="utf-8")


def made_up_names(
    templates: Sequence[str],
    lists: Mapping[str, Sequence[str]],
    number: int,
    rng: np.random.Generator,
    *,
    shared: float = 0.0,
) -> list[str]:
    """Names for so many things by some templates; `shared` is the share that have the name of another.

    >>> made_up_names(["{size} {thing}"], {"size": ["Big"], "thing": ["Boat"]}, 2, np.random.default_rng(0))
    ['Big Boat', 'Big Boat II']
    """
    which = rng.integers(0, len(templates), number)
    names = np.empty(number, object)
    for place, template in enumerate(templates):
        mine = np.flatnonzero(which == place)
        names[mine] = _filled(template, lists, len(mine), rng)
    sharing = np.flatnonzero(rng.random(number) < shared / 2)
    if number > 1:
        # Half of the share: the one whose name is taken shares it too.
        names[sharing] = names[(sharing + rng.integers(1, number, len(sharing))) % number]
    return [str(name) for name in names]


def slots_of(template: str) -> tuple[str, ...]:
    """The lists that a template takes parts of, in its order."""
    return tuple(_SLOT.findall(template))


def _filled(template: str, lists: Mapping[str, Sequence[str]], number: int, rng: np.random.Generator) -> list[str]:
    """Different names by one template; when all are used up, they come again with a numeral."""
    slots = [lists[slot] for slot in slots_of(template)]
    text = _SLOT.sub("%s", template)
    most = prod(map(len, slots))
    rounds = [rng.choice(most, min(most, number - start), replace=False) for start in range(0, number, most)]
    return [_numbered(text % _parts(int(code), slots), again) for again, codes in enumerate(rounds) for code in codes]


def _parts(code: int, slots: Sequence[Sequence[str]]) -> tuple[str, ...]:
    parts = []
    for slot in slots:
        code, place = divmod(code, len(slot))
        parts.append(slot[place])
    return tuple(parts)


def _numbered(name: str, again: int) -> str:
    return f"{name} {_NUMERALS[again] if again < len(_NUMERALS) else again + 1}".rstrip()
