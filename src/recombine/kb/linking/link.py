"""A link: a piece of a text, and the terms that it may mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.kb.term import Term

ENTITY, LITERAL = "entity", "literal"


class ScoredTerm(NamedTuple):
    """A term, and how well it fits; scores of one link compare with each other."""

    term: Term
    score: float


@dataclass(frozen=True, slots=True)
class Link:
    """A mention from one character to another, with its candidates, the best first.

    The first `chosen` of them are what it is linked to: those of the highest score, or in the manner of Aqqu all that
    are good enough; for a literal, all types in which the text can be read. A mention that nothing in the dictionary
    is called by has no candidates.
    """

    start: int
    end: int
    text: str
    terms: tuple[ScoredTerm, ...] = ()
    chosen: int = 0
    kind: str = ENTITY

    @property
    def term(self) -> Term | None:
        """The best term; none where there is no candidate."""
        return self.terms[0].term if self.terms else None

    @property
    def linked(self) -> tuple[Term, ...]:
        """The terms that the mention is linked to."""
        return tuple(each.term for each in self.terms[: self.chosen])
