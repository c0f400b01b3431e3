"""LC-QuAD 1 and 2: questions made from templates and then corrected or paraphrased by people, with SPARQL.

LC-QuAD 1 (`train-data.json`) is over DBpedia. LC-QuAD 2 (`train.json`) has a query over Wikidata and one over DBpedia;
targets are those over Wikidata. Some of its items have no question of a person (`null` or `n/a`); they are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.kbqa.form import Form

if TYPE_CHECKING:
    from recombine.datasets.files.rows import PlacedRecord

_NO_QUESTION = (None, "", "n/a", "NA")


def _prepare_second(row: PlacedRecord) -> str:
    return "without a question" if row.record.get("question") in _NO_QUESTION else ""


LC_QUAD_1 = Form(
    "LC-QuAD 1",
    source="corrected_question",
    target="sparql_query",
    key="_id",
    marks=("_id", "corrected_question", "sparql_query", "sparql_template_id"),
)
LC_QUAD_2 = Form(
    "LC-QuAD 2",
    source="question",
    target="sparql_wikidata",
    key="uid",
    marks=("uid", "NNQT_question", "question", "sparql_wikidata"),
    prepare=_prepare_second,
)
