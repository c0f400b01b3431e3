"""Why a program has no valid answer over some pictures."""

from __future__ import annotations

from enum import StrEnum

from recombine.errors import RecombineError


class Reason(StrEnum):
    """The reasons, as they are counted and said."""

    EMPTY_SUBJECT = "empty subject"
    NOT_UNIQUE = "not unique"
    NEITHER_CHOICE = "neither choice"
    BOTH_CHOICES = "both choices"
    NO_VALUE = "no value of a type"
    SEVERAL_VALUES = "several values of a type"
    OVER_FIVE = "number over 5"


class NoAnswer(RecombineError):  # noqa: N818
    """A program that has no valid answer over the pictures it is asked of."""

    def __init__(self, reason: Reason, operator: str) -> None:
        self.reason, self.operator = reason, operator
        super().__init__(f"no valid answer at {operator!r}: {reason}", "ask of other pictures")

    def __reduce__(self) -> tuple[type[NoAnswer], tuple[Reason, str]]:
        return type(self), (self.reason, self.operator)
