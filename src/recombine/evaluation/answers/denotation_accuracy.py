"""How many predicted FunQL programs answer what the right ones answer (NQG paper, footnote 11).

Two programs match when their answers are equal as sets, whatever the programs look like. Where the right answer is
empty, a wrong program matches easily: such matches are counted apart. A prediction that cannot be read is malformed,
one that can be read but not run (an unknown function, too many arguments, a placeholder without an entity) does not
execute; neither matches. A right program that does not run is an error, and is not scored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from recombine.errors import ProgramError, SizeError
from recombine.kb.geoquery.denotation import denotation
from recombine.languages.funql import parse_funql

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.kb.geoquery.geography import Geography


class AnswerOutcome(Enum):
    """What became of a prediction."""

    MATCH = "match"
    EMPTY_MATCH = "match of empty answers"
    DIFFERENT = "different answer"
    NOT_EXECUTING = "not executing"
    MALFORMED = "malformed"


@dataclass(frozen=True)
class GeoPair:
    """A right program, a predicted one, and the entities of the placeholders in both; none for the original form."""

    gold: str
    prediction: str
    entities: Mapping[str, str] | None = None


@dataclass(frozen=True)
class DenotationAccuracy:
    """Counts over pairs; `matched` includes `matched_empty`."""

    pairs: int
    matched: int
    matched_empty: int
    not_executing: int
    malformed: int

    @property
    def accuracy(self) -> float:
        """The share of pairs that match."""
        return self.matched / self.pairs

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**asdict(self), "accuracy": self.accuracy}

    def __str__(self) -> str:
        return (
            f"{100 * self.accuracy:.1f} % of {self.pairs} answers match ({self.matched_empty} of them empty), "
            f"{self.malformed} malformed, {self.not_executing} not executing"
        )


def denotation_outcome(pair: GeoPair, world: Geography) -> AnswerOutcome:
    """What becomes of one prediction."""
    gold = denotation(pair.gold, world, pair.entities)
    try:
        parse_funql(pair.prediction)
    except ProgramError:
        return AnswerOutcome.MALFORMED
    try:
        answer = denotation(pair.prediction, world, pair.entities)
    except ProgramError:
        return AnswerOutcome.NOT_EXECUTING
    if answer != gold:
        return AnswerOutcome.DIFFERENT
    return AnswerOutcome.MATCH if gold else AnswerOutcome.EMPTY_MATCH


def denotation_accuracy(pairs: Iterable[GeoPair], world: Geography) -> DenotationAccuracy:
    """The counts over all pairs.

    >>> from recombine.kb.geoquery.geobase import parse_geobase
    >>> from recombine.kb.geoquery.geography import Geography
    >>> world = Geography.of(parse_geobase("river(red, 1638, [texas]). river(pecos, 805, [texas])."))
    >>> gold = "answer(longest(river(all)))"
    >>> predictions = [gold, "answer ( largest ( river ) )", "answer(river(all))", "answer(river(all)", "answer(m0)"]
    >>> print(denotation_accuracy([GeoPair(gold, prediction) for prediction in predictions], world))
    40.0 % of 5 answers match (0 of them empty), 1 malformed, 1 not executing
    """
    outcomes = [denotation_outcome(pair, world) for pair in pairs]
    if not outcomes:
        raise SizeError("there are no pairs to score", "give at least one")
    empty = outcomes.count(AnswerOutcome.EMPTY_MATCH)
    return DenotationAccuracy(
        pairs=len(outcomes),
        matched=outcomes.count(AnswerOutcome.MATCH) + empty,
        matched_empty=empty,
        not_executing=outcomes.count(AnswerOutcome.NOT_EXECUTING),
        malformed=outcomes.count(AnswerOutcome.MALFORMED),
    )
