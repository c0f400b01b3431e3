"""A tie: a relation between two things as Freebase keeps it, by a path there and a path back."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FILE = "ties.toml"


class Tie(NamedTuple):
    """The path from the first thing to the second, the path back, and what the tie makes of the first.

    >>> tie = film_ties()["marries"]
    >>> tie.facts, tie.there[0]
    (4, 'people.person.spouse_s')
    """

    there: tuple[str, ...]
    back: tuple[str, ...]
    agent: str
    """The class of the first thing; empty where the tie says nothing of it."""
    third: str
    """The relation from the node in the middle to a third thing; empty where there is none."""

    @property
    def facts(self) -> int:
        """How many facts a tie is."""
        return len(self.there) + len(self.back) + bool(self.third)


@cache
def film_ties() -> dict[str, Tie]:
    """The ties of CFQ's schema by name."""
    return {
        name: Tie(tuple(said["there"]), tuple(said["back"]), said.get("agent", ""), said.get("third", ""))
        for name, said in _tables()["ties"].items()
    }


def film_classes() -> dict[str, str]:
    """The classes of things by their kinds."""
    return dict(_tables()["classes"])


def ties_text() -> str:
    """The file of ties as it stands."""
    return (files("recombine.kb.film_schema") / FILE).read_text(encoding="utf-8")


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(ties_text())
