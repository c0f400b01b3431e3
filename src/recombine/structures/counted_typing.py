"""How the literals and names of programs are counted, in the notation of definitions: `symbols,literals=type`.

`literals=type` counts a literal by its kind (`<string>`, `<number>`, `<date>`), `literals=drop` not at all;
`names=type` counts a table, a column or an entity by its kind. What is `keep` is not written: it is what a definition
without the option means.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from recombine.errors import DefinitionError

if TYPE_CHECKING:
    from collections.abc import Sequence

UNTYPED = ("rules", "tokens", "dag", "line", "words")
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


def is_typed(definition: Any) -> bool:
    """Whether a definition says how literals and names are counted: whether it is of programs."""
    return any(field.name == "literals" for field in fields(definition)) and definition.kind not in UNTYPED


def counts_kinds(definition: Any) -> bool:
    """Whether literals or names are counted by their kinds, or literals not at all."""
    return any(getattr(definition, name, "keep") != "keep" for name in TYPINGS)
