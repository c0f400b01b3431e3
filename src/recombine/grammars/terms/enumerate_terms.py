"""Every derivation of a grammar, in the order of its rules."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.grammars.contains_itself import contains_itself

if TYPE_CHECKING:
    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.grammar import Grammar


def enumerate_terms(grammar: Grammar, *, max_depth: int | None = None) -> list[Term]:
    """All terms from the start symbol; a recursive grammar needs a greatest depth (a lone rule has depth 1).

    >>> from recombine.grammars.terms.read_grammar import parse_grammar
    >>> g = parse_grammar("%start <S>\\na: <S> -> x <S> => <S> y\\nb: <S> -> z => z")
    >>> [g.source(t) + " / " + g.target(t) for t in enumerate_terms(g, max_depth=3)]
    ['x x z / z y y', 'x z / z y', 'z / z']
    """
    _refuse_endless(grammar, max_depth)
    memo: dict[tuple[str, int | None], list[Term]] = {}
    return _terms(grammar, grammar.start, max_depth, memo)


def count_terms(grammar: Grammar, *, max_depth: int | None = None) -> int:
    """How many terms there are, without listing them.

    >>> from recombine.grammars.terms.read_grammar import packaged_grammar
    >>> count_terms(packaged_grammar("scan"))
    20910
    """
    _refuse_endless(grammar, max_depth)
    return _count(grammar, grammar.start, max_depth, {})


def _refuse_endless(grammar: Grammar, max_depth: int | None) -> None:
    symbol = recursive_symbol(grammar) if max_depth is None else None
    if symbol is not None:
        raise OptionError(f"<{symbol}> contains itself, so the grammar has no end", "give a greatest depth")


def _count(grammar: Grammar, symbol: str, depth: int | None, memo: dict[tuple[str, int | None], int]) -> int:
    if depth == 0:
        return 0
    if (symbol, depth) not in memo:
        below = None if depth is None else depth - 1
        total = 0
        for rule in grammar.by_lhs[symbol]:
            ways = 1
            for child in rule.children:
                ways *= _count(grammar, child, below, memo)
            total += ways
        memo[symbol, depth] = total
    return memo[symbol, depth]


def _terms(
    grammar: Grammar, symbol: str, depth: int | None, memo: dict[tuple[str, int | None], list[Term]]
) -> list[Term]:
    if depth == 0:
        return []
    if (symbol, depth) not in memo:
        below = None if depth is None else depth - 1
        memo[symbol, depth] = [
            (rule.name, children)
            for rule in grammar.by_lhs[symbol]
            for children in product(*(_terms(grammar, child, below, memo) for child in rule.children))
        ]
    return memo[symbol, depth]


def recursive_symbol(grammar: Grammar) -> str | None:
    """A symbol that can contain itself, if there is one."""
    below = {symbol: {c for rule in rules for c in rule.children} for symbol, rules in grammar.by_lhs.items()}
    return contains_itself(below)
