"""Names for the things of a world: all different, but for a share that have the name of another of their kind."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.film_world.plan import Plan

_SLOT = re.compile(r"\{(\w+)\}")
_NUMERALS = ("", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def made_up_names(plan: Plan, kind: str, number: int, rng: np.random.Generator) -> list[str]:
    """Names for so many things of a kind."""
    templates = plan.templates[kind]
    which = rng.integers(0, len(templates), number)
    names = np.empty(number, object)
    for place, template in enumerate(templates):
        mine = np.flatnonzero(which == place)
        names[mine] = _filled(template, plan, len(mine), rng)
    sharing = np.flatnonzero(rng.random(number) < plan.people["shared_name"] / 2)
    if number > 1:
        # Half of the share: the one whose name is taken shares it too.
        names[sharing] = names[(sharing + rng.integers(1, number, len(sharing))) % number]
    return [str(name) for name in names]


def _filled(template: str, plan: Plan, number: int, rng: np.random.Generator) -> list[str]:
    """Different names by one template; when all are used up, they come again with a numeral."""
    slots = [plan.lists[slot] for slot in _SLOT.findall(template)]
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
