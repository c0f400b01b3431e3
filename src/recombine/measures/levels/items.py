"""The schema items of a program."""

from __future__ import annotations

from typing import NamedTuple


class Items(NamedTuple):
    """What a program is made of, less its entities and literals."""

    names: frozenset[str]
    """Relations and classes."""
    functions: frozenset[str] = frozenset()
    """Functions, and where they were asked for, further constructs of the language."""

    @property
    def all(self) -> frozenset[str]:
        """Names and functions."""
        return self.names | self.functions
