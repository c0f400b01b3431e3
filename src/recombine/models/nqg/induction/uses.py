"""How often rules are used: for each rule, the examples that have a derivation with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.rule import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.models.nqg.grammar import Qcfg


def with_uses(grammar: Qcfg, pairs: Iterable[tuple[str, str]]) -> Qcfg:
    """The grammar with its uses on pairs of source and target; repeated pairs count once.

    >>> from recombine.models.nqg.grammar import Qcfg
    >>> grammar = Qcfg.parse("jump ### J\\nNT_1 twice ### NT_1 NT_1\\nNT_1 and NT_2 ### NT_1 NT_2")
    >>> print(with_uses(grammar, [("jump", "J"), ("jump twice", "J J"), ("hop", "H")]))
    jump ### J ### 2
    NT_1 twice ### NT_1 NT_1 ### 1
    NT_1 and NT_2 ### NT_1 NT_2 ### 0
    <BLANKLINE>
    """
    parser = ChartParser(grammar)
    counts = np.zeros(len(grammar), np.int64)
    for source, target in dict.fromkeys(pairs):
        forest = parser.parse(tokens(source), tokens(target))
        if forest is not None:
            counts[np.unique(forest.packed.rule)] += 1
    return replace(grammar, uses=dict(zip(grammar.rules, counts.tolist(), strict=True)))
