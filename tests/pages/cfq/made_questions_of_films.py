"""Some questions of CFQ with derivations, and where wanted with answers, as a file."""

from __future__ import annotations

from pathlib import Path

import orjson

import recombine
from recombine.workbench.parse import ParsedQuestion

QUESTIONS = {
    "Who directed M0": ["Ann", "Bob"],
    "Who edited M0": ["Ann"],
    "Did M0 direct M1": "Yes",
    "Did M0 edit M1": "No",
    "Did M0 edit and direct M1": "No",
    "Did M0 direct M1 and M2": "Yes",
    "Did a male film director edit M0 and M1": "No",
    "What sibling of M0 was M1 's parent": ["<b>Eve</b>"],
    "What did M0 direct": ["Jaws"],
    "Who was M0 's spouse": ["Ann"],
    "Which film editor did M1 marry": ["Bob"],
    "Was M0 a actor": "Yes",
}


def write_questions(path: Path, *, answers: bool = True, repeat: int = 1) -> Path:
    """A file of annotated questions; with answers, each has entities in another field."""
    rows = []
    for turn in range(repeat):
        for question, answer in QUESTIONS.items():
            text = question if not turn else question.replace("direct", "edit", 1)
            made = recombine.parse("cfq", text)
            assert isinstance(made, ParsedQuestion)
            row = {"source": text, "target": made.to_dict()["query"], "derivation": made.to_dict()["derivation"]}
            row |= {"questionTemplate": made.item["questionTemplate"], "sparqlPattern": made.item["sparqlPattern"]}
            if answers:
                row |= {"question": text.replace("M0", "Jaws"), "sparql": row["target"].replace("M0", "m.01")}
                row["expectedResponse"] = answer
            rows.append(row)
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path
