"""The options of an induction, which `induce` and `train` share."""

from __future__ import annotations

from typing import Annotated

import typer

Preset = Annotated[str, typer.Option(help="default, or the paper's settings: nqg:scan, nqg:geoquery, nqg:spider.")]
Restarts = Annotated[int | None, typer.Option(help="Starts of the search; the grammar of the lowest L is kept.")]
Sample = Annotated[int | None, typer.Option(help="The search sees this many of the shortest examples; 0: all.")]
TerminalBits = Annotated[float | None, typer.Option(help="Bits of a token in L (l_T), which decides between starts.")]
SearchTerminalBits = Annotated[float | None, typer.Option(help="Bits of a token while searching.")]
NoRepeated = Annotated[
    bool, typer.Option("--no-repeated-targets", help="A slot stands once on the target side of a rule.")
]
NoBalance = Annotated[
    bool, typer.Option("--no-balance-parentheses", help="Sides of rules may have unbalanced parentheses.")
]
Effort = Annotated[float | None, typer.Option(help="A factor on the rounds of refinement; 0 is the greedy search.")]
