"""Which rules a grammar has and which symbols they join, whatever kind of grammar it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class RuleTable:
    """The rules of a grammar under the names that derivations use: the symbol of each and the symbols it asks for.

    >>> from recombine.grammars.find_grammar import find_grammar
    >>> table = find_grammar("covr").rule_table()
    >>> len(table.symbol), table.symbol["existing"], sorted(table.asks["existing"])
    (72, 'boolean_single', ['exists', 'some_ref'])
    """

    name: str
    symbol: Mapping[str, str]
    asks: Mapping[str, frozenset[str]]
    lexical: frozenset[str] = frozenset()

    @cached_property
    def by_symbol(self) -> dict[str, list[str]]:
        """The rules of each symbol, in file order."""
        table: dict[str, list[str]] = {}
        for rule, symbol in self.symbol.items():
            table.setdefault(symbol, []).append(rule)
        return table

    def meaningful_symbols(self) -> list[str]:
        """Symbols with two rules or more, or that two rules or more ask for; symbols declared lexical are left out.

        >>> none = frozenset()
        >>> table = RuleTable("", {"a": "S", "b": "S", "c": "T"}, {"a": frozenset("T"), "b": none, "c": none})
        >>> table.meaningful_symbols()
        ['S']
        """
        asked = {symbol: sum(symbol in asks for asks in self.asks.values()) for symbol in self.by_symbol}
        return [
            symbol
            for symbol, rules in self.by_symbol.items()
            if symbol not in self.lexical and (len(rules) >= 2 or asked[symbol] >= 2)
        ]
