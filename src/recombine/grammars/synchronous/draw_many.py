"""Many random pairs of a synchronous grammar with their derivations: those of `sample.py`, by compiled code.

Derivations are drawn in blocks of arrays; texts and derivations are made of those that are kept. Of what came before
only digests are held, so that a million pairs take little room.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from recombine.grammars.formalism import Drawn
from recombine.grammars.synchronous.sample import REFUSED, TRIES, compiled_start, too_few, too_long
from recombine.grammars.terms.rule import Ref
from recombine.records.derivation import Derivation
from recombine.records.range_places import range_places
from recombine.records.seen_keys import SeenKeys
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recombine.grammars.synchronous.sample import CompiledRule, CompiledSymbol
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
    from recombine.grammars.terms.rule import Element

BLOCK = 1 << 11
"""The derivations that are drawn together, where there is room for their nodes."""
_NODES = 1 << 17
_NUMBERS = 1 << 17


def iter_many(grammar: SynchronousGrammar, number: int, *, seed: int, max_depth: int = 48) -> Iterator[Drawn]:
    """`number` pairs with different texts, in the order they were drawn: those of `iter_distinct`.

    >>> from recombine.grammars.synchronous.notation import packaged_synchronous
    >>> next(iter_many(packaged_synchronous("covr"), 10, seed=2)).source
    'all of black mouse that is playing with mouse are triangle'
    """
    compiled = _Compiled.of(grammar, compiled_start(grammar, max_depth))
    longest = np.inf if grammar.longest is None else grammar.longest
    seen = SeenKeys()
    distinct = tries = refused = 0
    for block in _iter_blocks(compiled, seed):
        kept: list[int] = []
        wanted = True
        for place, lengthy in enumerate(block.longer_than(longest)):
            refused = refused + 1 if lengthy else 0
            if refused == REFUSED:
                raise too_long(longest)
            if lengthy:
                continue
            tries += 1
            if seen.add(block.digest(place)):
                distinct += 1
                kept.append(place)
            wanted = distinct < number and tries < TRIES * number
            if not wanted:
                break
        yield from block.iter_drawn(kept)
        if not wanted:
            break
    if distinct < number:
        raise too_few(TRIES * number, distinct, number)


@dataclass(frozen=True)
class _Compiled:
    """A grammar as arrays; see `draw_kernels.py`."""

    rule_start: NDArray[np.int64]
    shares: NDArray[np.float64]
    child_start: NDArray[np.int64]
    children: NDArray[np.int64]
    sides: tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]
    """For sources and targets: where the items of each rule begin, and all items."""
    names: list[str]
    """The canonical name of each rule."""
    lengths: NDArray[np.int64]
    """What each rule adds to the length of a target."""
    words: list[str]

    @classmethod
    def of(cls, grammar: SynchronousGrammar, start: CompiledSymbol) -> _Compiled:
        """The arrays of all symbols that can be reached; the start is the first."""
        symbols = _reached(start)
        number = {id(symbol): place for place, symbol in enumerate(symbols)}
        rules = [rule for symbol in symbols for rule in symbol.rules]
        words: dict[str, int] = {}
        return cls(
            _starts([len(symbol.rules) for symbol in symbols]),
            np.array([share for symbol in symbols for share in (*symbol.shares, 1.0)]),
            _starts([len(rule.children) for rule in rules]),
            np.array([number[id(child)] for rule in rules for child in rule.children], np.int64),
            (
                _items([_source_items(grammar, rule, words) for rule in rules]),
                _items([_target_items(grammar, rule, words) for rule in rules]),
            ),
            [grammar.canonical[rule.name] for rule in rules],
            np.array([grammar.lengths[rule.name] for rule in rules], np.int64),
            list(words),
        )


def _reached(start: CompiledSymbol) -> list[CompiledSymbol]:
    symbols, known = [start], {id(start)}
    for symbol in symbols:
        for rule in symbol.rules:
            for child in rule.children:
                if id(child) not in known:
                    known.add(id(child))
                    symbols.append(child)
    return symbols


def _source_items(grammar: SynchronousGrammar, rule: CompiledRule, words: dict[str, int]) -> list[int]:
    children = range(len(rule.children))  # a source has its children in their order
    return _side_items(grammar.plain.rules[rule.name].source[0], children, words)


def _target_items(grammar: SynchronousGrammar, rule: CompiledRule, words: dict[str, int]) -> list[int]:
    return _side_items((grammar.plain.rules[rule.name].target or ((),))[0], rule.order, words)


def _side_items(elements: Sequence[Element], order: Sequence[int], words: dict[str, int]) -> list[int]:
    """Numbers of words, and -1 - k for the k-th child; what stands for children takes them in this order."""
    items: list[int] = []
    children = iter(order)
    for element in elements:
        if isinstance(element, Ref):
            items.append(-1 - next(children))
        else:
            items += [words.setdefault(word, len(words)) for word in element.split()]
    return items


def _items(rows: Sequence[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return _starts(list(map(len, rows))), np.array([item for row in rows for item in row], np.int64)


def _starts(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))


@dataclass(frozen=True)
class _Block:
    """Some derivations: their nodes in a row, and the numbers of the words of their sources and targets."""

    compiled: _Compiled
    node_starts: NDArray[np.int64]
    rules: NDArray[np.int32]
    parents: NDArray[np.int32]
    slots: NDArray[np.int32]
    texts: tuple[tuple[NDArray[np.int64], NDArray[np.int32]], ...]

    def longer_than(self, longest: float) -> list[bool]:
        """Which targets are too long, those words of one lexical rule counted as one."""
        words = np.diff(self.texts[1][0])
        lengths = np.add.reduceat(self.compiled.lengths[self.rules], self.node_starts[:-1])
        longer: list[bool] = ((words > longest) & (lengths > longest)).tolist()
        return longer

    def digest(self, place: int) -> bytes:
        """A digest of both texts."""
        (source_at, sources), (target_at, targets) = self.texts
        source = sources[source_at[place] : source_at[place + 1]]
        target = targets[target_at[place] : target_at[place + 1]]
        return blake2b(b"%d %b%b" % (len(source), source.tobytes(), target.tobytes()), digest_size=16).digest()

    def iter_drawn(self, places: list[int]) -> Iterator[Drawn]:
        """The pairs and derivations at these places."""
        starts, nodes = _rows_of(self.node_starts, places)
        names = tuple([self.compiled.names[rule] for rule in self.rules[nodes].tolist()])
        children = np.arange(len(nodes)) - np.repeat(starts[:-1], np.diff(starts))
        edges = tuple(zip(self.parents[nodes].tolist(), children.tolist(), self.slots[nodes].tolist(), strict=True))
        sides = []
        for at, words in self.texts:
            bounds, kept = _rows_of(at, places)
            listed = [self.compiled.words[word] for word in words[kept].tolist()]
            sides.append([" ".join(listed[first:last]) for first, last in pairwise(bounds.tolist())])
        for source, target, (first, last) in zip(*sides, pairwise(starts.tolist()), strict=True):
            yield Drawn(
                source, target, Derivation(names[first:last], edges[first + 1 : last])
            )  # the root fills no slot


def _rows_of(starts: NDArray[np.int64], places: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of rows that are kept one after the other, some: where each begins among them, and where their values are."""
    at = np.array(places, np.int64)
    lengths = starts[at + 1] - starts[at]
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return begins, range_places(starts[at], lengths)


def _iter_blocks(compiled: _Compiled, seed: int) -> Iterator[_Block]:
    """Derivations without end."""
    from recombine.grammars.synchronous.draw_kernels import draw, write_texts

    generator = make_generator(seed)
    numbers, first, room = generator.random(_NUMBERS), 0, _NODES
    while True:
        rules, parents, slots, sizes = (np.empty(room, np.int32) for _ in range(4))
        node_starts = np.zeros(BLOCK + 1, np.int64)
        drawn, used, full = draw(
            numbers,
            first,
            compiled.rule_start,
            compiled.shares,
            compiled.child_start,
            compiled.children,
            node_starts,
            rules,
            parents,
            slots,
            sizes,
        )
        if drawn:
            texts = []
            for starts, items in compiled.sides:
                text_starts = np.zeros(drawn + 1, np.int64)
                texts.append((text_starts, write_texts(node_starts, rules, sizes, starts, items, text_starts)))
            last = int(node_starts[drawn])
            yield _Block(compiled, node_starts[: drawn + 1], rules[:last], parents[:last], slots[:last], tuple(texts))
            first = int(used)
        elif full:
            room *= 2  # a derivation may be larger than all that there was room for
        if drawn < BLOCK and not full:
            numbers, first = np.concatenate((numbers[first:], generator.random(_NUMBERS))), 0
