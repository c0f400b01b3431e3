"""Every derivation of a synchronous grammar within its limits, small ones first, and how many there are.

The order: by the number of rules used; then by the rules of the file, the first rule first; then by the sizes of the
children, smaller first children first; then by the children themselves in the same order, the last one changing
fastest. Nothing is kept but counts, so any number of derivations can be listed.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.grammars.synchronous.limits import written_name
from recombine.grammars.terms.enumerate_terms import recursive_symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.formalism import Term
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
    from recombine.grammars.terms.grammar import Grammar


def iter_terms(grammar: SynchronousGrammar) -> Iterator[Term]:
    """The derivations in order; without end where the grammar is recursive in spite of its limits.

    >>> from itertools import islice
    >>> from recombine.grammars.synchronous.notation import packaged_synchronous
    >>> covr = packaged_synchronous("covr")
    >>> [covr.pair(term)[1] for term in islice(iter_terms(covr), 2)]
    ['exists ( find ( dog ) )', 'exists ( find ( cat ) )']
    """
    refined = grammar.refined
    sizes = _Sizes(refined)
    last = None if recursive_symbol(refined) is not None else _greatest_size(refined)
    for size in count(1):
        if last is not None and size > last:
            return
        for term in sizes.iter_terms(refined.start, size):
            if grammar.longest is None or grammar.length(term) <= grammar.longest:
                yield term


def count_terms(grammar: SynchronousGrammar) -> int:
    """How many derivations there are; the grammar must not be recursive in spite of its limits.

    >>> from recombine.grammars.synchronous.notation import packaged_synchronous
    >>> f"{count_terms(packaged_synchronous('covr')):.3e}"
    '4.410e+18'
    """
    refined = grammar.refined
    symbol = recursive_symbol(refined)
    if symbol is not None:
        raise OptionError(f"<{written_name(symbol)}> contains itself, so the grammar has no end", "limit it with %nest")
    return sum(_Lengths(grammar).counts(refined.start).values())


class _Lengths:
    """How many derivations of each symbol have which length; all have length 0 where none is too long."""

    def __init__(self, grammar: SynchronousGrammar) -> None:
        self.refined, self.lengths, self.longest = grammar.refined, grammar.lengths, grammar.longest
        self.known: dict[str, dict[int, int]] = {}

    def counts(self, symbol: str) -> dict[int, int]:
        """The numbers of derivations by length, those that are too long left out."""
        if symbol not in self.known:
            total: dict[int, int] = {}
            for rule in self.refined.by_lhs[symbol]:
                row = {0 if self.longest is None else self.lengths[written_name(rule.name)]: 1}
                for child in rule.children:
                    row = self._sums(row, self.counts(child))
                for length, number in row.items():
                    total[length] = total.get(length, 0) + number
            self.known[symbol] = total
        return self.known[symbol]

    def _sums(self, left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
        sums: dict[int, int] = {}
        for left_length, number in left.items():
            for right_length, times in right.items():
                if self.longest is None or left_length + right_length <= self.longest:
                    sums[left_length + right_length] = sums.get(left_length + right_length, 0) + number * times
        return sums


def _greatest_size(grammar: Grammar) -> int:
    known: dict[str, int] = {}

    def size(symbol: str) -> int:
        if symbol not in known:
            known[symbol] = max(1 + sum(size(child) for child in rule.children) for rule in grammar.by_lhs[symbol])
        return known[symbol]

    return size(grammar.start)


class _Sizes:
    """The derivations of each symbol by size; counts tell where there are none before they are looked for."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.counts: dict[tuple[tuple[str, ...], int], int] = {}
        self.least: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for rule in grammar.rules.values():
                if all(child in self.least for child in rule.children):
                    size = 1 + sum(self.least[child] for child in rule.children)
                    if size < self.least.get(rule.lhs, size + 1):
                        self.least[rule.lhs] = size
                        changed = True

    def number(self, symbols: tuple[str, ...], size: int) -> int:
        """How many rows of derivations of these symbols have this size together."""
        if not symbols:
            return int(size == 0)
        key = (symbols, size)
        if key not in self.counts:
            rest = symbols[1:]
            spare = sum(self.least[symbol] for symbol in rest)
            if rest:
                total = 0
                for part in range(self.least[symbols[0]], size - spare + 1):
                    first = self.number(symbols[:1], part)
                    total += first and first * self.number(rest, size - part)
            elif size < self.least[symbols[0]]:
                total = 0
            else:
                total = sum(self.number(rule.children, size - 1) for rule in self.grammar.by_lhs[symbols[0]])
            self.counts[key] = total
        return self.counts[key]

    def iter_terms(self, symbol: str, size: int) -> Iterator[Term]:
        """The derivations of a symbol that have this size."""
        for rule in self.grammar.by_lhs[symbol]:
            if self.number(rule.children, size - 1):
                name = written_name(rule.name)
                for children in self._iter_rows(rule.children, size - 1):
                    yield name, children

    def _iter_rows(self, symbols: tuple[str, ...], size: int) -> Iterator[tuple[Term, ...]]:
        if not symbols:
            if size == 0:
                yield ()
            return
        rest = symbols[1:]
        for part in range(self.least[symbols[0]], size + 1):
            if self.number(symbols[:1], part) and self.number(rest, size - part):
                for first in self.iter_terms(symbols[0], part):
                    for others in self._iter_rows(rest, size - part):
                        yield (first, *others)
