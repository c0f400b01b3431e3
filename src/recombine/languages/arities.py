"""How many arguments the words of a language take: the tables of `arities.toml`, and the place of a fault.

A bracket at the wrong place mostly gives a word too many or too few arguments, which brackets alone cannot show.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.brackets import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from recombine.tree import Tree

NO_LIMIT = 10**9


@dataclass(frozen=True)
class Arity:
    """The numbers of arguments that a word takes, as the table writes and as code needs them."""

    text: str
    counts: Container[int]

    @classmethod
    def of(cls, text: str) -> Arity:
        """The arity of a text such as "2", "2,4" or "2+"."""
        if text.endswith("+"):
            return cls(f"at least {text[:-1]}", range(int(text[:-1]), NO_LIMIT))
        return cls(text.replace(",", " or "), tuple(map(int, text.split(","))))


@cache
def arities(language: str) -> Mapping[str, Arity]:
    """The arity of every word in the table of a language.

    >>> arities("sexpression")["JOIN"]
    Arity(text='2', counts=(2,))
    """
    tables = tomllib.loads((files("recombine.languages") / "arities.toml").read_text(encoding="utf-8"))
    return {word: Arity.of(text) for word, text in tables[language].items()}


def arity_fault(word: str, count: int, arity: Arity | None) -> str | None:
    """What is wrong with the number of arguments of a word, if anything."""
    if arity is None or count in arity.counts:
        return None
    return f"{word!r} has {count} argument{'s' if count > 1 else ''} where {arity.text} belong"


def refuse_first_fault(text: str, tree: Tree, fault: Callable[[Tree], str | None], *, language: str) -> None:
    """Raises the first fault of a list program at the bracket that opens the faulty list.

    Inner nodes in order are opening brackets in order, so that trees need not carry positions.
    """
    opened = 0
    for node in tree.iter_nodes():
        if node.children:
            problem = fault(node)
            if problem is not None:
                places = [at for token, at in tokens(text, language=language, commas=False) if token == "("]
                raise ProgramError(language, places[opened], problem, "look for a bracket at the wrong place")
            opened += 1
