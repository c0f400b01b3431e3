"""The one limit on how deep programs are, as an error and as a check of a tree that was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from recombine.tree import Tree


def too_deep(language: str, position: int = 0) -> ProgramError:
    """What to raise for a program of more levels than are read.

    >>> str(too_deep("FunQL", 6))
    'FunQL program, column 7: more than 100 levels inside each other; shorten the program, or leave the example out'
    """
    problem = f"more than {MAX_DEPTH} levels inside each other"
    return ProgramError(language, position, problem, "shorten the program, or leave the example out")


def refuse_too_deep(tree: Tree, *, language: str) -> None:
    """Raises for a tree of more levels than are read."""
    if tree.depth() > MAX_DEPTH:
        raise too_deep(language)
