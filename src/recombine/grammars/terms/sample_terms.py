"""Random derivations of a grammar, by the weights of its rules."""

from __future__ import annotations

from itertools import islice, repeat
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.grammar import Grammar


def sample_terms(grammar: Grammar, count: int, *, seed: int, max_depth: int = 32) -> list[Term]:
    """Terms drawn one by one: at each symbol a rule is drawn by weight among those that can end in the depth left.

    >>> from recombine.grammars.terms.read_grammar import packaged_grammar
    >>> scan = packaged_grammar("scan")
    >>> [scan.source(term) for term in sample_terms(scan, 2, seed=1)]
    ['turn opposite left after look thrice', 'run twice after look twice']
    """
    if count < 0:
        raise OptionError(f"cannot sample {count} examples", "give a count of 0 or more")
    return list(islice(iter_samples(grammar, seed=seed, max_depth=max_depth), count))


def iter_samples(grammar: Grammar, *, seed: int, max_depth: int = 32) -> Iterator[Term]:
    """The terms of `sample_terms`, without end."""
    generator = make_generator(seed)
    least = _least_depths(grammar)
    if least[grammar.start] > max_depth:
        raise OptionError(
            f"no derivation has depth {max_depth} or less", f"allow a depth of at least {least[grammar.start]}"
        )
    return (_draw(grammar, grammar.start, max_depth, least, generator) for _ in repeat(None))


def _draw(grammar: Grammar, symbol: str, depth: int, least: dict[str, int], generator: np.random.Generator) -> Term:
    rules = [rule for rule in grammar.by_lhs[symbol] if all(least[child] < depth for child in rule.children)]
    weights = np.array([rule.weight for rule in rules])
    rule = rules[int(np.searchsorted(np.cumsum(weights), generator.random() * weights.sum(), side="right"))]
    return rule.name, tuple(_draw(grammar, child, depth - 1, least, generator) for child in rule.children)


def _least_depths(grammar: Grammar) -> dict[str, int]:
    """The depth of the flattest term of each symbol."""
    least: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for rule in grammar.rules.values():
            if all(child in least for child in rule.children):
                depth = 1 + max((least[child] for child in rule.children), default=0)
                if depth < least.get(rule.lhs, depth + 1):
                    least[rule.lhs] = depth
                    changed = True
    return least
