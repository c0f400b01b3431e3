"""What was selected: rows of the pool in the order they were taken, each with a reason in words."""

from __future__ import annotations

from dataclasses import dataclass

from recombine.errors import OptionError, SizeError


@dataclass(frozen=True)
class Selected:
    """Rows and reasons; a method that has no reason gives empty ones."""

    rows: tuple[int, ...]
    reasons: tuple[str, ...]
    note: str = ""
    """What the caller should know, such as why there are fewer than asked for."""


def check_number(number: int, pool: int) -> None:
    """Refuse numbers that the pool cannot give."""
    if isinstance(number, bool) or number < 1:
        raise OptionError(f"cannot select {number} examples", "give a count of 1 or more")
    if number > pool:
        raise SizeError(f"{number} examples are asked for, but there are {pool}", "ask for fewer")
