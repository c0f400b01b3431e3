"""The score of a file of pairs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from recombine.evaluation.score import Score


def pair_table(scored: Score, title: str) -> Table:
    """Shares of pairs that match, with their intervals, and what became of the others."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    for name in ("value", "95 % interval", "count"):
        table.add_column(name, justify="right")
    for metric, tally in scored.tallies.items():
        form = scored.signature.get("match") if metric == "exact_match" else None
        low, high = tally.interval
        label = metric.replace("_", " ") + (f" ({form})" if form else "")
        shares = (f"{tally.accuracy:.3f}", f"{low:.3f} to {high:.3f}", f"{tally.right:,} of {tally.n:,}")
        table.add_row(label, *shares)
        table.add_row("  outputs that cannot be read", "", "", f"{tally.malformed:,}")
        if tally.unsupported:
            table.add_row("  gold programs that cannot be read", "", "", f"{tally.unsupported:,}")
    table.add_row("abstentions", "", "", f"{scored.tally.abstained:,}")
    return table
