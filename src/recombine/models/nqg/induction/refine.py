"""Refinement of a grammar: part of it is taken away and learned again, and the result kept where it is shorter.

A greedy search stops in the first place from which no single rule helps. A round takes a rule at random with those of
the most similar targets out of use, puts back as rules the examples that then have no derivation, and runs the greedy
search from there. What decides is the exact objective of the search, not an estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.models.nqg.induction.search import GrammarSearch

FEWEST, MOST = 2, 11  # rules taken away in a round
SHARE = 0.2  # of the rules, beyond the fewest: half of a small grammar would be a new start
BARRED = 0.5  # of the rounds, in which what was taken away may not come back
JITTER = 0.3  # of the similarity, so that rounds from one rule differ


def refine(search: GrammarSearch, rounds: int, progress: Callable[[float], None] | None = None) -> float:
    """Improve the grammar of a search that has run, and return its objective."""
    best = search.objective()
    for _ in range(rounds):
        kept = search.snapshot()
        rules = choose(search)
        take_away(search, rules)
        search.run(barred=rules if search.generator.random() < BARRED else ())
        reached = search.objective()
        if reached < best:
            best = reached
            search.keep()
        else:
            search.restore(kept)
        if progress is not None:
            progress(best)
    return best


def choose(search: GrammarSearch) -> list[int]:
    """A rule in use at random, with those whose targets have most tokens in common with its own."""
    rules = list(search.goals)
    # Slots are all one token here, so that targets of slots alone are alike too.
    tokens = [{max(code, 1) for code in search.pieces[rule].target} for rule in rules]
    chosen = tokens[int(search.generator.integers(len(rules)))]
    most = min(MOST, FEWEST + int(SHARE * len(rules)))
    size = int(search.generator.integers(FEWEST, most + 1))
    shares = np.array([len(chosen & target) / (1 + len(chosen | target)) for target in tokens])
    order = np.argsort(-(shares + JITTER * search.generator.random(len(rules))), kind="stable")
    return [rules[k] for k in order[:size]]


def take_away(search: GrammarSearch, rules: list[int]) -> None:
    """Take rules out of use, and put the examples that then have no derivation back as rules."""
    changed = {touched for rule in rules for touched in search.touched(rule)}
    for rule in rules:
        search.drop(rule)
    examples = np.unique(np.concatenate([search.examples_of(rule) for rule in rules]))
    search.count(examples)
    missing = [search.examples[k] for k in examples[~np.isfinite(search.bits[examples])].tolist()]
    # All of these are charted below, so it is enough to look for others that they touch.
    changed.update(touched for rule in missing for touched in search.touched(rule))
    changed.update(missing)
    search.use(missing)
    # What candidates cost was estimated for another grammar.
    search.cost[:] = 0.0
    search.refresh(sorted(changed))
