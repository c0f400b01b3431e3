"""The exact codelength of a grammar on examples (NQG-T5 paper, §4.1.1).

L = l_N · C_N + l_T · C_T − Σ log2(|Z_xy| / |Z_x*|): the bits of the rules, and for each example the bits to name its
target when all derivations of its source are equally likely. Repeated examples count once.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2
from typing import TYPE_CHECKING

from recombine.models.nqg.forest.chart import ChartParser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.models.nqg.forest.chart import Counts
    from recombine.models.nqg.grammar import Qcfg


@dataclass(frozen=True)
class Codelength:
    """The parts of a codelength."""

    slots: int
    """C_N: the slots of all rules."""
    terminals: int
    """C_T: the tokens of all rules."""
    grammar_bits: float
    data_bits: float
    """inf where some example has no derivation."""
    underived: int
    """Examples without a derivation."""
    examples: int
    """Distinct examples."""

    @property
    def total(self) -> float:
        """L."""
        return self.grammar_bits + self.data_bits


def codelength(
    grammar: Qcfg,
    pairs: Iterable[tuple[str, str]],
    *,
    terminal_bits: float = 8.0,
    slot_bits: float = 1.0,
    counts: Counts | None = None,
) -> Codelength:
    """The codelength of a grammar on pairs of source and target; `counts` are those of the distinct pairs, where known.

    >>> from recombine.models.nqg.grammar import Qcfg
    >>> grammar = Qcfg.parse("a ### A\\nb ### A\\nb ### B\\nNT_1 NT_2 ### NT_1 NT_2")
    >>> length = codelength(grammar, [("a b", "A B"), ("a", "A")])
    >>> length.grammar_bits, length.data_bits, length.total
    (52.0, 1.0, 53.0)
    """
    slots, terminals = grammar.symbols()
    bits, underived, distinct = 0.0, 0, list(dict.fromkeys(pairs))
    if counts is None:
        counts = ChartParser(grammar).count_all(distinct)
    for own, every in zip(counts.own, counts.every, strict=True):
        if own == 0:
            underived += 1
            bits = inf
        else:
            bits += log2(every) - log2(own)
    return Codelength(slots, terminals, slots * slot_bits + terminals * terminal_bits, bits, underived, len(distinct))
