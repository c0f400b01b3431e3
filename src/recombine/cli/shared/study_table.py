"""The table of a study in a terminal: means by splits and models, in lines where they do not fit beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.summary import Mean, SummaryRow

UNKNOWN = "?"
"""An interval of a paper of which the study file does not say the kind."""
_NARROWEST = 8
"""Signs of a model's name that stand on one line of a column at least, before the models are put in lines."""


def study_table(plan: Plan, rows: Sequence[SummaryRow], width: int) -> Table:
    """Means by splits and models, and what is still to do, for a terminal of so many columns."""
    kinds = any((*own_kinds(row), *paper_kinds(row)) for row in rows)
    names = [model.label for model in plan.study.model]
    columns = [max(_width(rows, name), min(len(name), _NARROWEST)) + 2 for name in names]
    if len(names) > len(rows) and sum(columns) + 30 > width:
        return _models_in_lines(plan, rows, names, kinds=kinds)
    return _splits_in_lines(plan, rows, names, kinds=kinds)


def _splits_in_lines(plan: Plan, rows: Sequence[SummaryRow], names: Sequence[str], *, kinds: bool) -> Table:
    table = _empty(plan)
    table.add_column("D_C", justify="right")
    for name in names:
        # A long name is folded, numbers are not.
        table.add_column(name, justify="right", overflow="fold", min_width=_width(rows, name))
    if kinds:
        table.add_column("±")
    for row in rows:
        cells = [row.label, _divergence(row), *(_cell_text(mean) for mean in row.means.values())]
        table.add_row(*cells, *([_kinds_text(row)] if kinds else []))
    return table


def _models_in_lines(plan: Plan, rows: Sequence[SummaryRow], names: Sequence[str], *, kinds: bool) -> Table:
    table = _empty(plan)
    for row in rows:
        table.add_column(row.label, justify="right", overflow="fold")
    table.add_row("D_C", *(_divergence(row) for row in rows))
    for name in names:
        table.add_row(name, *(_cell_text(row.means[name]) for row in rows))
    if kinds:
        table.add_row("±", *(_kinds_text(row) for row in rows))
    return table


def _empty(plan: Plan) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from recombine.studies.tables.summary import metric_title

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"{plan.study.name}: {metric_title(plan.study)}", overflow="fold")
    return table


def _width(rows: Sequence[SummaryRow], name: str) -> int:
    lines = [line for row in rows for line in _cell_text(row.means[name]).split("\n")]
    return max(map(len, lines), default=1)


def _divergence(row: SummaryRow) -> str:
    return "–" if row.divergence is None else f"{row.divergence:.3f}"


def own_kinds(row: SummaryRow) -> list[str]:
    """The kinds of our intervals in a row, in the order of its models."""
    return list(dict.fromkeys(mean.interval_kind for mean in row.means.values() if mean.interval_kind))


def paper_kinds(row: SummaryRow) -> list[str]:
    """The kinds of the paper's intervals in a row."""
    papers = [mean.paper for mean in row.means.values() if mean.paper is not None and mean.paper.interval is not None]
    return list(dict.fromkeys(paper.interval_kind or UNKNOWN for paper in papers))


def _kinds_text(row: SummaryRow) -> str:
    """The kinds of the intervals in a row, ours and below it the paper's."""
    theirs = " / ".join(paper_kinds(row))
    return (" / ".join(own_kinds(row)) or "–") + (f"\npaper {theirs}" if theirs else "")


def _cell_text(mean: Mean) -> str:
    """A mean with its interval, the cells that it lacks, and the paper's mean."""
    from recombine.studies.tables.summary import mean_text

    marks = [f"{mean.failed} failed" if mean.failed else "", f"{mean.to_do} to do" if mean.to_do else ""]
    paper = "" if mean.paper is None else f"paper {mean_text(mean.paper.mean, mean.paper.interval)}"
    return "\n".join(text for text in (mean_text(mean.mean, mean.interval), *marks, paper) if text)
