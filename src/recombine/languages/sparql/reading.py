"""What is known while one query is read: its text, its prefixes, what was let pass, which names are new."""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Reading:
    """The state of one reading; the tokens and the builder of trees share it."""

    __slots__ = (
        "aggregates",
        "base",
        "begin",
        "blanks",
        "declared",
        "end",
        "known",
        "labels",
        "leniencies",
        "text",
        "variables",
    )

    def __init__(self, text: str, known: Mapping[str, str]) -> None:
        self.text, self.known = text, known
        self.begin, self.end = 0, len(text)
        """Where the query is in the text."""
        self.declared: dict[str, str] = {}
        """The prefixes that the query declares."""
        self.base = ""
        self.leniencies: dict[str, None] = {}
        """What was let pass, in the order in which it was met."""
        self.labels: dict[str, str] = {}
        """The blank nodes that the query names."""
        self.blanks = 0
        """How many blank nodes there are so far."""
        self.variables = 0
        """How many variables had to be named so far."""
        self.aggregates = False
        """Whether an aggregate was met."""

    def lenient(self, name: str) -> None:
        """Note that something was let pass."""
        self.leniencies[name] = None

    def new_blank(self) -> str:
        """The label of a blank node that has none."""
        self.blanks += 1
        return f"_:b{self.blanks - 1}"

    def blank(self, label: str) -> str:
        """The label of a blank node that the query names."""
        if label not in self.labels:
            self.labels[label] = self.new_blank()
        return self.labels[label]

    def new_variable(self) -> str:
        """A variable that the query does not have."""
        while True:
            name = f"value{self.variables}"
            self.variables += 1
            if name not in self.text:
                return f"?{name}"


class _Current(local):
    """The reading that each thread is at: the parser calls the builder with what it has read, and nothing else."""

    reading: Reading


CURRENT = _Current()
