"""The structures of programs in one's own data, where none are named: literals count by their kinds.

Texts and numbers of one's own data are often in one example alone. As atoms they would keep that example out of test,
where a search demands that train has every atom, and leave it nothing to move. Published data keeps its literals: its
numbers stay what they are.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from recombine.progress import note
from recombine.structures.definition import OWN_PROGRAM_STRUCTURES, PROGRAM_STRUCTURES

if TYPE_CHECKING:
    from recombine.languages.language import Language


def own_structures(language: Language) -> str:
    """The definition for targets in a language; where it does not tell its literals, they are kept, and that is said.

    >>> from recombine.languages.funql import FUNQL
    >>> own_structures(FUNQL)
    'atoms=symbols,presence,literals=type;compounds=tree:2-2,counts,literals=type'
    """
    if language.type_literals is not None:
        return OWN_PROGRAM_STRUCTURES
    say_kept(language.name, "literals")
    return PROGRAM_STRUCTURES


@cache
def say_kept(language: str, what: str) -> None:
    """Say once that literals, or names, are kept."""
    note(f"{what} are kept: {language} does not tell them")
