"""Every set of rule pairs that a grammar split can hold out, on given data (local-structures paper, App. B.2).

For each two meaningful symbols, the pairs of a rule of the one and a rule of the other are held out in three ways: all
of them, each alone, and all that share a rule. The published splits follow three rules that the paper does not spell
out, and so does this file: a pair is taken only where each rule also occurs without the other, since holding it out
would take a rule out of training altogether; a rule that occurs exactly where an earlier one of another symbol does is
redundant; and of sets with the same test examples the first is kept. A set is invalid where a word of its test
programs is in no training program, or where either side is empty. Whatever is left out is counted.

Sets of examples are whole numbers, one bit per example.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from recombine.grammars.rule_pairs import RulePairs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from recombine.grammars.rule_table import RuleTable


@dataclass(frozen=True)
class HeldOutPairs:
    """A set of rule pairs and the examples that hold one of them."""

    pairs: RulePairs
    test: int


@dataclass(frozen=True)
class HeldOutSets:
    """The sets that give a split, and how many were left out."""

    sets: tuple[HeldOutPairs, ...]
    redundant_rules: int
    implied_pairs: int
    invalid: int
    repeated: int


def bit_sets(rows: Iterable[Collection[str]]) -> dict[str, int]:
    """For each item, the rows that hold it.

    >>> bit_sets([{"a", "b"}, {"b"}])
    {'a': 1, 'b': 3}
    """
    positions: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for item in sorted(set(row)):
            positions.setdefault(item, []).append(number)
    return {item: _bits(numbers) for item, numbers in sorted(positions.items())}


def _bits(numbers: Sequence[int]) -> int:
    data = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        data[number // 8] |= 1 << number % 8
    return int.from_bytes(data, "little")


class RuleOccurrences:
    """Where the rules and the words of programs occur in a data set."""

    def __init__(self, table: RuleTable, rules: Sequence[Collection[str]], words: Sequence[Collection[str]]) -> None:
        self.table = table
        self.everything = (1 << len(rules)) - 1
        self.rules = bit_sets(rules)
        self.words = bit_sets(words)

    def test(self, pairs: RulePairs) -> int:
        """The examples that hold both rules of some pair."""
        rows = 0
        for left, right in pairs.pairs:
            rows |= self.rules.get(left, 0) & self.rules.get(right, 0)
        return rows

    def unseen_words(self, test: int) -> list[str]:
        """The words of test programs that no training program has."""
        train = self.everything & ~test
        return [word for word, rows in self.words.items() if rows & test and not rows & train]

    def valid(self, test: int) -> bool:
        """Whether both sides have examples and training has every word of the test programs."""
        return bool(test) and test != self.everything and not self.unseen_words(test)

    def sets(self) -> HeldOutSets:
        """All sets of pairs to hold out, each with another test side."""
        candidates, redundant = self._candidates()
        by_test: dict[int, HeldOutPairs] = {}
        implied = invalid = repeated = 0
        for one, other in combinations(candidates, 2):
            together = [(left, right) for left in candidates[one] for right in candidates[other]]
            kept = [pair for pair in together if self._independent(*pair)]
            implied += len(together) - len(kept)
            for pairs in _ways(kept, [*candidates[one], *candidates[other]]):
                test = self.test(pairs)
                if not self.valid(test):
                    invalid += 1
                elif test in by_test:
                    repeated += 1
                else:
                    by_test[test] = HeldOutPairs(pairs, test)
        return HeldOutSets(tuple(by_test.values()), redundant, implied, invalid, repeated)

    def _candidates(self) -> tuple[dict[str, list[str]], int]:
        """The rules of each meaningful symbol that occur, and how many were left out as redundant."""
        first: dict[int, str] = {}
        kept: dict[str, list[str]] = {}
        redundant = 0
        for symbol in self.table.meaningful_symbols():
            kept[symbol] = []
            for rule in self.table.by_symbol[symbol]:
                if rule not in self.rules:
                    continue
                if first.setdefault(self.rules[rule], symbol) == symbol:
                    kept[symbol].append(rule)
                else:
                    redundant += 1
        return kept, redundant

    def _independent(self, left: str, right: str) -> bool:
        """Whether two rules occur together, and each of them without the other."""
        one, other = self.rules[left], self.rules[right]
        both = one & other
        return both not in (0, one, other)


def _ways(pairs: Sequence[tuple[str, str]], rules: Sequence[str]) -> Iterator[RulePairs]:
    """All pairs; each alone; all that share a rule. Equal sets come once."""
    sets = [tuple(pairs), *((pair,) for pair in pairs)]
    sets += [tuple(pair for pair in pairs if rule in pair) for rule in rules]
    for way in dict.fromkeys(sets):
        if way:
            yield RulePairs(way)
