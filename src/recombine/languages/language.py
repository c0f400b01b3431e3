"""The contract of a language.

`parse` reads a program or raises a `ProgramError` with its position; `render` writes a tree so that `parse` gives it
back. `normalise` maps trees that mean the same for trivial reasons to one tree. `anonymise` replaces what is a detail
of one example (names, numbers, strings) by placeholders, which makes a program its template. `type_literals` puts the
kind of each literal in its place (`<string>`, `<number>`, `<date>`, `<boolean>`), and `type_names` that of each name
which the data brings (`<table>`, `<column>`, `<entity>`); all other nodes stay. A language that cannot tell has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.tree import Tree


def _same(tree: Tree) -> Tree:
    return tree


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
