"""Models that abstain, and hybrids of two models, as tables of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from recombine.studies.tables.abstentions import Abstention
    from recombine.studies.tables.hybrids import HybridRow


def abstention_text(rows: Sequence[Abstention]) -> Table:
    """Coverage and precision beside the paper's, and rules where there are grammars."""
    table = _table("outputs of models that abstain", "coverage, %", "precision, %", "rules")
    for row in rows:
        rules = "–" if row.rules is None else f"{row.rules:,.0f}"
        coverage, precision = _beside(row.coverage, row.paper_coverage), _beside(row.precision, row.paper_precision)
        table.add_row(f"{row.model}, {row.split}", coverage, precision, rules)
    return table


def hybrid_text(rows: Sequence[HybridRow]) -> Table:
    """Each hybrid beside its fallback alone; where there is nothing, why."""
    table = _table("hybrid, split", "fallback alone, %", "hybrid, %", "gained", "lost", "largest p")
    for row in rows:
        name = f"{row.name}, {row.split}"
        if row.missing:
            table.add_row(f"{name}\n{row.missing}", "–", _beside(None, row.paper), "–", "–", "–")
        else:
            numbers = (f"{row.gained:,}", f"{row.lost:,}", "–" if row.p is None else f"{row.p:.2g}")
            table.add_row(name, _beside(row.fallback_alone, None), _beside(row.hybrid, row.paper), *numbers)
    return table


def _table(first: str, *columns: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _beside(ours: float | None, paper: float | None) -> str:
    return ("–" if ours is None else f"{ours:.1f}") + ("" if paper is None else f"\npaper {paper:.1f}")
