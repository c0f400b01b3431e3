"""The hybrid: NQG's output where it has one, else another parser's (NQG-T5 paper, §4).

The other parser is anything that fits and predicts, or outputs that are at hand already, such as those of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from recombine.errors import RecombineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.parser import TextParser


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

    first: TextParser
    fallback: TextParser

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
