"""All derivations of a source, with a given target or with any, as one packed forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.models.nqg.forest import chart_kernels as kernels
from recombine.models.nqg.forest.arrays import Texts
from recombine.models.nqg.forest.forest_kernels import Packed, pack
from recombine.models.nqg.forest.rule_index import RuleIndex
from recombine.models.nqg.rule import is_regular, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.rule import QcfgRule

_EMPTY = np.empty(0, np.int32)
_HUGE = 2.0**1000
SHORT = 24
"""The longest source whose forest is always parted by borders."""
LARGE = 20_000
"""The most edges of an unparted forest of a longer source that is parted."""
NO_BORDER = -1
"""What stands for a first or last token that is not known."""


@dataclass(frozen=True)
class Forest:
    """The derivations of one source; there is at least one."""

    packed: Packed

    def count(self) -> int:
        """The exact number of derivations, however large.

        >>> from recombine.models.nqg.grammar import Qcfg
        >>> parser = ChartParser(Qcfg.parse("a ### A\\nNT_1 NT_2 ### NT_1 NT_2"))
        >>> parser.parse(["a"] * 4).count(), len(str(parser.parse(["a"] * 100).count()))
        (5, 57)
        """
        p = self.packed
        totals: list[int] = []
        group_of_port = np.repeat(np.arange(p.node_at.size - 1), np.diff(p.port_at))
        edges = p.edges.tolist()
        for group in range(p.node_at.size - 1):
            total = 0
            for one, two in edges[p.edge_at[p.node_at[group]] : p.edge_at[p.node_at[group + 1]]]:
                ways = totals[group_of_port[one]] if one >= 0 else 1
                total += ways * totals[group_of_port[two]] if two >= 0 else ways
            totals.append(total)
        return sum(totals[group_of_port[port]] for port in p.root)


class Counts(NamedTuple):
    """The numbers of derivations of pairs; floats as long as those hold them, else exact."""

    own: list[int | float]
    """Those of each pair; empty where they were not wanted."""
    every: list[int | float]
    """Those of each source with any target; empty where they were not wanted."""
    uses: list[int]
    """For each rule the pairs that have a derivation with it."""


class ChartParser:
    """A parser for the rules of a grammar: a chart over a trie of their sources, without binarisation.

    >>> from recombine.models.nqg.grammar import Qcfg
    >>> parser = ChartParser(Qcfg.parse("jump ### J\\nNT_1 twice ### NT_1 NT_1\\nNT_1 and NT_2 ### NT_1 NT_2"))
    >>> parser.parse("jump and jump twice".split()).count()
    2
    >>> parser.parse("jump and jump twice".split(), "J J J".split()).count()
    1
    >>> parser.parse("jump and".split()) is None
    True
    """

    def __init__(self, grammar: Qcfg) -> None:
        self.index = RuleIndex(grammar.rules)
        self.rules: tuple[QcfgRule, ...] = grammar.rules

    def parse(self, source: Sequence[str], target: Sequence[str] | None = None) -> Forest | None:
        """The forest of a source with a target, or with any; none where there is no derivation.

        Groups are parted by the first and last tokens of their strings; in a very large forest they are not, and are
        marked so.
        """
        if not source or (target is not None and not target):
            return None
        codes = self.index.look_up(source)
        wanted = _EMPTY if target is None else self.index.look_up(target)
        large = self._is_large(codes)
        packed = self._pack(codes, wanted, borders=not large)
        if packed is None:
            return None
        if large:
            packed.span[:, 2:] = NO_BORDER
        elif target is not None:
            kernels.name_borders(packed.span, wanted)
        return Forest(packed)

    def _pack(self, codes: NDArray[np.int32], wanted: NDArray[np.int32], *, borders: bool) -> Packed | None:
        chart = kernels.fill(codes, wanted, self.index.arrays, -1, True, borders)
        roots = kernels.entries_of(chart, 0, codes.size)
        return pack(chart.entries, chart.edges, roots, len(self.rules)) if roots.size else None

    def _is_large(self, codes: NDArray[np.int32]) -> bool:
        """Whether a forest is too large to be parted further; short sources have none that are."""
        if codes.size <= SHORT:
            return False
        return bool(kernels.fill(codes, _EMPTY, self.index.arrays, -1, True, False).edges.shape[0] > LARGE)

    def count(self, source: Sequence[str], target: Sequence[str] | None = None) -> int | float:
        """The number of derivations; a float as long as that holds it, else exact."""
        if not source or (target is not None and not target):
            return 0
        codes = self.index.look_up(source)
        wanted = _EMPTY if target is None else self.index.look_up(target)
        number = float(kernels.count(codes, wanted, self.index.arrays))
        if number < _HUGE:
            return number
        packed = self._pack(codes, wanted, borders=False)
        return 0 if packed is None else Forest(packed).count()

    def count_all(self, pairs: Sequence[tuple[str, str]], *, targets: bool = True, sources: bool = True) -> Counts:
        """The derivations of each pair of texts and how often rules are used in them, and those of each source.

        Without `targets`, the former are not counted; without `sources`, the latter.

        >>> from recombine.models.nqg.grammar import Qcfg
        >>> parser = ChartParser(Qcfg.parse("jump ### J\\njump ### H\\nNT_1 twice ### NT_1 NT_1"))
        >>> parser.count_all([("jump", "J"), ("jump twice", "J J"), ("walk", "W")])
        Counts(own=[1.0, 1.0, 0.0], every=[2.0, 2.0, 0.0], uses=[2, 0, 1])
        """
        own, every = np.empty(len(pairs) if targets else 0), np.empty(len(pairs) if sources else 0)
        uses = np.zeros(len(self.rules), np.int64)
        kernels.count_all(self._texts(pairs), self.index.arrays, own, every, uses)
        counts = Counts(own.tolist(), every.tolist(), uses.tolist())
        for number in np.flatnonzero(own >= _HUGE).tolist():
            counts.own[number] = self.count(*map(tokens, pairs[number]))
        for number in np.flatnonzero(every >= _HUGE).tolist():
            counts.every[number] = self.count(tokens(pairs[number][0]))
        return counts

    def _texts(self, pairs: Sequence[tuple[str, str]]) -> Texts:
        """Pairs of texts as integers."""
        pools: list[NDArray[np.int64] | NDArray[np.int32]] = []
        for side in range(2):
            texts = [pair[side] for pair in pairs]
            if not is_regular(texts):
                texts = [" ".join(tokens(text)) for text in texts]
            ends = np.cumsum([0, *(text.count(" ") + 1 if text else 0 for text in texts)]).astype(np.int64)
            pools += [ends, self.index.look_up(" ".join(filter(None, texts)).split(" ") if ends[-1] else [])]
        return Texts(*pools)

    def derives(self, source: Sequence[str], target: Sequence[str] | None = None) -> bool:
        """Whether there is a derivation.

        >>> from recombine.models.nqg.grammar import Qcfg
        >>> ChartParser(Qcfg.parse("jump ### J")).derives(["jump"], ["W"])
        False
        """
        return self.count(source, target) > 0
