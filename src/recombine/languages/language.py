"""The contract of a language.

`parse` reads a program or raises a `ProgramError` with its position; `render` writes a tree so that `parse` gives it
back. `normalise` maps trees that mean the same for trivial reasons to one tree. `anonymise` replaces what is a detail
of one example (names, numbers, strings) by placeholders, which makes a program its template. `type_literals` puts the
kind of each literal in its place (`<string>`, `<number>`, `<date>`, `<boolean>`; `<entity>` for an identifier that says
nothing by itself), and `type_names` the kind of each name that the data brings (`<table>`, `<column>`, `<entity>`); all
other nodes stay. A language that cannot tell has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.tree import Tree


def _same(tree: Tree) -> Tree:
    return tree


@dataclass(frozen=True)
class Origin:
    """Where a language is from that is in no list, so that split files and other processes find it again."""

    shown: str
    """The path of its file, or MODULE:NAME, as it was typed."""
    place: str
    """What finds it from any folder."""
    digest: str
    """Of what decides its trees."""

    @property
    def is_file(self) -> bool:
        """Whether it is a language file: data, which nobody need trust."""
        return self.shown.endswith(".toml")


@dataclass(frozen=True)
class Language:
    """A name, four functions that every language has, and two that some have."""

    name: str
    parse: Callable[[str], Tree]
    render: Callable[[Tree], str]
    normalise: Callable[[Tree], Tree] = _same
    anonymise: Callable[[Tree], Tree] = _same
    type_literals: Callable[[Tree], Tree] | None = None
    type_names: Callable[[Tree], Tree] | None = None
    origin: Origin | None = None
    """Where it is from, where it is in no list."""

    @property
    def remembered(self) -> str:
        """What a split file calls it: its name; of a language file its path as it was typed, and the digest.

        >>> origin = Origin("my/robots.toml", "/home/me/my/robots.toml", "12ab")
        >>> Language("robots.toml@12ab", str, str, origin=origin).remembered
        'my/robots.toml@12ab'
        """
        if self.origin is None:
            return self.name
        if not self.origin.is_file:
            return self.origin.shown
        shown = Path(self.origin.shown)
        return f"{shown.name if shown.is_absolute() else shown.as_posix()}@{self.origin.digest}"

    @property
    def place(self) -> str:
        """What other processes find it by, from any folder."""
        return self.name if self.origin is None else f"{self.origin.place}@{self.origin.digest}"
