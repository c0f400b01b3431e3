"""Decoding: the best derivation of a source whose target is valid (NQG-T5 paper, §4.1.2).

The published system looks at the single best derivation and abstains where its target is not valid. Here that is
`strict`; otherwise derivations are tried from the best down until one gives a valid target, up to a limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from recombine.models.nqg.forest.kbest import Derivation, KBest, best_derivation, target_of
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.sql_tokens import BLANKS, cut_pairs, cut_question, join_sql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recombine.models.nqg.forest.chart import ChartParser
    from recombine.models.nqg.forest.forest_kernels import Packed, Scores


class Scorer(Protocol):
    """Whatever scores the parts of forests."""

    def scores(self, forest: Packed, source: Sequence[str]) -> Scores:
        """The scores of the parts of the forest of a source."""


@dataclass(frozen=True)
class Decoded:
    """What decoding found for one source."""

    target: str | None
    derivation: Derivation | None
    tried: int
    """Derivations looked at; 0 where there is none."""


@dataclass(frozen=True)
class Decoder:
    """A grammar's parser, a scorer and a test of targets."""

    parser: ChartParser
    scorer: Scorer
    valid: Callable[[str], bool] | None = None
    """The test; without one every target is valid."""
    strict: bool = False
    """Whether to abstain where the target of the best derivation is not valid."""
    limit: int = 200
    """The most derivations to try."""
    tokens: str = BLANKS
    """How texts are cut into tokens."""

    def decode(self, source: str) -> Decoded:
        """The best valid target of a source."""
        words = self.words(source)
        forest = self.parser.parse(words)
        if forest is None:
            return Decoded(None, None, 0)
        scores = self.scorer.scores(forest.packed, words)
        tried = 0
        for derivation in self._candidates(forest.packed, scores):
            tried += 1
            target = self._text(derivation)
            if self.valid is None or self.valid(target):
                return Decoded(target, derivation, tried)
        return Decoded(None, None, tried)

    def words(self, source: str) -> tuple[str, ...]:
        """The tokens of a source."""
        return tokens(source if self.tokens == BLANKS else cut_question(source))

    def derives(self, source: str, target: str) -> bool:
        """Whether some derivation of a source has this target."""
        ((question, program),) = cut_pairs([(source, target)], self.tokens)
        return self.parser.derives(tokens(question), tokens(program))

    def _text(self, derivation: Derivation) -> str:
        target = " ".join(target_of(derivation, self.parser.rules))
        return target if self.tokens == BLANKS else join_sql(target)

    def _candidates(self, forest: Packed, scores: Scores) -> Iterator[Derivation]:
        yield best_derivation(forest, scores)
        if not self.strict:
            yield from islice(KBest(forest, scores), 1, self.limit)

    def best(self, source: str, number: int) -> list[tuple[str, float]]:
        """Targets of the best derivations with their scores, valid or not; a target may come several times."""
        words = self.words(source)
        forest = self.parser.parse(words)
        if forest is None:
            return []
        best = KBest(forest.packed, self.scorer.scores(forest.packed, words))
        return [(self._text(derivation), derivation.score) for derivation in islice(best, number)]
