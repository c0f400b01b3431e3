"""A set of questions over a knowledge base in numbers: GrailQA's Table 1, shares and wordings (section 3.2), levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.groups.axes import ANSWERS, FUNCTION, RELATIONS
from recombine.measures.kb_row import kb_row
from recombine.pages.kbqa.level_sizes import level_sizes
from recombine.pages.kbqa.paper_figures import paper_figures
from recombine.pages.kbqa.question_table import UNKNOWN, counted
from recombine.pages.kbqa.wording_tables import wording_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.pages.kbqa.level_sizes import LevelSizes
    from recombine.pages.kbqa.question_table import QuestionTable
    from recombine.pages.kbqa.wording_tables import WordingTables
    from recombine.records.split import Split

TABLE_1 = {
    "questions": "questions",
    "canonical_forms": "canonical forms",
    "domains": "domains",
    "relations": "relations",
    "classes": "classes",
    "entities": "entities",
    "literals": "literals",
}
AXES = {RELATIONS: "number of relations", FUNCTION: "function", ANSWERS: "number of answers"}
_PAPER = {RELATIONS: "relations", FUNCTION: "functions", ANSWERS: "answers"}


@dataclass(frozen=True)
class Share:
    """How many questions have a label, here and in the paper."""

    label: str
    count: int
    share: float
    paper: int | None
    paper_share: float | None


@dataclass(frozen=True)
class KbqaTables:
    """All numbers of a set."""

    table: QuestionTable
    row: Mapping[str, Any]
    """As Table 1 has it."""
    shares: Mapping[str, tuple[Share, ...]]
    wordings: WordingTables
    levels: LevelSizes
    missing: Mapping[str, str]
    """What cannot be told, and why."""

    @property
    def name(self) -> str:
        """The name of the data."""
        return self.table.dataset.name

    @property
    def notes(self) -> list[str]:
        """What is to be known of how it was counted."""
        return [*self.row["notes"], *self.table.notes]

    def to_record(self) -> dict[str, Any]:
        """As the command line prints them."""
        paper = paper_figures()
        return {
            "data": self.name,
            "language": self.table.language,
            "profile": self.row["profile"],
            **{key: self.row[key] for key in TABLE_1},
            "classes_rule": self.row["classes_rule"],
            "shares": {axis: {each.label: each.count for each in shares} for axis, shares in self.shares.items()},
            "wordings": self.wordings.to_record(),
            "levels": self.levels.to_record(),
            "canonical_field": self.table.canonical or None,
            "unnamed": self.table.unnamed,
            "unreadable": self.table.unreadable,
            "missing": dict(self.missing),
            "notes": self.notes,
            "paper": {name: dict(figures) for name, figures in paper.items()},
        }


def build_kbqa_tables(
    table: QuestionTable, *, split: Split | None = None, split_name: str = "", seed: int = 0
) -> KbqaTables:
    """Count a set; `split` gives the levels, else the data's own tags do."""
    row = kb_row(table.dataset, table.definition, table.features)
    # Where names tell no domains, those that levels hold out are counted: of the classes, or of nothing at all.
    row["domains"] = row["domains"] or len(set(table.features.domains) - {""}) or None
    labels = table.labels()
    levels = level_sizes(table, split, split_name)
    return KbqaTables(
        table,
        row,
        {axis: _shares(labels[axis], axis) for axis in AXES},
        wording_tables(table, seed=seed),
        levels,
        _missing(table, row, labels, levels),
    )


def _shares(labels: list[str], axis: str) -> tuple[Share, ...]:
    printed = paper_figures()[_PAPER[axis]]
    total = sum(printed.values())
    shares = []
    for label, count in counted(labels, axis).items():
        paper = printed.get(label.removesuffix("+"))
        shares.append(
            Share(
                label,
                count,
                count / len(labels),
                None if paper is None else int(paper),
                None if paper is None else paper / total,
            )
        )
    return tuple(shares)


def _missing(
    table: QuestionTable, row: Mapping[str, Any], labels: Mapping[str, list[str]], levels: LevelSizes
) -> dict[str, str]:
    """What cannot be told of a set."""
    missing = {}
    if not table.canonical:
        missing["canonical"] = "no field has the canonical question of each (--canonical FIELD)"
    if not row["domains"]:
        missing["domains"] = f"names of the profile {row['profile']} do not tell a domain"
    if unknown := labels[ANSWERS].count(UNKNOWN):
        missing["answers"] = f"{unknown:,} questions list no answers"
    if not levels.told_by:
        missing["levels"] = "no split is given, and no question says its level"
    if table.unnamed:
        missing["entities"] = f"{table.unnamed:,} questions do not show all that their forms name"
    if unreadable := len(table.unreadable):
        missing["programs"] = f"{unreadable:,} programs cannot be read"
    return missing


@dataclass(frozen=True)
class WordingRow:
    """How alike some pairs are, as texts."""

    label: str
    texts: tuple[str, ...]
    pairs: str
    drawn: str
    """How pairs were drawn; empty where all are compared."""
    paper: bool = False
    """Whether it is what the paper prints."""


def wording_rows(tables: KbqaTables) -> list[WordingRow]:
    """The rows of the table of wordings: each comparison with and without entities, and below it the paper's."""
    rows, paper = [], paper_figures()
    for key, title, pair in (
        ("canonical", "with the canonical question", tables.wordings.with_canonical),
        ("paraphrases", "with others of the same form", tables.wordings.among),
    ):
        for found, name in zip(pair, (title, "  without entities"), strict=True):
            if found is None:
                rows.append(WordingRow(name, ("–",) * 5, "0", ""))
                continue
            shares = (f"{value:.3f}" for value in (found.unigrams, found.bigrams))
            means = (f"{value:.1f}" for value in (found.edits, found.words, found.characters))
            drawn = (
                f"{found.pairs:,} of {found.all_pairs:,} pairs, drawn evenly" if found.pairs < found.all_pairs else ""
            )
            rows.append(WordingRow(name, (*shares, *means), f"{found.pairs:,}", drawn))
        printed = paper[key]
        characters = f"{printed['characters']:.1f}" if "characters" in printed else "–"
        texts = f"{printed['unigrams']:.3f}", f"{printed['bigrams']:.3f}", f"{printed['edits']:.1f}", "–", characters
        rows.append(WordingRow("  in GrailQA, as printed", texts, "", "", paper=True))
    return rows
