"""Which programs a language's normaliser takes for one: a normaliser merges only what is equal, and this shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.languages.language import Language
    from recombine.tree import Tree


@dataclass(frozen=True)
class Merges:
    """The number of distinct programs before and after normalisation, and the groups that became one."""

    before: int
    after: int
    groups: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return f"{self.before} distinct programs, {self.after} after normalisation ({len(self.groups)} merged groups)"


def find_merges(programs: Iterable[str], language: Language) -> Merges:
    """Compare programs as texts, up to white space at their ends, and as normalised trees; order is that of the texts.

    >>> from recombine.languages.sparql.sparql import SPARQL
    >>> one = "SELECT count ( * ) WHERE { M0 a film.film . M1 a film.film }"
    >>> two = "SELECT count ( * ) WHERE { M1 a film.film . M0 a film.film }"
    >>> print(find_merges([one, two, one], SPARQL))
    2 distinct programs, 1 after normalisation (1 merged groups)
    """
    texts = dict.fromkeys(program.strip() for program in programs)
    members: dict[Tree, list[str]] = {}
    for text in texts:
        members.setdefault(language.normalise(language.parse(text)), []).append(text)
    groups = tuple(tuple(group) for group in members.values() if len(group) > 1)
    return Merges(len(texts), len(members), groups)
