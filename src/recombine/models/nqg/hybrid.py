"""The hybrid: NQG's output where it has one, else another parser's (NQG-T5 paper, §4).

The other parser is anything that fits and predicts, or outputs that are at hand already, such as those of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from recombine.errors import RecombineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.parser import Parser


def combine(first: Sequence[str | None], second: Sequence[str | None]) -> list[str | None]:
    """The first outputs where there are some, else the second.

    >>> combine(["A", None, None], ["B", "C", None])
    ['A', 'C', None]
    """
    return [one if one is not None else two for one, two in zip(first, second, strict=True)]


@dataclass(frozen=True)
class Outputs:
    """Outputs at hand, by source, as a parser that learns nothing."""

    by_source: Mapping[str, str | None]

    def fit(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """Nothing is learned."""
        del pairs
        return self

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The output of each source; one that is missing is an error."""
        missing = next((source for source in sources if source not in self.by_source), None)
        if missing is not None:
            raise RecombineError(f"there is no output for {missing!r}", "give outputs for all sources")
        return [self.by_source[source] for source in sources]


@dataclass(frozen=True)
class Hybrid:
    """Two parsers, the first of which may abstain.

    >>> first, second = Outputs({"x": "A", "y": None}), Outputs({"x": "B", "y": "C"})
    >>> Hybrid(first, second).predict(["x", "y"])
    ['A', 'C']
    """

    first: Parser
    fallback: Parser

    def fit(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """Both learn from the same pairs, apart from each other."""
        pairs = list(pairs)
        self.first.fit(pairs)
        self.fallback.fit(pairs)
        return self

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The first parser's outputs, and the other's where it abstains."""
        first = self.first.predict(sources)
        asked = [source for source, output in zip(sources, first, strict=True) if output is None]
        answers = iter(self.fallback.predict(asked) if asked else [])
        return [output if output is not None else next(answers) for output in first]


@dataclass(frozen=True)
class HybridComparison:
    """The first parser, its fallback and both together, as in Table 5 of the paper."""

    examples: int
    outputs: int
    """Examples for which the first parser has an output."""
    right: int
    """Of these outputs, the right ones."""
    fallback_right: int
    hybrid_right: int
    fallback_right_on_outputs: int
    """Right outputs of the fallback among the examples for which the first parser has one."""

    @classmethod
    def of(cls, gold: Sequence[str], first: Sequence[str | None], second: Sequence[str | None]) -> HybridComparison:
        """Count outputs that are the gold target word for word.

        >>> found = HybridComparison.of(["A", "B", "C", "D"], ["A", "X", None, None], ["A", "B", "C", "X"])
        >>> found.coverage, found.precision, found.accuracy, found.fallback_accuracy, found.hybrid_accuracy
        (0.5, 0.5, 0.25, 0.75, 0.5)
        """
        rows = list(zip(gold, first, second, combine(first, second), strict=True))
        covered = [row for row in rows if row[1] is not None]
        return cls(
            len(rows),
            len(covered),
            sum(one == target for target, one, _, _ in covered),
            sum(two == target for target, _, two, _ in rows),
            sum(both == target for target, _, _, both in rows),
            sum(two == target for target, _, two, _ in covered),
        )

    @property
    def coverage(self) -> float:
        """The share of examples for which the first parser has an output."""
        return self.outputs / max(self.examples, 1)

    @property
    def precision(self) -> float:
        """The share of right ones among the first parser's outputs; 0 where it has none."""
        return self.right / max(self.outputs, 1)

    @property
    def accuracy(self) -> float:
        """The share of examples that the first parser alone gets right."""
        return self.right / max(self.examples, 1)

    @property
    def fallback_accuracy(self) -> float:
        """The share of examples that the fallback alone gets right."""
        return self.fallback_right / max(self.examples, 1)

    @property
    def hybrid_accuracy(self) -> float:
        """The share of examples that both together get right."""
        return self.hybrid_right / max(self.examples, 1)
