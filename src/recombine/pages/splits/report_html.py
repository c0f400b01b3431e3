"""The page on splits: the numbers of a report through templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from recombine.measures.no_structures import why_no_structures
from recombine.pages.drawing.page import render_page
from recombine.pages.splits.example_browser import browser_data, example_numbers
from recombine.pages.splits.frequency_figure import explanation, frequency_figure
from recombine.pages.splits.graph_figure import graph_figure
from recombine.pages.splits.measures_table import table
from recombine.pages.splits.near_pairs import near_pairs
from recombine.pages.splits.not_measured import not_measured
from recombine.pages.splits.report_summary import heaviest, summary

if TYPE_CHECKING:
    from recombine.pages.splits.report_data import ReportData, SplitData


def render_html(data: ReportData) -> bytes:
    """The report as a file."""
    return render_page(
        "report.html",
        styles=("report.css",),
        script="report.js",
        browser=browser_data(data),
        filters={"subscripts": _subscripts},
        title=_title(data),
        data=data,
        groups=table([split.measured for split in data.splits], data.against),
        splits=[_section(split, number, data) for number, split in enumerate(data.splits, start=1)],
        numbers=example_numbers(data),
        not_measured=not_measured(data.splits),
        no_structures="" if data.structures else why_no_structures(data.dataset),
    )


def _title(data: ReportData) -> str:
    what = data.splits[0].name if len(data.splits) == 1 else f"{len(data.splits)} splits"
    return f"{data.dataset.name}: what {what} hold{'s' if len(data.splits) == 1 else ''} out"


def _section(split: SplitData, number: int, data: ReportData) -> dict[str, Any]:
    """What the template needs of one split."""
    figures = []
    for noun, frequencies in (("atom", split.atoms), ("compound", split.compounds)):
        if frequencies is not None and len(frequencies):
            drawn = frequency_figure(frequencies, noun=noun, name=f"{noun}s-{number}", against=data.against)
            figures.append((noun, frequencies, drawn, explanation(frequencies, noun=noun, against=data.against)))
    held = [
        (item, item.graph and graph_figure(item.graph, item.known, name=f"held-{number}-{place}"))
        for place, item in enumerate(split.held_out.chosen, start=1)
    ]
    return {
        "number": number,
        "name": split.name,
        "summary": summary(split, data.against),
        "heaviest": heaviest(split),
        "signature": split.measured["signature"],
        "figures": figures,
        "held": held,
        "held_out": split.held_out,
        "compounds": split.compounds,
        "deciding": split.deciding,
        "subqueries": split.subqueries,
        "near": near_pairs(data.dataset, split.measured.get("near_duplicates")),
    }


def _subscripts(text: str) -> Markup:
    """Escaped text with D_A and D_C as they are printed."""
    return Markup(re.sub(r"\bD_([AC])\b", r"D<sub>\1</sub>", str(escape(text))))  # noqa: S704
