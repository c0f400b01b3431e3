"""How well links agree with gold: recall, precision and F1 (GrailQA, section 4.3).

Entities are counted question by question, each once: recall is the share of all gold entities that are linked to,
precision the share of all linked entities that are gold, F1 their harmonic mean. A mention that is linked to several
equally popular entities, as the paper's linker does, counts all of them. What is linked in a question without gold
counts against precision. Literals are counted apart, by their values: a mention is right where one of the types that it
can be read in gives a gold literal. A share of nothing is none, not 0.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.kb.linking.link import ENTITY
from recombine.kb.matching.literal_value import literal_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.gold_links import GoldLinks
    from recombine.kb.linking.link import Link


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Gold, linked, and both; shares follow from them.

    >>> LinkCounts(gold=4, linked=5, right=3).f1
    0.6666666666666666
    """

    gold: int = 0
    linked: int = 0
    right: int = 0

    @property
    def recall(self) -> float | None:
        """The share of gold that is linked to."""
        return self.right / self.gold if self.gold else None

    @property
    def precision(self) -> float | None:
        """The share of what is linked to that is gold."""
        return self.right / self.linked if self.linked else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of recall and precision; none where there is neither gold nor a link."""
        return 2 * self.right / (self.gold + self.linked) if self.gold + self.linked else None

    def to_dict(self) -> dict[str, Any]:
        """Counts and shares."""
        return {**asdict(self), "recall": self.recall, "precision": self.precision, "f1": self.f1}


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The scores of all questions."""

    questions: int
    entities: LinkCounts
    literals: LinkCounts
    among_candidates: int
    """How many gold entities are among the candidates of a mention, chosen or not."""
    exact: int
    """How many questions are linked to exactly their gold entities."""
    without_gold: int
    """How many questions have no gold entity."""
    unplaced: int
    """How many gold entities stand in their question by no name of the data."""

    def to_dict(self) -> dict[str, Any]:
        """What a verb prints as JSON."""
        return {**asdict(self), "entities": self.entities.to_dict(), "literals": self.literals.to_dict()}


def score_links(gold: Sequence[GoldLinks], predicted: Sequence[Sequence[Link]]) -> LinkScores:
    """The scores of the links of some questions against their gold links."""
    if len(gold) != len(predicted):
        raise OptionError(f"{len(gold)} questions with gold and {len(predicted)} with links", "give one for each")
    entities, literals = [0, 0, 0], [0, 0, 0]
    among = exact = 0
    for right, links in zip(gold, predicted, strict=True):
        mentions = [link for link in links if link.kind == ENTITY]
        linked = {term for link in mentions for term in link.linked}
        among += len(right.entities & {each.term for link in mentions for each in link.terms})
        exact += linked == right.entities
        _add(entities, len(right.entities), len(linked), len(linked & right.entities))
        values = [{literal_value(term) for term in link.linked} for link in links if link.kind != ENTITY]
        met = [each for each in right.literals if any(each in value for value in values)]
        _add(literals, len(right.literals), len(values), len(met))
    return LinkScores(
        len(gold),
        LinkCounts(*entities),
        LinkCounts(*literals),
        among,
        exact,
        sum(not each.entities for each in gold),
        sum(each.unplaced for each in gold),
    )


def _add(counts: list[int], *more: int) -> None:
    counts[:] = [count + one for count, one in zip(counts, more, strict=True)]
