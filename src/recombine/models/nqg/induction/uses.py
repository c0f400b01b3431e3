"""How often rules are used: for each rule, the examples that have a derivation with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.models.nqg.forest.chart import ChartParser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.models.nqg.forest.chart import Counts
    from recombine.models.nqg.grammar import Qcfg


def with_uses(grammar: Qcfg, pairs: Iterable[tuple[str, str]], *, counts: Counts | None = None) -> Qcfg:
    """The grammar with its uses on pairs of source and target; repeated pairs count once.

    `counts` are those of the distinct pairs, where they are known.

    >>> from recombine.models.nqg.grammar import Qcfg
    >>> grammar = Qcfg.parse("jump ### J\\nNT_1 twice ### NT_1 NT_1\\nNT_1 and NT_2 ### NT_1 NT_2")
    >>> print(with_uses(grammar, [("jump", "J"), ("jump twice", "J J"), ("hop", "H")]))
    jump ### J ### 2
    NT_1 twice ### NT_1 NT_1 ### 1
    NT_1 and NT_2 ### NT_1 NT_2 ### 0
    <BLANKLINE>
    """
    if counts is None:
        counts = ChartParser(grammar).count_all(list(dict.fromkeys(pairs)), sources=False)
    return replace(grammar, uses=dict(zip(grammar.rules, counts.uses, strict=True)))
