"""Structures with another way to count literals and names: what `--literals` and `--names` say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.structures.counted_typing import TYPINGS, is_typed
from recombine.structures.joined_definition import JoinedDefinition, definition_parts

if TYPE_CHECKING:
    from recombine.structures.definition import Structures
    from recombine.structures.kinds import Definition


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
    changed: dict[str, Any] = {role: _counted(half, given) for role, half in halves.items()}
    if not any(map(_is_of_programs, halves.values())):
        flags = " and ".join(f"--{name}" for name in given)
        raise OptionError(f"{structures} are not of programs, which {flags} is for", "name others with --structures")
    return replace(structures, **changed)


def _is_of_programs(definition: Definition) -> bool:
    """Whether a definition, or a part of it, says how literals and names are counted."""
    return any(map(is_typed, definition_parts(definition)))


def _counted(definition: Definition, given: dict[str, str]) -> Definition:
    """The definition with literals and names counted so, in each part that is of programs."""
    if isinstance(definition, JoinedDefinition):
        return JoinedDefinition(tuple(_counted(part, given) for part in definition.parts))
    changed: Any = definition
    return replace(changed, **given) if is_typed(definition) else definition
