"""What is made together: examples as texts, and what was counted while they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections import Counter

KEPT, SAME = "kept", "same_pattern"
"""What is counted beside the reasons why something was dropped: what was kept, and what was made before."""


class TextRow(NamedTuple):
    """An example as files keep it, all in texts: its derivation and its tags are JSON."""

    id: str
    source: str
    target: str
    derivation: str
    tags: str


class MadeLot(NamedTuple):
    """The examples of a lot, in their order."""

    rows: list[TextRow]
    kinds: list[tuple[str, str]]
    """Of each example the kind that it is counted under, and a word for its answer; that may be empty."""
    counts: Counter[tuple[str, str]]
    """What was dropped, by kind and reason; the kind is empty where it is not known."""
