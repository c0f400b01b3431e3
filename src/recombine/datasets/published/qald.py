"""QALD: questions of a yearly challenge with SPARQL, over DBpedia (QALD-9-plus, test) and over Wikidata (QALD-10).

`qald/9` has 150 questions, `qald/10` 394. The tag `answers` lists IRIs, values, or one truth where the query is an
ASK; 36 questions have no answers. The queries use most of SPARQL 1.1, which the language `sparql11` reads. Their worlds
are not here: give an endpoint with `--kb URL`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.data_directory import data_file, data_files
from recombine.datasets.files.rows import dataset_of_rows
from recombine.datasets.files.tables import iter_rows
from recombine.languages.known import find_language

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset

FILE = "kb/qald.jsonl.gz"


@dataclass(frozen=True)
class Qald:
    """The questions of one year, as an entry of the catalogue has them."""

    name: str
    description: str
    hash: str
    part: str
    """What the field `set` says of its questions."""
    files: tuple[str, ...] = (FILE,)

    def load(self) -> Dataset:
        """The data set, read from the data directory."""
        rows = (row for row in iter_rows(data_file(FILE, self.name)) if row.text("set") == self.part)
        language = find_language("sparql11")
        return dataset_of_rows(rows, name=self.name, source="question", target="sparql", language=language)

    def inputs(self) -> list[Path]:
        """The files, which alone decide what is read."""
        return data_files(self.files, self.name)


QALD = (
    Qald("qald/9", "questions over DBpedia and SPARQL: QALD-9-plus, test", "426900d2f910779e", "qald-9-plus test"),
    Qald("qald/10", "questions over Wikidata and SPARQL: QALD-10", "47b238bef48cdeb0", "qald-10"),
)
