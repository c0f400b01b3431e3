"""The page: the numbers of a report through templates, as one file that asks for nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from recombine.report.browser import browser_data, example_numbers, script_json
from recombine.report.frequency_figure import explanation, frequency_figure
from recombine.report.graph_figure import graph_figure
from recombine.report.summary import heaviest, percent, plural, summary
from recombine.report.table import table
from recombine.version import __version__

if TYPE_CHECKING:
    from recombine.report.data import ReportData, SplitData


def render_html(data: ReportData) -> bytes:
    """The report as a file."""
    environment = Environment(
        loader=PackageLoader("recombine", "report/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"percent": percent, "plural": plural, "subscripts": _subscripts}
    style = environment.get_template("report.css").render().strip()
    script = environment.get_template("report.js").render().strip()
    numbers = example_numbers(data)
    page = environment.get_template("report.html").render(
        # The style and the script are files of this package, and script_json escapes what could end the element.
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        browser=Markup(script_json(browser_data(data))),  # noqa: S704
        policy=_policy(style, script),
        title=_title(data),
        data=data,
        groups=table([split.measured for split in data.splits], data.against),
        splits=[_section(split, number, data) for number, split in enumerate(data.splits, start=1)],
        numbers=numbers,
        version=__version__,
    )
    return page.encode() + b"\n"


def _policy(style: str, script: str) -> str:
    """Nothing may be fetched, and only this style and this script may be used."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _title(data: ReportData) -> str:
    what = data.splits[0].name if len(data.splits) == 1 else f"{len(data.splits)} splits"
    return f"{data.dataset.name}: what {what} hold{'s' if len(data.splits) == 1 else ''} out"


def _section(split: SplitData, number: int, data: ReportData) -> dict[str, Any]:
    """What the template needs of one split."""
    figures = []
    for noun, found in (("atom", split.atoms), ("compound", split.compounds)):
        if found is not None and len(found):
            drawn = frequency_figure(found, noun=noun, name=f"{noun}s-{number}", against=data.against)
            figures.append((noun, found, drawn, explanation(found, noun=noun, against=data.against)))
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
    }


def _subscripts(text: str) -> Markup:
    """Escaped text with D_A and D_C as they are printed."""
    return Markup(re.sub(r"\bD_([AC])\b", r"D<sub>\1</sub>", str(escape(text))))  # noqa: S704
