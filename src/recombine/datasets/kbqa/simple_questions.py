"""SimpleQuestions: questions about one fact of Freebase, as lines of subject, relation, object and question.

`annotated_fb_data_train.txt` has no header, and names are addresses: `www.freebase.com/m/04whkz5`. There is no program
in the file; the target is the S-expression, in GrailQA's spelling, of what is asked for: the objects that the relation
leads to from the subject. The object of the line is the one answer that is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.files.rows import PlacedRecord
from recombine.datasets.kbqa.form import ANSWERS, Form
from recombine.errors import InputFileError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COLUMNS = ("subject", "relation", "object", "question")
STEM = "www.freebase.com/"


def _iter_lines(path: Path) -> Iterator[PlacedRecord]:
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()
    if not lines:
        raise InputFileError(f"{path}: has no records", "give a file with at least one")
    for number, line in enumerate(lines, start=1):
        fields = line.removesuffix("\r").split("\t")
        row = PlacedRecord(path, "line", number, dict(zip(COLUMNS, fields, strict=False)))
        if len(fields) != len(COLUMNS):
            raise row.fault(f"{len(fields)} fields where {len(COLUMNS)} are expected", "mend the line")
        yield row


def _prepare(row: PlacedRecord) -> str:
    """Give a line its names as Freebase's identifiers, its target and its answer."""
    for column in COLUMNS[:3]:
        row.record[column] = _identifier(row, column)
    subject, relation, answer = (row.record[column] for column in COLUMNS[:3])
    row.record.update({"s_expression": f"(JOIN (R {relation}) {subject})", ANSWERS: [answer]})
    return ""


def _identifier(row: PlacedRecord, column: str) -> str:
    """The identifier of an address: `m.04whkz5` of `www.freebase.com/m/04whkz5`."""
    address = row.record[column].strip()
    name = address.removeprefix(STEM).replace("/", ".")
    if address == name or not name or any(mark in name for mark in " ()"):
        raise row.fault(f"the {column} {address[:40]!r} is no address of the form {STEM}m/0abc", "mend the line")
    return str(name)


SIMPLE_QUESTIONS = Form(
    "SimpleQuestions",
    source="question",
    target="s_expression",
    key="",
    marks=COLUMNS,
    language="sexpression",
    prepare=_prepare,
    rows=_iter_lines,
)
