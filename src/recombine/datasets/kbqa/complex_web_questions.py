"""ComplexWebQuestions (CWQ): questions of several steps over Freebase, made from WebQSP's, with SPARQL.

`ComplexWebQuestions_train.json` is an array. The answers of its items are objects; these become the tag `answer`, and
their identifiers the tag `answers`. An answer without an identifier is given by its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.kbqa.form import ANSWERS, Form, plain_answers

if TYPE_CHECKING:
    from recombine.datasets.files.rows import PlacedRecord


def _prepare(row: PlacedRecord) -> str:
    if row.record.get(ANSWERS) is not None:
        row.record["answer"] = row.record[ANSWERS]
        row.record[ANSWERS] = plain_answers(row, row.record["answer"], ANSWERS, "answer_id", "answer")
    return ""


COMPLEX_WEB_QUESTIONS = Form(
    "ComplexWebQuestions",
    source="question",
    target="sparql",
    key="ID",
    marks=("ID", "sparql", "webqsp_ID", "compositionality_type"),
    prepare=_prepare,
)
