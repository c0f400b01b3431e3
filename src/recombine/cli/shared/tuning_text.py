"""What tuned models were chosen by, as a table of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from recombine.studies.tables.tuning_table import TuningRow, TuningTable


MOST = 40
"""The most lines of a table; beyond, only what is chosen is shown."""


def tuning_text(tables: Sequence[TuningTable]) -> Table:
    """Combinations with their accuracy on held-back train, a line for each; where they are many, the chosen ones."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shares = dict.fromkeys(f"{100 * table.share:g} %" for table in tables)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("tuned model, split", overflow="fold")
    table.add_column("values", overflow="fold")
    table.add_column(f"right on {', '.join(shares)} of train, %", justify="right")
    table.add_column("")
    many = sum(len(each.rows) for each in tables) > MOST
    for each in tables:
        name = f"{each.model}, {each.split}"
        shown = [row for row in each.rows if row.chosen] if many else each.rows
        for place, row in enumerate(shown):
            accuracy = "–" if row.accuracy is None else f"{row.accuracy:.1f}"
            table.add_row(name if place == 0 else "", row.label, accuracy, _mark(row))
        if not shown:
            table.add_row(name, f"{len(each.rows)} combinations", "–", each.problem or _left(each))
    return table


def _left(table: TuningTable) -> str:
    states = [row.state for row in table.rows]
    return ", ".join(f"{states.count(state)} {state}" for state in ("to do", "failed") if state in states)


def _mark(row: TuningRow) -> str:
    return "chosen" if row.chosen else "" if row.state == "done" else row.state
