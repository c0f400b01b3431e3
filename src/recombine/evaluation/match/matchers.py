"""The matchers by name: ways to compare a predicted program with the gold one.

Every language has the forms of exact match; a language can have further matchers, each a metric of its own name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from recombine.languages.language import Language
    from recombine.records.example import Example


@dataclass(frozen=True)
class Matcher:
    """A named way to read programs: two match when what is read out of them is equal.

    `read` takes a program and the example that it is for, since what a program means can depend on it. A program that
    cannot be read is a `ProgramError`.
    """

    name: str
    read: Callable[[str, Example], Hashable]

    @classmethod
    def of(cls, name: str, read: Callable[[str], Hashable]) -> Matcher:
        """A matcher for which a program means the same in every example; each text is read once."""
        read_once = lru_cache(maxsize=None)(read)
        return cls(name, lambda program, example: read_once(program))  # noqa: ARG005


def _sql() -> dict[str, Matcher]:
    from recombine.evaluation.match.set_match import read_components

    return {"set_match": Matcher.of("set_match", read_components)}


FURTHER: dict[str, Callable[[], dict[str, Matcher]]] = {"sql": _sql}
"""The matchers that a language has besides exact match, made when they are asked for."""


def further_matchers(language: Language | None) -> dict[str, Matcher]:
    """The matchers of a language besides exact match."""
    return {} if language is None else FURTHER.get(language.name, dict)()
