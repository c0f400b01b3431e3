"""What every parser can do: learn from examples over a world, and predict targets of queries over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.records.example import Example, Query
    from recombine.records.world import World


class Parser(Protocol):
    """A parser; `predict` gives `None` where it abstains. The world is none where the data has none."""

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Learn from examples, and return the parser itself."""

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The target of each query."""


class TextParser(Protocol):
    """A parser that wants texts alone: pairs of source and target, and sources."""

    def fit(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """Learn from pairs of source and target, and return the parser itself."""

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The target of each source."""


@dataclass
class TextsAlone:
    """A parser of texts where a parser of examples is wanted; equal sources are answered once."""

    parser: Any
    """A `TextParser`."""

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:  # noqa: ARG002
        """Learn from the texts of the examples."""
        self.parser.fit([(example.source, example.target) for example in examples])
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:  # noqa: ARG002
        """The target of each query's source."""
        sources = list(dict.fromkeys(query.source for query in queries))
        outputs = dict(zip(sources, self.parser.predict(sources), strict=True))
        return [outputs[query.source] for query in queries]
