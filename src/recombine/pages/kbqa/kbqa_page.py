"""The page of a set of questions over a knowledge base as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.drawing.number_texts import value_text
from recombine.pages.drawing.page import render_page
from recombine.pages.kbqa.kbqa_tables import AXES, TABLE_1, wording_rows
from recombine.pages.kbqa.paper_figures import paper_figures
from recombine.pages.kbqa.template_graph import HEIGHT

if TYPE_CHECKING:
    from recombine.pages.kbqa.kbqa_data import KbqaData


def render_kbqa(data: KbqaData) -> bytes:
    """The page as a file."""
    tables, paper = data.tables, paper_figures()
    return render_page(
        "kbqa.html",
        styles=("report.css", "kbqa.css"),
        script="kbqa.js",
        browser={"templates": [each.to_record() for each in data.shown], "height": HEIGHT},
        filters={"value": value_text, "share": _share},
        title=f"{tables.name}: questions over a knowledge base",
        data=data,
        tables=tables,
        levels=tables.levels,
        axes=AXES,
        counts=[(label, tables.row[key], int(paper["table"][key])) for key, label in TABLE_1.items()],
        wordings=wording_rows(tables),
        paper_levels=paper["levels"],
        choices=data.choices(),
        not_drawn=sum(each.graph is None for each in data.shown),
    )


def _share(value: float | None) -> str:
    """A share in percent with one decimal, a dash for none."""
    return "–" if value is None else f"{100 * value:.1f} %"
