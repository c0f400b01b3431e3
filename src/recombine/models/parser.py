"""What every parser can do: learn from pairs of source and target, and predict targets of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Parser(Protocol):
    """A parser; `predict` gives `None` where it abstains."""

    def fit(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """Learn from pairs of source and target, and return the parser itself."""

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The target of each source."""
