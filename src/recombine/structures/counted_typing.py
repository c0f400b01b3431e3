"""How the literals and names of programs are counted, in the notation of definitions: `symbols,literals=type`.

`literals=type` counts a literal by its kind (`<string>`, `<number>`, `<date>`), `literals=drop` not at all;
`names=type` counts a table, a column or an entity by its kind. What is `keep` is not written: it is what a definition
without the option means.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import DefinitionError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.structures.definition import Structures

UNTYPED = ("rules", "tokens", "dag", "line")
"""Kinds that share their notation with those of programs, and are of derivations or of texts."""
TYPINGS = {"literals": ("keep", "type", "drop"), "names": ("keep", "type")}
"""What can be said of literals and of names."""


def read_typing(options: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What options say of literals and names, and the other options.

    >>> read_typing(["counts", "literals=type"])
    ({'literals': 'type'}, ['counts'])
    """
    said: dict[str, str] = {}
    others = []
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or name not in TYPINGS:
            others.append(option)
            continue
        if value not in TYPINGS[name] or name in said:
            raise DefinitionError(
                f"structures have no option {option!r}", f"write one {name}={'|'.join(TYPINGS[name])}"
            )
        said[name] = value
    return said, others


def written_typing(literals: str, names: str) -> str:
    """What a definition ends with.

    >>> written_typing("type", "keep"), written_typing("keep", "keep")
    (',literals=type', '')
    """
    given = {"literals": literals, "names": names}
    return "".join(f",{name}={value}" for name, value in given.items() if value != "keep")


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


def is_typed(definition: Any) -> bool:
    """Whether a definition says how literals and names are counted: whether it is of programs."""
    return any(field.name == "literals" for field in fields(definition)) and definition.kind not in UNTYPED


def counts_kinds(definition: Any) -> bool:
    """Whether literals or names are counted by their kinds, or literals not at all."""
    return any(getattr(definition, name, "keep") != "keep" for name in TYPINGS)
