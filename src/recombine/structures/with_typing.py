"""Structures with another way to count literals and names: what `--literals` and `--names` say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.structures.counted_typing import TYPINGS, is_typed

if TYPE_CHECKING:
    from recombine.structures.definition import Structures


def with_typing(structures: Structures, *, literals: str | None = None, names: str | None = None) -> Structures:
    """The structures with literals and names counted so, in both halves where they are of programs.

    >>> from recombine.structures.definition import Structures
    >>> print(with_typing(Structures.parse("tree:2-2;atoms=symbols"), literals="type"))
    atoms=symbols,presence,literals=type;compounds=tree:2-2,counts,literals=type
    """
    given = {name: value for name, value in (("literals", literals), ("names", names)) if value is not None}
    for name, value in given.items():
        if value not in TYPINGS[name]:
            raise OptionError(f"--{name} is {value!r}", f"give {', '.join(TYPINGS[name][:-1])} or {TYPINGS[name][-1]}")
    if not given:
        return structures
    halves = {"atoms": structures.atoms, "compounds": structures.compounds}
    changed: dict[str, Any] = {role: half for role, half in halves.items() if is_typed(half)}
    if not changed:
        flags = " and ".join(f"--{name}" for name in given)
        raise OptionError(f"{structures} are not of programs, which {flags} is for", "name others with --structures")
    return replace(structures, **{role: replace(half, **given) for role, half in changed.items()})
