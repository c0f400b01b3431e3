"""Rows as a table in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 120
"""The most characters of a value in a notebook's table."""
LEFT = "style='text-align:left'"


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a head, as HTML; text from data is escaped, and cut where it is long.

    >>> html_table("one", ["id"], [["<a>"]]).count("&lt;a&gt;")
    1
    """
    heads = "".join(f"<th {LEFT}>{escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    shown = f"<caption {LEFT}>{escape(caption)}</caption>"
    return f"<table>{shown}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    text = "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return f"<td {LEFT}>{escape(cut(text))}</td>"


def cut(text: str) -> str:
    """A text that is not too long for a table.

    >>> len(cut("x" * 500))
    120
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
