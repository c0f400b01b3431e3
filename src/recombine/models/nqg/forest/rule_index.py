"""Rules as integers in a growing trie, for the kernels."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.nqg.forest.arrays import Rules
from recombine.models.nqg.forest.chart_kernels import insert, rehash, switch_off, switch_on
from recombine.models.nqg.rule import QcfgRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.rule import Symbol

UNKNOWN = 2**31 - 2
"""The code of a token that no rule has."""


class RuleIndex:
    """The rules of a grammar under construction; a rule taken out keeps its number and can be put back."""

    def __init__(self, rules: Iterable[QcfgRule] = ()) -> None:
        self.codes: dict[Symbol, int] = {1: 0, 2: 1}
        self.words: list[str] = []
        self.arrays = Rules(
            keys=np.zeros(1024, np.int64),
            nodes=np.zeros(1024, np.int32),
            place=np.zeros(256, np.int32),
            parent=np.zeros(256, np.int32),
            alive=np.zeros(256, np.int32),
            head=np.full(256, -1, np.int32),
            after=np.zeros(64, np.int32),
            end=np.zeros(64, np.int32),
            active=np.zeros(64, np.bool_),
            source_at=np.zeros(65, np.int64),
            source=np.zeros(256, np.int32),
            target_at=np.zeros(65, np.int64),
            target=np.zeros(256, np.int32),
            size=np.array([1, 0], np.int64),
        )
        for rule in rules:
            self.add(*self.encode(rule))

    def encode(self, rule: QcfgRule) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The sides of a rule as integers; new tokens get codes."""
        return self.learn(rule.source), self.learn(rule.target)

    def learn(self, symbols: Sequence[Symbol]) -> NDArray[np.int32]:
        """Symbols as integers; new tokens get codes."""
        for symbol in dict.fromkeys(symbols):
            if symbol not in self.codes:
                self.codes[symbol] = len(self.words) + 2
                self.words.append(str(symbol))
        return np.fromiter(map(self.codes.__getitem__, symbols), np.int32, len(symbols))

    def look_up(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Tokens as integers; those that no rule has share one code."""
        return np.fromiter(map(self.codes.get, tokens, repeat(UNKNOWN)), np.int32, len(tokens))

    def decode(self, source: Sequence[int], target: Sequence[int]) -> QcfgRule:
        """The rule of integers."""
        return QcfgRule(self._symbols(source), self._symbols(target))

    def _symbols(self, row: Sequence[int]) -> tuple[Symbol, ...]:
        return tuple(int(code) + 1 if code < 2 else self.words[code - 2] for code in row)

    def rule(self, number: int) -> QcfgRule:
        """The rule of a number."""
        return self.decode(*(side.tolist() for side in self.sides(number)))

    def sides(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The sides of a rule as integers."""
        a = self.arrays
        return (
            a.source[a.source_at[number] : a.source_at[number + 1]],
            a.target[a.target_at[number] : a.target_at[number + 1]],
        )

    def __len__(self) -> int:
        return int(self.arrays.size[1])

    def active(self) -> list[int]:
        """The numbers of the rules in use."""
        return [int(number) for number in np.flatnonzero(self.arrays.active[: len(self)])]

    def add(self, source: NDArray[np.int32], target: NDArray[np.int32]) -> int:
        """Put a rule into the trie and return its number."""
        self.reserve(source.size, target.size)
        return int(insert(self.arrays, source, target))

    def switch(self, number: int, on: bool) -> None:
        """Put a rule in use or out of use."""
        if bool(self.arrays.active[number]) != on:
            (switch_on if on else switch_off)(self.arrays, number)

    def reserve(self, source: int, target: int) -> None:
        """Make room for one more rule with sides of these lengths."""
        a = self.arrays
        nodes, rules = int(a.size[0]), int(a.size[1])
        if nodes + source > a.head.size:
            self.arrays = a = _lengthen(a, ("place", "parent", "alive", "head"), nodes + source)
        if rules + 2 > a.after.size:
            self.arrays = a = _lengthen(a, ("after", "end", "active", "source_at", "target_at"), rules + 3)
        if a.source_at[rules] + source > a.source.size:
            self.arrays = a = _lengthen(a, ("source",), int(a.source_at[rules]) + source)
        if a.target_at[rules] + target > a.target.size:
            self.arrays = a = _lengthen(a, ("target",), int(a.target_at[rules]) + target)
        if 3 * (nodes + source) > a.keys.size:
            self._rehash()

    def _rehash(self) -> None:
        keys, nodes = np.zeros(4 * self.arrays.keys.size, np.int64), np.zeros(4 * self.arrays.keys.size, np.int32)
        rehash(self.arrays, keys, nodes)
        self.arrays = self.arrays._replace(keys=keys, nodes=nodes)


def _lengthen(arrays: Rules, names: Iterable[str], needed: int) -> Rules:
    """The arrays with room for twice as many entries as are needed in some of them."""
    longer = {}
    for name in names:
        old = getattr(arrays, name)
        longer[name] = np.zeros(2 * needed, old.dtype)
        longer[name][: old.size] = old
    return arrays._replace(**longer)
