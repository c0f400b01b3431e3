"""So many distinct derivations of a grammar, as a user asks for them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from recombine.errors import OptionError, SizeError
from recombine.grammars.terms.enumerate_terms import enumerate_terms, recursive_symbol
from recombine.grammars.terms.sample_terms import iter_samples
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.grammar import Grammar

_TRIES = 50


def draw_terms(grammar: Grammar, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Term]:
    """Terms of the grammar without repeats.

    A finite grammar, or one with a greatest depth, gives each term the same chance, and they come in the order of the
    rules; a recursive one without a depth is sampled by the weights of its rules.
    """
    if isinstance(number, bool) or number < 1:
        raise OptionError(f"cannot make {number} examples", "give a count of 1 or more")
    if max_depth is None and recursive_symbol(grammar) is not None:
        return _iter_distinct(iter_samples(grammar, seed=seed), number)
    terms = enumerate_terms(grammar, max_depth=max_depth)
    if number > len(terms):
        raise SizeError(f"{number} examples are asked for, but the grammar makes {len(terms)}", "ask for fewer")
    chosen = make_generator(seed).permutation(len(terms))[:number]
    return (terms[int(place)] for place in sorted(chosen))


def _iter_distinct(samples: Iterator[Term], number: int) -> Iterator[Term]:
    seen: set[Term] = set()
    for term in islice(samples, _TRIES * number):
        if term not in seen:
            seen.add(term)
            yield term
            if len(seen) == number:
                return
    raise SizeError(
        f"{_TRIES * number} draws gave {len(seen)} distinct examples, not {number}",
        "ask for fewer, or give the rules other weights",
    )
