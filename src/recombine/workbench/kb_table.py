"""What the forms of data sets name: the columns of table 1 of GrailQA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.workbench.load import load
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.workbench.load import Data

CATALOGUE = ("grailqa", "qald/9", "qald/10", "cfq/mcd1", "metaqa/1hop", "metaqa/2hop", "metaqa/3hop")
"""The data sets of the catalogue with questions about a knowledge base."""
COUNTS = ("questions", "canonical_forms", "domains", "relations", "classes", "entities", "literals")


@dataclass(frozen=True, repr=False, eq=False)
class KbTable(Result):
    """A row for each data set."""

    rows: tuple[dict[str, Any], ...]

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb table --json` prints."""
        return {"rows": [dict(row) for row in self.rows]}

    def __str__(self) -> str:
        return f"{len(self.rows)} data set{'s' * (len(self.rows) != 1)}: {', '.join(row['data'] for row in self.rows)}"


@verb
def kb_table(
    data: Data | Sequence[str] | None = None,
    *,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
) -> KbTable:
    """Questions, canonical forms, domains, relations, classes, entities and literals of data sets, counted by the rules
    of GrailQA's appendix C; without any, of those of the catalogue that are about a knowledge base.

    `data` is one data set, or a list of names. `ontology` is a folder, without it that of the data directory for
    Freebase; `profile` a name or a file.
    """
    names: list[Any]
    if data is None:
        names = list(CATALOGUE)
    elif isinstance(data, list | tuple) and all(isinstance(each, str) for each in data):
        names = list(data)
    else:
        names = [data]
    rows = []
    for each in names:
        with working(f"reading {each}" if isinstance(each, str) else "reading the data"):
            dataset = load(each, source=source, target=target, language=language)
            rows.append(_row(dataset, ontology=ontology, profile=profile))
    return KbTable(tuple(rows))


def _row(dataset: Dataset, *, ontology: Path | str | None, profile: Path | str | None) -> dict[str, Any]:
    from recombine.measures.kb_row import kb_row
    from recombine.measures.levels.level_definition import KB_LANGUAGES, level_definition
    from recombine.measures.levels.level_features import level_features

    if dataset.language is None or dataset.language.name not in KB_LANGUAGES:
        why = "are in no known language" if dataset.language is None else f"are in {dataset.language.name}"
        nothing = dict.fromkeys(COUNTS)
        return {
            "data": dataset.name,
            **nothing,
            "questions": len(dataset),
            "classes_rule": None,
            "classes_written": None,
            "profile": None,
            "notes": [f"its targets {why}, and are no forms over a knowledge base"],
        }
    definition, notes = level_definition(dataset, profile=profile, ontology=ontology)
    row = kb_row(dataset, definition, level_features(dataset, definition))
    return {**row, "notes": [*row["notes"], *notes]}
