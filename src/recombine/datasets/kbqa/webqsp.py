"""WebQSP: questions from a search engine with annotators' SPARQL over Freebase.

`WebQSP.train.json` is one object, whose `Questions` have `Parses`. The target is the SPARQL of the first parse that has
any; its answers and its topic are tags, and all parses stay in the tag `Parses`. A question without SPARQL is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.rows import PlacedRecord
from recombine.datasets.kbqa.form import ANSWERS, Form, plain_answers
from recombine.errors import InputFileError, RecordError
from recombine.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUESTIONS, PARSES = "Questions", "Parses"
_OF_THE_PARSE = {"TopicEntityMid": "topic", "TopicEntityName": "topic_name", "InferentialChain": "chain"}
"""Fields of the parse that is taken, and the tags that they become."""


def _iter_questions(path: Path) -> Iterator[PlacedRecord]:
    """The questions of a file, which is held whole."""
    try:
        whole = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}"
        raise RecordError(path, where, f"broken JSON at column {error.colno} ({error.msg})", "mend it") from None
    questions = whole.get(QUESTIONS) if isinstance(whole, dict) else None
    if not isinstance(questions, list):
        raise InputFileError(f"{path}: has no list {QUESTIONS!r}", "give a file of WebQSP's form")
    for number, record in enumerate(questions, start=1):
        row = PlacedRecord(path, "question", number, record)
        if not isinstance(record, dict):
            raise row.fault("is not a JSON object", "write it as {…}")
        yield row


def _prepare(row: PlacedRecord) -> str:
    """Give a question the SPARQL, answers and topic of the first parse that has SPARQL."""
    parse = _first_parse(row)
    if parse is None:
        return "without a parse that has SPARQL"
    row.record["Sparql"] = parse["Sparql"]
    row.record.update({tag: parse[field] for field, tag in _OF_THE_PARSE.items() if parse.get(field) is not None})
    if parse.get("Answers") is not None:
        row.record[ANSWERS] = plain_answers(row, parse["Answers"], "Answers", "AnswerArgument")
    return ""


def _first_parse(row: PlacedRecord) -> dict[str, Any] | None:
    parses = row.record.get(PARSES)
    if not isinstance(parses, list) or not all(isinstance(parse, dict) for parse in parses):
        raise row.fault(f"the field {PARSES!r} is not a list of objects", "write it as [{…}]")
    return next((parse for parse in parses if _has_sparql(parse)), None)


def _has_sparql(parse: dict[str, Any]) -> bool:
    sparql = parse.get("Sparql")
    return isinstance(sparql, str) and bool(sparql.strip())


WEBQSP = Form(
    "WebQSP",
    source="RawQuestion",
    target="Sparql",
    key="QuestionId",
    marks=("RawQuestion", PARSES),
    prepare=_prepare,
    rows=_iter_questions,
)
