"""The page of a study over a knowledge base as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.kbqa_errors import CLASSES
from recombine.evaluation.groups.axes import LEVELS
from recombine.pages.drawing.page import render_page
from recombine.pages.kbqa.template_graph import HEIGHT
from recombine.pages.kbqa_results.bounds_figure import bounds_figure
from recombine.pages.kbqa_results.paper_results import paper_results
from recombine.pages.kbqa_results.result_tables import AXES, GROUPINGS

if TYPE_CHECKING:
    from recombine.pages.kbqa_results.known_system import KnownSystem
    from recombine.pages.kbqa_results.result_tables import Spread
    from recombine.pages.kbqa_results.results_data import ResultsData, SectionData


def render_results(data: ResultsData) -> bytes:
    """The page as a file."""
    return render_page(
        "kbqa_results.html",
        styles=("report.css", "kbqa.css", "kbqa_results.css"),
        script="kbqa_results.js",
        browser={"sections": [_browser(section) for section in data.sections], "height": HEIGHT},
        filters={"points": points, "sd": sd, "called": called, "p_value": p_value, "signed": signed},
        title=f"{data.study}: parsers over a knowledge base",
        data=data,
        paper=paper_results(),
        levels=("all", *LEVELS),
        classes=CLASSES,
        axes=AXES,
        figures=[_figures(number, section) for number, section in enumerate(data.sections)],
    )


def points(share: float | Spread | None, digits: int = 1) -> str:
    """A share, or the mean of one, in percent; a dash for none.

    >>> points(0.4664), points(None)
    ('46.6', '–')
    """
    if share is None:
        return "–"
    return f"{100 * (share if isinstance(share, float | int) else share.mean):.{digits}f}"


def sd(found: Spread | None) -> str:
    """The standard deviation of a mean; empty where there is none.

    >>> from recombine.pages.kbqa_results.result_tables import Spread
    >>> sd(Spread(0.5, 0.0123, 3)), sd(Spread(0.5, None, 1))
    (' ± 1.2', '')
    """
    return "" if found is None or found.sd is None else f" ± {100 * found.sd:.1f}"


def signed(share: float) -> str:
    """A difference in points."""
    return f"{100 * share:+.1f}".replace("-", "−")


def called(known: KnownSystem) -> str:
    """What a system is called on the page."""
    return f"{known.title}, {known.extra}" if known.extra else known.title


def p_value(value: float) -> str:
    """A p-value as it is shown.

    >>> p_value(0.00009), p_value(0.0312), p_value(1.0)
    ('< 0.001', '0.031', '1.000')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _figures(number: int, section: SectionData) -> list[tuple[str, int, Any]]:
    """The figure of each grouping, with the number of its groups."""
    found = []
    for grouping in GROUPINGS:
        rows = [row for row in section.figure5 if row.grouping == grouping]
        if rows:
            picture = bounds_figure(f"bounds-{number}-{grouping}", f"Bounds by {grouping}", rows)
            found.append((grouping, rows[0].groups, picture))
    return found


def _browser(section: SectionData) -> dict[str, Any]:
    """The wrong answers as the page's script reads them."""
    wrong = section.wrong
    return {
        "name": section.name,
        "systems": [f"{called(system.known)}, {system.known.links} links" for system in section.section.done],
        "forms": wrong.forms.to_record(),
        "wrong": [list(each) for each in wrong.shown],
    }
