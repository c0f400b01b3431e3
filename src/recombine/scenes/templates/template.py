"""A template: one form of a question as its entry says it, with what it asks of sub-graphs and images."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.scenes.templates.english_pattern import EnglishPattern
    from recombine.scenes.templates.program_pattern import ProgramPattern

HOLDS, OTHER_IMAGE, HOLDS_SLOT = "holds", "other", "holds "


class Bound(NamedTuple):
    """How many objects a slot may refer to in one image."""

    slot: str
    low: int
    high: int


class Pool(NamedTuple):
    """A group of images: where they come from, and what must be so in each."""

    source: tuple[str, ...]
    """`holds`, `other`, `holds SLOT`, or kinds of distractors; a kind after `!` is left out."""
    where: tuple[Bound, ...]


class Part(NamedTuple):
    """So many images of a pool; a negative number counts from the number of all images."""

    pool: str
    low: int
    high: int
    rest: bool

    def bounds(self, images: int) -> tuple[int, int]:
        """The least and greatest number for a set of so many images."""
        low, high = (end if end >= 0 else images + end for end in (self.low, self.high))
        return low, min(high, images)


Design = tuple[Part, ...]
"""A set of images as its parts, of which one is the rest."""


@dataclass(frozen=True)
class Option:
    """Words that are drawn together, with the patterns that they make and the sets of images that fit them."""

    words: Mapping[str, str]
    english: EnglishPattern
    program: ProgramPattern
    measure: ProgramPattern | None
    first: tuple[Design, ...]
    second: tuple[Design, ...]


class NumberSlot(NamedTuple):
    """A slot that is a number: whence it comes and by which comparison it is drawn."""

    slot: str
    source: str
    by: str


@dataclass(frozen=True)
class Template:
    """One form of a question."""

    name: str
    form: str
    images: tuple[int, int]
    pools: Mapping[str, Pool]
    options: tuple[Option, ...]
    needs: frozenset[str] = frozenset()
    leaf: tuple[str, ...] = ()
    not_root: frozenset[str] = frozenset()
    not_relation: frozenset[str] = frozenset()
    not_of_type: Mapping[str, frozenset[str]] = field(default_factory=dict)
    source: tuple[Bound, ...] = ()
    other: tuple[Pool, ...] = ()
    choice: tuple[str, str] | None = None
    numbers: tuple[NumberSlot, ...] = ()
    alone: bool = False
