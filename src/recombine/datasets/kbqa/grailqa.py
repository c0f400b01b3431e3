"""GrailQA and GraphQuestions: questions over Freebase with a graph query each, and in GrailQA an S-expression.

`grailqa_v1.0_train.json` and `graphquestions.training.json` are arrays of items that share most fields. Targets are
GrailQA's `s_expression`, and GraphQuestions' `sparql_query`. The public test set of GrailQA has questions alone, so
that it is not of this form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.kbqa.form import ANSWERS, Form, plain_answers

if TYPE_CHECKING:
    from recombine.datasets.files.rows import PlacedRecord


def prepare_grailqa(row: PlacedRecord) -> str:
    """Give an item its plain answers: Freebase's identifiers, and values."""
    if row.record.get("answer") is not None:
        row.record[ANSWERS] = plain_answers(row, row.record["answer"], "answer", "answer_argument")
    return ""


def _prepare_graph_questions(row: PlacedRecord) -> str:
    if row.record.get("answer") is not None:
        row.record[ANSWERS] = plain_answers(row, row.record["answer"], "answer")
    return ""


GRAILQA = Form(
    "GrailQA",
    source="question",
    target="s_expression",
    key="qid",
    marks=("qid", "s_expression", "graph_query"),
    language="sexpression",
    prepare=prepare_grailqa,
)
GRAPH_QUESTIONS = Form(
    "GraphQuestions",
    source="question",
    target="sparql_query",
    key="qid",
    marks=("qid", "sparql_query", "graph_query"),
    foreign=("s_expression",),
    prepare=_prepare_graph_questions,
)
