"""QALD-9-plus and QALD-10: English questions, SPARQL and the values of the answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.downloads.originals import Originals

SETS = (("qald-9-plus", "qald-9-plus test", "dbpedia"), ("qald-10", "qald-10", "wikidata"))
"""The role of each file, the name of its questions, and what they are about."""


def qald_lines(originals: Originals) -> bytes:
    """A JSON object for each question, first those over DBpedia; text is not escaped to ASCII."""
    records = (record for role, name, kb in SETS for record in _iter_records(originals, role, name, kb))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _iter_records(originals: Originals, role: str, name: str, kb: str) -> Iterator[dict[str, Any]]:
    for item in originals.json(role)["questions"]:
        english = [each["string"] for each in item["question"] if each["language"] == "en"]
        if not english:
            problem = "has no English question"
            raise RecordError(originals.name(role), f"question {item['id']}", problem, "use the published file")
        record = {"id": f"{role}/{item['id']}", "set": name, "kb": kb, "question": english[0]}
        yield {**record, "sparql": item["query"]["sparql"], "answers": [*_iter_values(item["answers"])]}


def _iter_values(answers: list[dict[str, Any]]) -> Iterator[str | bool]:
    """The values that are answers; a truth is itself."""
    for answer in answers:
        if "boolean" in answer:
            yield answer["boolean"]
        for binding in answer.get("results", {}).get("bindings", []):
            yield from (value["value"] for value in binding.values())
