"""What tuned models were chosen by, as a table of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from recombine.studies.tables.tuning_table import TuningRow, TuningTable


def tuning_text(tables: Sequence[TuningTable]) -> Table:
    """Combinations with their accuracy on held-back train, a line for each."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shares = dict.fromkeys(f"{100 * table.share:g} %" for table in tables)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("tuned model, split", overflow="fold")
    table.add_column("values", overflow="fold")
    table.add_column(f"right on {', '.join(shares)} of train, %", justify="right")
    table.add_column("")
    for each in tables:
        for place, row in enumerate(each.rows):
            first = f"{each.model}, {each.split}" if place == 0 else ""
            table.add_row(first, row.label, "–" if row.accuracy is None else f"{row.accuracy:.1f}", _mark(row))
        if not each.rows:
            table.add_row(f"{each.model}, {each.split}", "–", "–", each.problem)
    return table


def _mark(row: TuningRow) -> str:
    return "chosen" if row.chosen else "" if row.state == "done" else row.state
