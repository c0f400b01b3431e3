"""A rule of a quasi-synchronous context-free grammar with one non-terminal (NQG-T5 paper, §4.1.1).

A rule rewrites the non-terminal into a source and a target at once. Both are sequences of tokens and slots; a slot is a
place for a phrase, `NT_1` or `NT_2` in text and the integers 1 and 2 here. What holds of every rule:

- neither side is empty, and both have the same slots;
- on the source each slot stands at most once, `NT_1` before `NT_2`; on the target a slot may be repeated;
- the source is never a lone slot, so a chain of rules that consume nothing cannot exist.

In text a rule is `source ### target`. Tokens are what stands between blanks. A token that is itself `###`, `NT_1` or
`NT_2`, or that begins with a backslash, is written with a backslash in front.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import RecombineError

if TYPE_CHECKING:
    from collections.abc import Sequence

Symbol = str | int
SLOTS = {"NT_1": 1, "NT_2": 2}
MARK = "###"


@dataclass(frozen=True, slots=True)
class QcfgRule:
    """A source and a target that are derived together.

    >>> rule = QcfgRule.parse("NT_1 after NT_2 ### NT_2 NT_1")
    >>> rule.source, rule.target
    ((1, 'after', 2), (2, 1))
    >>> print(QcfgRule.of((2, "and", 1), (2, 1)))
    NT_1 and NT_2 ### NT_1 NT_2
    """

    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]

    def __post_init__(self) -> None:
        problem = _problem(self.source, self.target)
        if problem:
            raise RecombineError(f"not a rule: {render(self.source)} {MARK} {render(self.target)}: {problem}", _FORM)

    @classmethod
    def of(cls, source: Sequence[Symbol], target: Sequence[Symbol]) -> QcfgRule:
        """A rule with its slots numbered in the order of the source."""
        order = {slot: number for number, slot in enumerate((s for s in source if isinstance(s, int)), start=1)}
        return cls(
            tuple(order[s] if isinstance(s, int) else s for s in source),
            tuple(order.get(s, s) if isinstance(s, int) else s for s in target),
        )

    @classmethod
    def parse(cls, text: str) -> QcfgRule:
        """Read what `str` wrote."""
        sides = split_fields(text)
        if len(sides) != 2:
            raise RecombineError(f"not a rule: {text!r} has {len(sides) - 1} marks {MARK}", _FORM)
        return cls.of(*(tuple(_symbol(token) for token in side) for side in sides))

    @property
    def arity(self) -> int:
        """How many slots the rule has: 0, 1 or 2."""
        return sum(isinstance(symbol, int) for symbol in self.source)

    def apply(self, *parts: Sequence[str]) -> tuple[str, ...]:
        """The target with its slots filled.

        >>> QcfgRule.parse("NT_1 twice ### NT_1 NT_1").apply(("I_JUMP",))
        ('I_JUMP', 'I_JUMP')
        """
        filled: list[str] = []
        for symbol in self.target:
            filled.extend(parts[symbol - 1]) if isinstance(symbol, int) else filled.append(symbol)
        return tuple(filled)

    def __str__(self) -> str:
        return f"{render(self.source)} {MARK} {render(self.target)}"


_FORM = "a rule reads `source ### target`, with NT_1 and NT_2 as slots"


def tokens(text: str) -> tuple[str, ...]:
    """What stands between the blanks of a text.

    >>> tokens(" jump  twice")
    ('jump', 'twice')
    """
    parts = text.split(" ")
    return tuple(part for part in parts if part) if "" in parts else tuple(parts)


def is_regular(texts: Sequence[str]) -> bool:
    """Whether all texts have tokens with single blanks between them and no line breaks; seen in all at once.

    >>> is_regular(["jump twice", "walk"]), is_regular(["jump", ""]), is_regular(["jump", " walk"])
    (True, False, False)
    """
    joined = "\0".join(["", *texts, ""])
    return not any(each in joined for each in ("\n", "  ", "\0 ", " \0", "\0\0"))


def render(symbols: Sequence[Symbol]) -> str:
    """One side of a rule as text."""
    return " ".join(f"NT_{symbol}" if isinstance(symbol, int) else _escaped(symbol) for symbol in symbols)


def split_fields(text: str) -> list[list[str]]:
    """The tokens of each field of a line, where fields are parted by the mark."""
    fields: list[list[str]] = [[]]
    for token in tokens(text):
        fields.append([]) if token == MARK else fields[-1].append(token)
    return fields


def _escaped(token: str) -> str:
    return f"\\{token}" if token in SLOTS or token == MARK or token.startswith("\\") else token


def _symbol(token: str) -> Symbol:
    return SLOTS[token] if token in SLOTS else token.removeprefix("\\")


def _problem(source: tuple[Symbol, ...], target: tuple[Symbol, ...]) -> str:
    """What is wrong with a pair of sides as a rule; empty where nothing is."""
    slots = [symbol for symbol in source if isinstance(symbol, int)]
    if not source or not target:
        return "a side is empty"
    if slots not in ([], [1], [1, 2]):
        return "the source has a slot twice, out of order, or more than two"
    if set(slots) != {symbol for symbol in target if isinstance(symbol, int)}:
        return "source and target have different slots"
    if slots and len(source) == 1:
        return "the source is a lone slot"
    return ""
