"""The page of a data set like CFQ as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.pages.cfq.level_figure import level_figure
from recombine.pages.cfq.paper_tables import paper_tables
from recombine.pages.cfq.pool_frequencies import rare_and_common
from recombine.pages.drawing.number_texts import percent, value_text
from recombine.pages.drawing.page import render_page
from recombine.pages.splits.frequency_figure import explanation, frequency_figure

if TYPE_CHECKING:
    from recombine.pages.cfq.cfq_data import CfqData
    from recombine.pages.splits.frequencies import Frequencies


def render_cfq(data: CfqData) -> bytes:
    """The page as a file."""
    tables = data.tables
    paper = list(paper_tables().answers.items())
    answers = [
        (*(tables.answers[place] if place < len(tables.answers) else ("", None)), *paper[place])
        for place in range(len(paper))
    ]
    return render_page(
        "cfq.html",
        styles=("report.css", "cfq.css"),
        script="cfq.js",
        browser={"levels": {str(level): listed for level, listed in data.browsed.items()}},
        filters={"value": value_text, "shape": _triple},
        title=f"{tables.name}: the data set in figures",
        data=data,
        tables=tables,
        answers=answers,
        levels=level_figure(data.levels, data.pool_levels, name="levels") if data.levels else None,
        taken=[_taken(data.rules, "rule", "Figure 4"), _taken(data.combinations, "combination", "Figure 5")],
        parts=[_parts(data.atoms, "atom", data.against), _parts(data.compounds, "compound", data.against)],
    )


def _triple(values: tuple[int | None, ...] | None) -> list[str]:
    return ["–"] * 3 if values is None else [value_text(value) for value in values]


def _taken(counted: Frequencies | None, noun: str, figure: str) -> dict[str, Any] | None:
    """The figure of a pool and what was taken of it, and how its rarest and commonest structures changed."""
    if counted is None:
        return None
    rare, common = rare_and_common(counted)
    return {
        "noun": noun,
        "figure": figure,
        "counted": counted,
        "drawn": frequency_figure(counted, noun=noun, name=f"{noun}s", against="data", known="pool"),
        "told": explanation(counted, noun=noun, against="data", known="pool"),
        "rare": [percent(share) for share in rare],
        "common": [percent(share) for share in common],
    }


def _parts(counted: Frequencies | None, noun: str, against: str) -> dict[str, Any] | None:
    """The figure of train and test."""
    if counted is None:
        return None
    return {
        "noun": noun,
        "counted": counted,
        "drawn": frequency_figure(counted, noun=noun, name=f"split-{noun}s", against=against),
        "told": explanation(counted, noun=noun, against=against),
    }
