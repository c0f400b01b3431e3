"""The greedy search for a grammar of low codelength (NQG-T5 paper, App. A.2).

A search holds rules in use. Each of them that can be split so that one half already follows from the others proposes
the other half as a candidate. Adding a candidate makes all rules that proposed it follow from the rest, so they are
dropped, and so is whatever else then follows. A candidate's worth is the bits saved in the grammar less the bits that
the examples cost more; the latter are estimated from a sample of the examples that the candidate could take part in.

What the paper does not say: the source part that is split off must occur only once in its source; candidates may be
asked to have balanced parentheses; a target part that occurs more than once is split off everywhere or not at all.

Nothing is enumerated anew: only rules that an added rule could help to derive are charted again, and how a rule is
split into symbols is worked out once per rule and way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.models.nqg.forest import chart_kernels as kernels
from recombine.models.nqg.forest.arrays import Texts
from recombine.models.nqg.forest.rule_index import RuleIndex
from recombine.models.nqg.induction.embedding import affected, find_embedding
from recombine.models.nqg.induction.split_kernels import splits
from recombine.models.nqg.rule import QcfgRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.induction.induction_settings import InductionSettings

Codes = tuple[int, ...]
Way = tuple[int, int, int, int, int]


@dataclass(slots=True)
class Piece:
    """A rule or a candidate: its sides as integers and its bits."""

    source: Codes
    target: Codes
    bits: float
    arrays: tuple[NDArray[np.int32], NDArray[np.int32]]
    number: int = -1
    """Its number in the index, once it has been in use."""
    ways: dict[Way, int] = field(default_factory=dict)
    """The piece that each way to split this one proposes, -1 where it may not be proposed."""
    proposals: dict[bytes, frozenset[int]] = field(default_factory=dict)
    """The pieces that sets of ways propose."""
    examples: NDArray[np.int64] | None = None
    """The examples that it could take part in, once they are asked for."""


class Snapshot(NamedTuple):
    """All that changes in a search."""

    goals: dict[int, frozenset[int]]
    active: NDArray[np.bool_]
    gain: NDArray[np.float64]
    bits: NDArray[np.float64]
    stale: NDArray[np.bool_]


class GrammarSearch:
    """Rules in use, what they propose, and the bits of examples; it begins with the examples and more as rules."""

    def __init__(
        self,
        pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
        rules: Sequence[QcfgRule],
        settings: InductionSettings,
        generator: np.random.Generator,
    ) -> None:
        self.settings = settings
        self.generator = generator
        self.index = RuleIndex()
        self.texts = make_texts(self.index, [(" ".join(source), " ".join(target)) for source, target in pairs])
        self.bits = np.zeros(len(pairs))
        """The bits to name each example's target among the derivations of its source."""
        self.stale = np.ones(len(pairs), np.bool_)
        """Whether the bits of an example must be counted again."""
        self.pieces: list[Piece] = []
        self.by_sides: dict[tuple[Codes, Codes], int] = {}
        self.rule_piece: list[int] = []
        """The piece of each rule of the index."""
        self.goals: dict[int, frozenset[int]] = {}
        """The pieces in use as rules, with the pieces they propose."""
        self.gain = np.zeros(1024)
        """The bits that a piece saves in the grammar: those of the rules that propose it, less its own."""
        self.cost = np.zeros(1024)
        """The bits that a piece costs in the examples, as last estimated."""
        self.seen = np.zeros(1024, np.int64)
        """The step in which that was."""
        self.steps = 0
        self.examples = [self.piece_of(QcfgRule(*pair)) for pair in pairs]
        self.use(dict.fromkeys([*self.examples, *map(self.piece_of, rules)]))
        self.keep()
        self.refresh(list(self.goals))

    def keep(self) -> None:
        """Note the rules in use as those to fall back on; they derive all examples."""
        self.kept = tuple(self.goals)

    # -- pieces ---------------------------------------------------------------------------------------------------

    def piece(self, source: Codes, target: Codes) -> int:
        """The number of the piece with these sides."""
        key = (source, target)
        number = self.by_sides.get(key)
        if number is None:
            number = self.by_sides[key] = len(self.pieces)
            slots = sum(code < 2 for code in source) + sum(code < 2 for code in target)
            tokens = len(source) + len(target) - slots
            bits = slots * self.settings.search_slot_bits + tokens * self.settings.search_terminal_bits
            self.pieces.append(Piece(source, target, bits, (np.array(source, np.int32), np.array(target, np.int32))))
            if number >= self.gain.size:
                self.gain, self.cost, self.seen = (
                    np.concatenate([row, np.zeros_like(row)]) for row in (self.gain, self.cost, self.seen)
                )
            self.gain[number] = -bits
        return number

    def piece_of(self, rule: QcfgRule) -> int:
        """The number of the piece of a rule."""
        source, target = self.index.encode(rule)
        return self.piece(tuple(source.tolist()), tuple(target.tolist()))

    def examples_of(self, number: int) -> NDArray[np.int64]:
        """The examples that a piece could take part in, by the tokens of its source."""
        piece = self.pieces[number]
        if piece.examples is None:
            piece.examples = find_embedding(piece.arrays[0], self.texts.source_at, self.texts.source)
        return piece.examples

    # -- rules in use ---------------------------------------------------------------------------------------------

    def use(self, numbers: Iterable[int]) -> None:
        """Put pieces in use as rules, without looking at what they change."""
        for number in numbers:
            piece = self.pieces[number]
            if piece.number < 0:
                piece.number = self.index.add(*piece.arrays)
                self.rule_piece.append(number)
            self.index.switch(piece.number, True)
            self.goals[number] = frozenset()
            self.stale[self.examples_of(number)] = True

    def drop(self, number: int) -> None:
        """Put a rule out of use."""
        piece = self.pieces[number]
        for candidate in self.goals.pop(number):
            self.gain[candidate] -= piece.bits
        self.index.switch(piece.number, False)
        self.stale[self.examples_of(number)] = True

    def refresh(self, numbers: Iterable[int]) -> None:
        """Chart rules in use again: those that follow from the others are dropped, the rest say what they propose."""
        repeat = self.settings.repeated_targets
        for number in numbers:
            if number not in self.goals:
                continue
            piece = self.pieces[number]
            chart = kernels.fill(*piece.arrays, self.index.arrays, piece.number, False, False)
            if chart.first[0, -1] >= 0:
                self.drop(number)
                continue
            rows = splits(*piece.arrays, self.index.arrays, piece.number, repeat, chart)
            new = self._proposals(piece, rows)
            old = self.goals[number]
            for candidate in old - new:
                self.gain[candidate] -= piece.bits
            for candidate in new - old:
                self.gain[candidate] += piece.bits
            self.goals[number] = new

    def touched(self, number: int) -> list[int]:
        """The rules in use that a piece could help to derive, by its tokens."""
        rules = affected(*self.pieces[number].arrays, self.index.arrays)
        return [self.rule_piece[rule] for rule in rules.tolist()]

    def _proposals(self, piece: Piece, rows: NDArray[np.int32]) -> frozenset[int]:
        """The pieces that these ways to split a piece propose; charts often say the same again."""
        key = rows.tobytes()
        known = piece.proposals.get(key)
        if known is not None:
            return known
        candidates = []
        for way in map(tuple, rows.tolist()):
            candidate = piece.ways.get(way)
            if candidate is None:
                source, target = split_off(piece.source, piece.target, way)
                candidate = piece.ways[way] = self.piece(source, target) if self._allowed(source, target) else -1
            if candidate >= 0:
                candidates.append(candidate)
        proposed = piece.proposals[key] = frozenset(candidates)
        return proposed

    def _allowed(self, source: Codes, target: Codes) -> bool:
        """Whether a rule may be proposed: it has a token, and balanced parentheses where they are asked for."""
        if max(source) < 2 and max(target) < 2:
            return False
        return not self.settings.balance_parentheses or (self._balanced(source) and self._balanced(target))

    def _balanced(self, codes: Codes) -> bool:
        """Whether every parenthesis in the tokens is opened before it is closed, and closed."""
        depth = 0
        for code in codes:
            for mark in self.index.words[code - 2] if code > 1 else "":
                depth += (mark == "(") - (mark == ")")
                if depth < 0:
                    return False
        return depth == 0

    # -- the search -----------------------------------------------------------------------------------------------

    def run(
        self, progress: Callable[[], None] | None = None, *, keep: bool = False, barred: Sequence[int] = ()
    ) -> None:
        """Add candidates, the most worthy first, until none saves bits; with `keep`, note the rules after each step.

        Estimates are kept from step to step; the best candidate is estimated again before it is added. Those that are
        `barred` are not added.
        """
        out = np.array(barred, np.int64)
        while True:
            self.steps += 1
            while True:
                size = len(self.pieces)
                worth = np.where(self.gain[:size] > 0, self.gain[:size] - self.cost[:size], 0.0)
                worth[out] = 0.0
                best = int(worth.argmax()) if size else 0
                if not size or worth[best] <= 0:
                    return
                if self.seen[best] == self.steps:
                    break
                self.cost[best] = self.estimate(best)
                self.seen[best] = self.steps
            self.add(best)
            if keep:
                self.keep()
            if progress is not None:
                progress()

    def estimate(self, number: int) -> float:
        """The bits that the examples cost more once a candidate is added, estimated from a sample."""
        piece = self.pieces[number]
        relevant = self.examples_of(number)
        size = min(self.settings.estimate, relevant.size)
        sample = relevant if size == relevant.size else self.generator.choice(relevant, size, False, shuffle=False)
        self.count(sample)
        self.index.reserve(len(piece.source), len(piece.target))
        without = [self.pieces[goal].number for goal, proposed in self.goals.items() if number in proposed]
        bits = kernels.bits_with(sample, self.texts, self.index.arrays, *piece.arrays, np.array(without, np.int64))
        return float((bits - self.bits[sample]).sum() * (relevant.size / size))

    def add(self, number: int) -> None:
        """Add a candidate and drop what follows from it."""
        for goal in [goal for goal, proposed in self.goals.items() if number in proposed]:
            self.drop(goal)
        self.use([number])
        self.refresh(self.touched(number))

    def count(self, examples: NDArray[np.int64]) -> None:
        """Bring the bits of examples up to date; inf or nan where one has no derivation."""
        stale = examples[self.stale[examples]]
        if stale.size:
            self.bits[stale] = kernels.bits_of(stale, self.texts, self.index.arrays)
            self.stale[stale] = False

    def objective(self) -> float:
        """The bits of the rules in use and of all examples, as the search counts them; finite where all are derived."""
        self.count(np.arange(self.bits.size))
        return float(sum(self.pieces[number].bits for number in self.goals) + self.bits.sum())

    def codelength(self) -> float:
        """The exact codelength of the rules in use on the examples."""
        self.count(np.arange(self.bits.size))
        codes = [code for n in self.goals for side in (self.pieces[n].source, self.pieces[n].target) for code in side]
        slots = sum(code < 2 for code in codes)
        tokens = len(codes) - slots
        return float(slots * self.settings.slot_bits + tokens * self.settings.terminal_bits + self.bits.sum())

    def rules(self) -> list[QcfgRule]:
        """The rules to fall back on, as noted last."""
        return [self.index.decode(self.pieces[number].source, self.pieces[number].target) for number in self.kept]

    def use_only(self, numbers: Iterable[int]) -> None:
        """Put exactly these pieces in use as rules, without looking at what they propose."""
        wanted = dict.fromkeys(numbers)
        for number in [number for number in self.goals if number not in wanted]:
            self.drop(number)
        self.use([number for number in wanted if number not in self.goals])

    # -- going back -----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """What `restore` needs to come back here."""
        size = len(self.pieces)
        return Snapshot(
            dict(self.goals),
            self.index.arrays.active.copy(),
            self.gain[:size].copy(),
            self.bits.copy(),
            self.stale.copy(),
        )

    def restore(self, kept: Snapshot) -> None:
        """Come back to a snapshot."""
        self.goals = dict(kept.goals)
        active = self.index.arrays.active
        for rule in np.flatnonzero(active[: kept.active.size] != kept.active).tolist():
            self.index.switch(rule, bool(kept.active[rule]))
        for rule in np.flatnonzero(active[kept.active.size :]).tolist():
            self.index.switch(kept.active.size + rule, False)
        self.gain[: kept.gain.size] = kept.gain
        for number in range(kept.gain.size, len(self.pieces)):
            self.gain[number] = -self.pieces[number].bits
        self.bits, self.stale = kept.bits.copy(), kept.stale.copy()


def make_texts(index: RuleIndex, pairs: Sequence[tuple[str, str]]) -> Texts:
    """The examples, texts with single blanks, as integers, each side in one pool."""
    pools = []
    for side in range(2):
        ends = np.cumsum([0, *(pair[side].count(" ") + 1 for pair in pairs)]).astype(np.int64)
        pools += [ends, index.learn(" ".join([pair[side] for pair in pairs]).split(" ") if pairs else [])]
    return Texts(*pools)


def split_off(source: Codes, target: Codes, way: Way) -> tuple[Codes, Codes]:
    """The new half of a rule that is split: the outer one, with a slot in place of the part, or the part."""
    outer, start, stop, first, length = way
    inner = target[first : first + length]
    if not outer:
        return number_slots(source[start:stop], inner)
    rest: list[int] = []
    at = 0
    while at < len(target):
        if target[at : at + length] == inner:
            rest.append(-1)
            at += length
        else:
            rest.append(target[at])
            at += 1
    return number_slots((*source[:start], -1, *source[stop:]), tuple(rest))


def number_slots(source: Codes, target: Codes) -> tuple[Codes, Codes]:
    """The sides with slots numbered in the order of the source."""
    order = {code: number for number, code in enumerate(code for code in source if code < 2)}
    return (
        tuple([order[code] if code < 2 else code for code in source]),
        tuple([order[code] if code < 2 else code for code in target]),
    )
