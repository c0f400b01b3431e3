"""The derivations a user asks for: all of a finite grammar, or a given number of distinct ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, SizeError
from recombine.grammars.terms.enumerate_terms import enumerate_terms, recursive_symbol
from recombine.grammars.terms.sample_terms import sample_terms
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from recombine.grammars.terms.grammar import Grammar
    from recombine.grammars.terms.rule import Term

_TRIES = 50


def generate_terms(grammar: Grammar, number: int | None, *, seed: int, max_depth: int | None = None) -> list[Term]:
    """Terms of the grammar without repeats.

    Without a number all terms come, in the order of the rules. With one, a finite grammar gives each term the same
    chance; a recursive one without a depth is sampled by the weights of its rules.
    """
    if number is not None and number < 1:
        raise OptionError(f"cannot make {number} examples", "give a count of 1 or more")
    if number is None or max_depth is not None or recursive_symbol(grammar) is None:
        terms = enumerate_terms(grammar, max_depth=max_depth)
        if number is None:
            return terms
        if number > len(terms):
            raise SizeError(f"{number} examples are asked for, but the grammar makes {len(terms)}", "ask for fewer")
        chosen = make_generator(seed).permutation(len(terms))[:number]
        return [terms[int(place)] for place in sorted(chosen)]
    distinct = dict.fromkeys(sample_terms(grammar, _TRIES * number, seed=seed))
    if len(distinct) < number:
        raise SizeError(
            f"{_TRIES * number} draws gave {len(distinct)} distinct examples, not {number}",
            "ask for fewer, or give the rules other weights",
        )
    return list(distinct)[:number]
