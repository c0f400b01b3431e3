"""The examples a user asks for: all of a small synchronous grammar, or a given number of distinct ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import SizeError
from recombine.grammars.synchronous.enumerate import count_terms, iter_terms
from recombine.grammars.synchronous.sample import sample_distinct
from recombine.records.example import Example

if TYPE_CHECKING:
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

MOST = 1_000_000
"""How many derivations are listed without a number being asked for."""


def generate_synchronous(grammar: SynchronousGrammar, number: int | None, *, seed: int) -> tuple[list[Example], int]:
    """Examples with different texts, and how many derivations were left out since earlier ones make the same texts.

    Without a number all come, small ones first; with one, they are drawn by the weights of the rules and come in the
    order they were drawn.

    >>> from recombine.grammars.synchronous.notation import parse_synchronous
    >>> g = parse_synchronous("%start <S>\\n%nest <S> 2\\na: <S> -> x <S> => <S> y\\nb: <S> -> z => z")
    >>> examples, same = generate_synchronous(g, None, seed=0)
    >>> [example.target for example in examples], same
    (['z', 'z y'], 0)
    """
    if number is not None:
        samples = sample_distinct(grammar, number, seed=seed)
        return [Example.of(source, target, grammar.derivation(term)) for source, target, term in samples], 0
    total = count_terms(grammar)
    if total > MOST:
        raise SizeError(
            f"{grammar.name} has {total:.3g} derivations", "say how many distinct examples to make: -n 1000"
        )
    distinct: dict[str, Example] = {}
    for term in iter_terms(grammar):
        example = grammar.example(term)
        distinct.setdefault(example.id, example)
    return list(distinct.values()), total - len(distinct)
