"""A score as tables: verdicts of logical forms, groups, properties and bounds, for `recombine score`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.table import Table

    from recombine.evaluation.groups.group import Group
    from recombine.evaluation.groups.property_differences import PropertyDifferences
    from recombine.evaluation.groups.score_groups import Robustness
    from recombine.evaluation.match.judge import Tally
    from recombine.evaluation.score import Score

VERDICTS = ("right", "wrong", "malformed", "unsupported", "abstained")
NONE = "–"


def verdict_table(scored: Score) -> Table:
    """How many outputs each metric holds for right, wrong, malformed and so on."""
    table = _table("verdicts", *VERDICTS)
    for metric, tally in scored.tallies.items():
        table.add_row(_label(metric), *(f"{getattr(tally, verdict):,}" for verdict in VERDICTS))
    return table


def leniency_line(leniencies: Mapping[str, int]) -> str:
    """What had to be let pass to read outputs, in a line."""
    counts = ", ".join(f"{name} {count:,}" for name, count in leniencies.items())
    return f"let pass in reading outputs: {counts or 'nothing'}"


def group_tables(by: Mapping[str, Sequence[Group]]) -> Iterator[Table]:
    """A table for each thing that the score is taken apart by."""
    for axis, groups in by.items():
        metrics = [*dict.fromkeys(metric for group in groups for metric in group.tallies)]
        f1 = ["answer F1"] if groups[0].f1 is not None else []
        expected = ["expected"] if groups[0].expected is not None else []
        table = _table(f"by {axis}", "n", *map(_label, metrics), *f1, *expected)
        for group in groups:
            shares = [_tally(group.tallies.get(metric)) for metric in metrics]
            means = [(group.f1, group.f1_interval), (group.expected, group.expected_interval)]
            shown = [_share(mean, interval) for mean, interval in means if mean is not None and interval is not None]
            table.add_row(group.label, f"{group.n:,}", *shares, *shown)
        yield table


def property_table(found: PropertyDifferences) -> Table:
    """Accuracy with and without each property, the greatest loss first."""
    table = _table("with and without", "n with", "with", "without", "difference", "95 % interval")
    for row in found.rows:
        low, high = row.interval
        shares = (f"{row.having.accuracy:.3f}", f"{row.lacking.accuracy:.3f}", f"{row.difference:+.3f}")
        table.add_row(row.name, f"{row.having.n:,}", *shares, f"{low:+.3f} to {high:+.3f}")
    told = [f"{len(names):,} {what}" for names, what in _left_out(found) if names]
    table.caption = f"left out: {', '.join(told)}" if told else None
    return table


def _left_out(found: PropertyDifferences) -> list[tuple[Sequence[str], str]]:
    return [(found.everywhere, "of all or none"), ([*found.not_asked], "that the data cannot be asked for")]


def _tally(tally: Tally | None) -> str:
    return NONE if tally is None else _share(tally.accuracy, tally.interval)


def bounds_table(robustness: Robustness) -> Table:
    """Accuracy between its bounds, by metric and grouping."""
    table = _table("bounds by", "metric", "groups", "of one", "lower", "accuracy", "upper")
    for grouping, found in robustness.by.items():
        if found is None:
            table.add_row(grouping, *[NONE] * 6)
            continue
        for metric, bounds in found.items():
            names = ("lower", "accuracy", "upper")
            shares = (_share(getattr(bounds, name), bounds.interval(name)) for name in names)
            table.add_row(grouping, _label(metric), f"{bounds.groups:,}", f"{bounds.alone:,}", *shares)
    return table


def _label(metric: str) -> str:
    return metric.replace("_", " ")


def _share(value: float, interval: tuple[float, float]) -> str:
    """A share and its interval, `0.742 .63–.83`, short so that many stand beside each other."""
    low, high = (f"{end:.2f}".removeprefix("0") for end in interval)
    return f"{value:.3f} {low}–{high}"


def _table(first: str, *others: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table
