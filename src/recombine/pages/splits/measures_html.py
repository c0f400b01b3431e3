"""The table of measured values alone, as a notebook shows it: no style, no script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from recombine.pages.splits.measures_table import table

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE = Markup("<table><caption {left}>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
_NAME = Markup("<th {left}>{text}</th>")
_NUMBER = Markup("<td style='text-align:right'>{text}</td>")
_ROW = Markup("<tr>{cells}</tr>")
_LEFT = Markup("style='text-align:left'")


def measures_html(measured: Mapping[str, Mapping[str, Any]], *, against: str, caption: str = "") -> str:
    """A row for each measure, a column for each split; values that are missing are a dash. Texts are escaped.

    >>> from recombine.workbench import load, measure, split
    >>> data = load([("jump", "J"), ("run", "R"), ("walk", "W")])
    >>> shown = measures_html({"<mine>": measure(data, split(data, train=2, test=1))}, against="test")
    >>> "&lt;mine&gt;" in shown, "Length ratio: source" in shown
    (True, True)
    """
    rows = []
    for group in table(list(measured.values()), against):
        for row in group.rows:
            cells = [_NAME.format(left=_LEFT, text=f"{group.title}: {row.label}")]
            cells += [_NUMBER.format(text=text) for text in row.texts()]
            rows.append(_ROW.format(cells=Markup().join(cells)))
    head = [_NAME.format(left=_LEFT, text=name) for name in ("", *measured)]
    return str(_TABLE.format(left=_LEFT, caption=caption, head=Markup().join(head), body=Markup().join(rows)))
