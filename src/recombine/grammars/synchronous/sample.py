"""Random pairs of a synchronous grammar, each with its derivation.

At each symbol a rule is drawn by weight among those that stay within the limits and can end; both texts are put
together on the way back up. What is longer than the grammar allows is drawn again. A grammar that is recursive in spite
of its limits also has a greatest depth.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate, islice
from math import inf
from typing import TYPE_CHECKING

from recombine.errors import OptionError, SizeError
from recombine.grammars.formalism import Derived
from recombine.grammars.synchronous.limits import written_name
from recombine.grammars.terms.enumerate_terms import recursive_symbol
from recombine.grammars.terms.sample_terms import _least_depths
from recombine.records.seen_keys import SeenKeys
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.formalism import Term
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

BLOCK = 8192
MANY = 1 << 15
"""From so many pairs on, loading the compiled code of `draw_many` takes less time than it saves."""
REFUSED = 10_000
TRIES = 50
"""How many draws per wanted pair `sample_distinct` makes before it gives up."""


# A source, a target and a term: a sample as it is put together, where a plain tuple is quicker.
_Drawn = tuple[str, str, "Term"]


@dataclass(slots=True)
class CompiledRule:
    """A rule ready to be drawn; `leaf` is what a rule without children makes."""

    name: str
    source: str
    target: str
    order: tuple[int, ...]
    children: list[CompiledSymbol]
    leaf: _Drawn | None


@dataclass(slots=True)
class CompiledSymbol:
    """The rules of a symbol and the shares of 1 at which each ends."""

    rules: list[CompiledRule] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


def iter_samples(grammar: SynchronousGrammar, *, seed: int, max_depth: int = 48) -> Iterator[Derived]:
    """Samples without end; `max_depth` counts only where the grammar is recursive in spite of its limits.

    >>> from recombine.grammars.synchronous.notation import packaged_synchronous
    >>> sample = next(iter_samples(packaged_synchronous("covr"), seed=2))
    >>> sample.source
    'all of black mouse that is playing with mouse are triangle'
    >>> sample.term[0], sample.term[1][0][0]
    ('statement', 'single')
    """
    start = compiled_start(grammar, max_depth)
    draw = _iter_uniforms(seed)
    longest = inf if grammar.longest is None else grammar.longest
    refused = 0
    while True:
        source, target, term = _draw(start, draw)
        words = target.split()
        if len(words) > longest and grammar.length(term) > longest:
            refused += 1
            if refused == REFUSED:
                raise too_long(longest)
            continue
        refused = 0
        yield Derived(" ".join(source.split()), " ".join(words), term)


def sample_distinct(grammar: SynchronousGrammar, number: int, *, seed: int, max_depth: int = 48) -> list[Derived]:
    """`number` samples with different texts, in the order they were drawn."""
    return list(iter_distinct(grammar, number, seed=seed, max_depth=max_depth))


def iter_distinct(grammar: SynchronousGrammar, number: int, *, seed: int, max_depth: int = 48) -> Iterator[Derived]:
    """The samples of `sample_distinct`, one by one; that there are too few is said at the end."""
    if isinstance(number, bool) or number < 1:
        raise OptionError(f"cannot make {number} examples", "give a count of 1 or more")
    return _iter_distinct(iter_samples(grammar, seed=seed, max_depth=max_depth), number)


def _iter_distinct(samples: Iterator[Derived], number: int) -> Iterator[Derived]:
    seen = SeenKeys()  # digests, for the texts themselves would be most of what a million examples take
    distinct = 0
    for sample in islice(samples, TRIES * number):
        texts = f"{len(sample.source)} {sample.source}{sample.target}".encode(errors="surrogatepass")
        if seen.add(blake2b(texts, digest_size=16).digest()):
            distinct += 1
            yield sample
            if distinct == number:
                return
    raise too_few(TRIES * number, distinct, number)


def too_long(longest: float) -> SizeError:
    """What to raise where derivations within the greatest length do not come."""
    return SizeError(f"{REFUSED} derivations in a row are longer than {longest}", "raise %longest in the grammar file")


def too_few(draws: int, distinct: int, number: int) -> SizeError:
    """What to raise where so many draws do not give enough."""
    return SizeError(
        f"{draws} draws gave {distinct} distinct examples, not {number}",
        "ask for fewer, or give the rules other weights",
    )


def _iter_uniforms(seed: int) -> Iterator[float]:
    generator = make_generator(seed)
    while True:
        yield from generator.random(BLOCK).tolist()


def _draw(symbol: CompiledSymbol, uniforms: Iterator[float]) -> _Drawn:
    rules = symbol.rules
    rule = rules[0] if len(rules) == 1 else rules[bisect_right(symbol.shares, next(uniforms))]
    if rule.leaf is not None:
        return rule.leaf
    if len(rule.children) == 1:
        source, target, term = _draw(rule.children[0], uniforms)
        return rule.source % source, rule.target % target, (rule.name, (term,))
    sources, targets, terms = zip(*[_draw(child, uniforms) for child in rule.children], strict=True)
    return rule.source % sources, rule.target % tuple([targets[place] for place in rule.order]), (rule.name, terms)


def compiled_start(grammar: SynchronousGrammar, max_depth: int) -> CompiledSymbol:
    """The start symbol with all below it, each symbol once, or once per depth left where the grammar is recursive."""
    refined = grammar.refined
    recursive = recursive_symbol(refined) is not None
    least = _least_depths(refined)
    if recursive and least[refined.start] > max_depth:
        raise OptionError(
            f"no derivation has depth {max_depth} or less", f"allow a depth of at least {least[refined.start]}"
        )
    start = (refined.start, max_depth if recursive else 0)
    made: dict[tuple[str, int], CompiledSymbol] = {start: CompiledSymbol()}
    queue = [start]
    for symbol, depth in queue:
        below = depth - 1 if recursive else 0
        kept = [r for r in refined.by_lhs[symbol] if not recursive or all(least[c] <= below for c in r.children)]
        total = sum(rule.weight for rule in kept)
        here = made[symbol, depth]
        # The last share is left out, so that rounding cannot lead past the last rule.
        here.shares = [share / total for share in accumulate(rule.weight for rule in kept)][:-1]
        for rule in kept:
            for child in rule.children:
                if (child, below) not in made:
                    made[child, below] = CompiledSymbol()
                    queue.append((child, below))
            name = written_name(rule.name)
            template = grammar.templates[name]
            leaf = None if rule.children else (template.source % (), template.target % (), (name, ()))
            children = [made[child, below] for child in rule.children]
            here.rules.append(CompiledRule(name, *template, children, leaf))
    return made[start]
