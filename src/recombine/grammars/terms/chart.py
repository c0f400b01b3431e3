"""The chart parser: a list of words gives back every derivation.

It reads one side of rules, source or target. Three things go beyond context-free grammars: a symbol may have several
parts that stand apart (`turn … left`), a child may be copied (`jump twice` → `I_JUMP I_JUMP`), and a word of the input
may be an open symbol, so that the left side of a rule can itself be parsed. Parsing has two steps. First, a chart says
for each part of each symbol and each start where it can end; parts are taken on their own here, so this accepts a
little too much. Then derivations are read off top-down, and parts of one child must come from one derivation and copies
must be equal. What is not done here: rule scores, and arrays for large forests.

An empty side is allowed. A grammar with infinitely many derivations for one input is refused.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import DerivationError
from recombine.grammars.terms.rule import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.rule import Fragment, Side


class Open(NamedTuple):
    """A symbol in the input that takes the place of a phrase."""

    symbol: str
    number: int


Word = str | Open
Range = tuple[int, int]
Key = tuple[str, tuple[Range, ...]]


@dataclass(frozen=True, slots=True)
class Production:
    """One side of a rule, and the piece of derivation it stands for (its integers are the children)."""

    lhs: str
    children: tuple[str, ...]
    side: Side
    piece: Fragment


@dataclass
class Forest:
    """All derivations of one input, shared: each symbol with its ranges lists its productions and their children."""

    words: tuple[Word, ...]
    root: Key
    alternatives: dict[Key, list[tuple[Production, tuple[Key, ...]]]]
    _counts: dict[Key, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.alternatives.get(self.root))

    def count(self) -> int:
        """The number of derivations, without listing them."""
        return self._count(self.root)

    def _count(self, key: Key) -> int:
        if key not in self._counts:
            total = 0
            for _, children in self.alternatives.get(key, ()):
                ways = 1
                for child in children:
                    ways *= self._count(child)
                total += ways
            self._counts[key] = total
        return self._counts[key]

    def iter_terms(self) -> Iterator[Term]:
        """The derivations, one by one, in the order of the rules."""
        yield from self._iter(self.root)  # type: ignore[misc]  # without open words there are no integers

    def iter_fragments(self) -> Iterator[Fragment | int]:
        """The derivations of an input with open symbols, which become the integers of the fragments."""
        yield from self._iter(self.root)

    def _iter(self, key: Key) -> Iterator[Fragment | int]:
        word = _open_word(key, self.words)
        if word is not None:
            yield word.number
        for production, children in self.alternatives.get(key, ()):
            for subs in product(*(list(self._iter(child)) for child in children)):
                yield _fill(production.piece, subs)

    def first(self, limit: int) -> list[Term]:
        """At most `limit` derivations."""
        return list(islice(self.iter_terms(), limit))


def _fill(piece: Fragment | int, subs: Sequence[Fragment | int]) -> Fragment | int:
    if isinstance(piece, int):
        return subs[piece]
    return piece[0], tuple(_fill(child, subs) for child in piece[1])


class ChartParser:
    """A parser for one side of a list of productions."""

    def __init__(self, productions: Sequence[Production]) -> None:
        self.by_lhs: dict[str, list[Production]] = defaultdict(list)
        self.parts: dict[str, int] = {}
        for production in productions:
            used = {element.child for part in production.side for element in part if isinstance(element, Ref)}
            if len(used) < len(production.children):
                raise DerivationError(
                    f"the rule {production.piece[0]!r} drops a child on this side", "parse the other side instead"
                )
            self.by_lhs[production.lhs].append(production)
            self.parts[production.lhs] = len(production.side)
        self._steps = self._compile()

    def _compile(self) -> list[tuple[tuple[str, int], list[tuple[str | tuple[str, int], ...]]]]:
        """For each part of each symbol, what it can be made of."""
        table: dict[tuple[str, int], dict[tuple[str | tuple[str, int], ...], None]] = {}
        for lhs, productions in self.by_lhs.items():
            for production in productions:
                for number, part in enumerate(production.side):
                    row = tuple((production.children[e.child], e.part) if isinstance(e, Ref) else e for e in part)
                    table.setdefault((lhs, number), {})[row] = None
        return [(key, list(rows)) for key, rows in table.items()]

    def parse(self, words: Sequence[Word], symbol: str) -> Forest:
        """All derivations of the words from the symbol; its parts must follow one another."""
        words = tuple(words)
        ends = self._chart(words)
        alternatives: dict[Key, list[tuple[Production, tuple[Key, ...]]]] = {}
        roots = [(symbol, ranges) for ranges in _consecutive(0, len(words), self.parts.get(symbol, 1))]
        derivable = [key for key in roots if self._read(key, words, ends, alternatives, set())]
        if len(derivable) > 1:
            raise DerivationError("the parts of the start symbol divide this input in two ways")
        return Forest(words, derivable[0] if derivable else (symbol, ((0, len(words)),)), alternatives)

    def _chart(self, words: tuple[Word, ...]) -> dict[tuple[str, int], list[int]]:
        """Where each part of each symbol can end, as a bit set, for each start."""
        size = len(words)
        ends: dict[tuple[str, int], list[int]] = {key: [0] * (size + 1) for key, _ in self._steps}
        for start in range(size, -1, -1):
            if start < size:
                word = words[start]
                if isinstance(word, Open) and (word.symbol, 0) in ends and self.parts[word.symbol] == 1:
                    ends[word.symbol, 0][start] |= 1 << (start + 1)
            changed = True
            while changed:
                changed = False
                for key, rows in self._steps:
                    reached = 0
                    for row in rows:
                        reached |= _advance(row, start, words, ends)
                    if reached & ~ends[key][start]:
                        ends[key][start] |= reached
                        changed = True
        return ends

    def _read(
        self,
        key: Key,
        words: tuple[Word, ...],
        ends: dict[tuple[str, int], list[int]],
        alternatives: dict[Key, list[tuple[Production, tuple[Key, ...]]]],
        pending: set[Key],
    ) -> bool:
        """Fill in the alternatives of a key and of all below it; whether there are any."""
        symbol, ranges = key
        if key not in alternatives:
            if key in pending:
                raise DerivationError(
                    f"<{symbol}> can be made of itself alone, so this input has infinitely many derivations",
                    "remove the circular rules",
                )
            pending.add(key)
            rows = []
            for production in self.by_lhs[symbol]:
                for bound in _match(production, ranges, words, ends):
                    keys = tuple(
                        (child, tuple(bound[n, part] for part in range(self.parts[child])))
                        for n, child in enumerate(production.children)
                    )
                    if all(self._read(child, words, ends, alternatives, pending) for child in keys):
                        rows.append((production, keys))
            pending.discard(key)
            alternatives[key] = rows
        return bool(alternatives[key]) or _open_word(key, words) is not None


def _open_word(key: Key, words: tuple[Word, ...]) -> Open | None:
    """The open symbol that stands for a key in the input, if there is one."""
    symbol, ranges = key
    if len(ranges) != 1 or ranges[0][1] != ranges[0][0] + 1:
        return None
    word = words[ranges[0][0]]
    return word if isinstance(word, Open) and word.symbol == symbol else None


def _consecutive(start: int, size: int, parts: int) -> Iterator[tuple[Range, ...]]:
    """Every way to cut the input from a start on into this many ranges, one after another."""
    if parts == 1:
        yield ((start, size),)
        return
    for end in range(start, size + 1):
        for rest in _consecutive(end, size, parts - 1):
            yield ((start, end), *rest)


def _advance(
    row: tuple[str | tuple[str, int], ...],
    start: int,
    words: tuple[Word, ...],
    ends: dict[tuple[str, int], list[int]],
) -> int:
    """The positions, as a bit set, that a row of elements can reach from a start."""
    size = len(words)
    at = 1 << start
    for element in row:
        after = 0
        while at:
            low = at & -at
            position = low.bit_length() - 1
            at ^= low
            if isinstance(element, str):
                if position < size and words[position] == element:
                    after |= low << 1
            else:
                after |= ends[element][position]
        if not after:
            return 0
        at = after
    return at


def _match(
    production: Production,
    ranges: tuple[Range, ...],
    words: tuple[Word, ...],
    ends: dict[tuple[str, int], list[int]],
) -> list[dict[tuple[int, int], Range]]:
    """Every way to lay a production's parts over the ranges: which range each part of each child takes."""
    if len(ranges) != len(production.side):
        return []
    states: list[dict[tuple[int, int], Range]] = [{}]
    for part, (start, stop) in zip(production.side, ranges, strict=True):
        states = [
            bound
            for state in states
            for position, bound in _lay(part, start, stop, state, production, words, ends)
            if position == stop
        ]
    return states


def _lay(
    part: tuple[str | Ref, ...],
    start: int,
    stop: int,
    state: dict[tuple[int, int], Range],
    production: Production,
    words: tuple[Word, ...],
    ends: dict[tuple[str, int], list[int]],
) -> list[tuple[int, dict[tuple[int, int], Range]]]:
    front = [(start, state)]
    for element in part:
        after: list[tuple[int, dict[tuple[int, int], Range]]] = []
        for position, bound in front:
            if isinstance(element, str):
                if position < stop and words[position] == element:
                    after.append((position + 1, bound))
                continue
            key = (element.child, element.part)
            if key in bound:
                first, last = bound[key]
                end = position + last - first
                if end <= stop and words[position:end] == words[first:last]:
                    after.append((end, bound))
                continue
            reach = ends[production.children[element.child], element.part][position] & ((2 << stop) - 1)
            while reach:
                low = reach & -reach
                reach ^= low
                end = low.bit_length() - 1
                after.append((end, {**bound, key: (position, end)}))
        front = after
    return front
