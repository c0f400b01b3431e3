"""Answers as lines, out and in: `item task parent author worker kind batch control answer counted reason at`, and more.

Workers, as who answered and as authors, are pseudonyms. A control has what had to be answered as `expected`, so that
whoever has the lines can work out all that was decided from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecordError
from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.annotation.campaign.campaign import Campaign

FIELDS = (
    *("item", "task", "parent", "author", "worker", "kind", "batch", "control", "answer", "counted", "reason", "at"),
)
"""The fields that every row has, first and in this order."""


def iter_response_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """The answers of a campaign, in the order in which they came."""
    names = {worker.id: campaign.pseudonym(worker.id) for worker in campaign.workers()}
    for response in campaign.responses():
        row = response.to_dict()
        row["worker"] = names.get(row["worker"], row["worker"])
        row["author"] = names.get(row["author"], row["author"])
        first = {name: row[name] for name in FIELDS}
        further = {name: value for name, value in row.items() if name not in FIELDS}
        yield first | further


def iter_verdict_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """What was decided, in the order of items."""
    for verdict in campaign.verdicts():
        row = dict(verdict.__dict__)
        row["by"] = campaign.pseudonym(verdict.by) if verdict.by else ""
        yield row


def read_response_rows(path: Path | str) -> list[dict[str, Any]]:
    """The lines of a file; of each `item`, `worker` and `answer` are needed."""
    rows = []
    text = read_utf8(path)
    for number, record in iter_json_lines(text, path) if text.strip() else ():
        for name, kind in (("item", str), ("worker", str), ("answer", dict)):
            if not isinstance(record.get(name), kind):
                problem = f"has no {name!r}, or one that is no {'object' if kind is dict else 'text'}"
                raise RecordError(path, f"line {number}", problem, 'give {"item": …, "worker": …, "answer": {…}}')
        rows.append(record)
    if not rows:
        raise InputFileError(f"{path}: holds no answer", "give the lines that `annotate export` writes")
    return rows
