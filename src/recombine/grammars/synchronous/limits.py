"""Limits on nesting, compiled away: a grammar with limits becomes a plain grammar that makes the same within them.

A limit says how often a symbol, in whatever variety, may occur on one way down from the root. Each symbol of the plain
grammar is divided by how often the limited symbols have occurred above it (`some_ref/1,0`), as far as they can still
occur below; a rule becomes one rule per division of its symbol (`related/1,0`). Rules that would break a limit, or that
could then never end in words, are left out. So sampling, counting, listing and parsing know nothing of limits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.grammars.terms.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.grammars.terms.rule import Rule

MARK = "/"
"""Not part of any written name, so that what is before it is the name in the file."""

State = tuple[int, ...]


def variety_of(symbol: str) -> str:
    """The symbol that a symbol is a variety of, or itself.

    >>> variety_of("ref-scene"), variety_of("ref")
    ('ref', 'ref')
    """
    return symbol.partition("-")[0]


def written_name(name: str) -> str:
    """The name in the file of a symbol or rule of a refined grammar."""
    return name.partition(MARK)[0]


def refine(grammar: Grammar, limits: Mapping[str, int]) -> Grammar | None:
    """The plain grammar of what a grammar makes within limits; none where they leave nothing.

    >>> from recombine.grammars.terms.read_grammar import parse_grammar
    >>> from recombine.grammars.terms.enumerate_terms import enumerate_terms
    >>> g = parse_grammar("%start <S>\\na: <S> -> x <S> => x <S>\\nb: <S> -> z => z")
    >>> refined = refine(g, {"S": 3})
    >>> [refined.source(term) for term in enumerate_terms(refined)]
    ['x x z', 'x z', 'z']
    """
    if not limits:
        return grammar
    refinement = _Refinement(grammar, limits)
    rules = refinement.rules()
    start = refinement.symbol(grammar.start, (0,) * len(limits))
    ends: set[str] = set()
    size = -1
    while size < len(ends):
        size = len(ends)
        ends.update(rule.lhs for rule in rules if ends.issuperset(rule.children))
    if start not in ends:
        return None
    kept = {rule.name: rule for rule in rules if ends.issuperset(rule.children)}
    return Grammar(grammar.name, start, kept, (), dict.fromkeys(ends, 1))


class _Refinement:
    """Divides symbols and rules, from the start on down."""

    def __init__(self, grammar: Grammar, limits: Mapping[str, int]) -> None:
        self.grammar = grammar
        self.names = sorted(limits)
        self.bounds = tuple(limits[name] for name in self.names)
        self.reach = _reach(grammar)

    def symbol(self, symbol: str, state: State) -> str:
        """A symbol with its state, which forgets what cannot occur below."""
        kept = (count if name in self.reach[symbol] else 0 for name, count in zip(self.names, state, strict=True))
        return f"{symbol}{MARK}{','.join(map(str, kept))}"

    def rules(self) -> list[Rule]:
        """The rules of every division that can be reached within the limits, in file order for each symbol."""
        first = self.symbol(self.grammar.start, (0,) * len(self.names))
        rules_of: dict[str, list[Rule]] = {first: []}
        queue = [first]
        for symbol in queue:
            written, _, text = symbol.partition(MARK)
            above = tuple(map(int, text.split(",")))
            here = variety_of(written)
            state = tuple(count + (name == here) for name, count in zip(self.names, above, strict=True))
            if any(count > bound for count, bound in zip(state, self.bounds, strict=True)):
                continue
            for rule in self.grammar.by_lhs[written]:
                children = tuple(self.symbol(child, state) for child in rule.children)
                rules_of[symbol].append(replace(rule, name=f"{rule.name}{MARK}{text}", lhs=symbol, children=children))
                for child in children:
                    if child not in rules_of:
                        rules_of[child] = []
                        queue.append(child)
        return [rule for rules in rules_of.values() for rule in rules]


def _reach(grammar: Grammar) -> dict[str, set[str]]:
    """What each symbol can be or hold, varieties taken together."""
    reach = {symbol: {variety_of(symbol)} for symbol in grammar.by_lhs}
    changed = True
    while changed:
        changed = False
        for rule in grammar.rules.values():
            size = len(reach[rule.lhs])
            for child in rule.children:
                reach[rule.lhs] |= reach[child]
            changed = changed or len(reach[rule.lhs]) > size
    return reach
