"""Tables 1, 2(a), 2(b), 5, 8 and 9 of the CFQ paper, counted for any data, with what cannot be counted and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import DerivationError, RecombineError
from recombine.measures.subqueries import PAPER, count_by_part, named_rules, read_subqueries
from recombine.pages.cfq.item_texts import answer_counts, is_closed, item_texts, listed_answers, shown_answers
from recombine.pages.cfq.paper_tables import paper_tables
from recombine.selection.subsample import grammar_levels
from recombine.structures.programs.templates import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.measures.subqueries import SubqueryTable
    from recombine.pages.cfq.item_texts import ItemTexts
    from recombine.records.dataset import Dataset

LABELS = {
    "questions": "unique questions",
    "question_patterns": "question patterns (mod entities)",
    "question_templates": "question patterns (mod entities, verbs, etc.)",
    "queries": "unique queries",
    "query_patterns": "query patterns (mod entities)",
    "query_shapes": "query patterns (mod entities and properties)",
    "open": "open questions",
    "closed_yes": "closed questions (with answer “yes”)",
    "closed_no": "closed questions (with answer “no”)",
}
"""The rows of Table 2(a)."""
ANSWERS = 30
"""The answers of Table 5."""
_FIRST_TABLE = 8
"""The number that the paper's first table of subqueries has."""
STEP, FEW = 5, 12
"""Samples are of every fifth level, or of all where there are few."""


@dataclass(frozen=True)
class Row:
    """A number, or why there is none, beside the paper's."""

    key: str
    label: str
    value: int | None
    why: str
    paper: int | None


@dataclass(frozen=True)
class Sample:
    """A question of a level, and the paper's."""

    level: int
    question: str
    answer: str
    paper: str


@dataclass(frozen=True)
class Counted:
    """A data set in Table 2(b): questions, queries and query patterns, counted here and as printed."""

    name: str
    counted: tuple[int | None, ...] | None
    paper: tuple[int, ...] | None
    note: str = ""


@dataclass(frozen=True)
class SubqueryRows:
    """A table of subqueries: Table 8 or 9 of the paper, or one of a file."""

    title: str
    rows: tuple[Row, ...]
    number: int | None = None
    """Its number in the paper; none of a file's."""


@dataclass(frozen=True)
class DataTables:
    """All tables of a data set."""

    name: str
    size: int
    """How many examples there are."""
    levels: NDArray[np.int64] | None
    """The level of each example; none where they have no derivations."""
    statistics: tuple[Row, ...]
    samples: tuple[Sample, ...]
    datasets: tuple[Counted, ...]
    answers: tuple[tuple[str, int], ...]
    subqueries: tuple[SubqueryRows, ...]
    counted_in: str
    """The examples that subqueries were counted in, in words."""
    missing: dict[str, str]
    """What cannot be shown, and why."""

    def to_record(self) -> dict[str, Any]:
        """As the command line prints them."""
        return {
            "data": self.name,
            "examples": self.size,
            "levels": None if self.levels is None else {str(k): n for k, n in _by_level(self.levels).items()},
            "statistics": {row.key: row.value for row in self.statistics},
            "paper": {row.key: row.paper for row in self.statistics},
            "samples": [{"level": s.level, "question": s.question, "answer": s.answer or None} for s in self.samples],
            "datasets": {
                each.name: {
                    "counted": None if each.counted is None else list(each.counted),
                    "paper": None if each.paper is None else list(each.paper),
                }
                for each in self.datasets
            },
            "answers": dict(self.answers),
            "subqueries": [
                {"title": table.title, "rows": {row.label: row.value for row in table.rows}}
                for table in self.subqueries
            ],
            "counted_in": self.counted_in,
            "missing": self.missing,
        }


def build_tables(
    dataset: Dataset,
    *,
    train: Sequence[int] | None = None,
    subqueries: Path | str | None = None,
    load: Callable[[str], Dataset] | None = None,
    seed: int = 0,
) -> DataTables:
    """The tables; subqueries are counted in the rows of `train`, or in all. `load` gives other data sets by id.

    `subqueries` is a file of them or `cfq`; where none is named, the paper's are counted in data that has rules of
    theirs.
    """
    asked = read_subqueries(PAPER if subqueries is None else subqueries)
    texts = item_texts(dataset)
    missing: dict[str, str] = {}
    levels = None
    try:
        levels = grammar_levels(dataset)
    except DerivationError as error:
        missing["levels"] = error.problem
    statistics = _statistics(texts)
    missing |= {row.key: row.why for row in statistics if row.value is None}
    answers: tuple[tuple[str, int], ...] = ()
    if "answers" in texts.values:
        answers = tuple(answer_counts(texts, ANSWERS))
    else:
        missing["answers"] = texts.lacking["answers"]
    return DataTables(
        dataset.name,
        len(dataset),
        levels,
        statistics,
        () if levels is None else _samples(texts, levels, seed),
        _datasets(dataset.name, statistics, load),
        answers,
        _subqueries(dataset, train, asked, subqueries, missing),
        "all examples" if train is None else f"the train part, {len(train):,} examples",
        missing,
    )


def _by_level(levels: NDArray[np.int64]) -> dict[int, int]:
    return dict(sorted(Counter(levels.tolist()).items()))


def _statistics(texts: ItemTexts) -> tuple[Row, ...]:
    """Table 2(a)."""
    values: dict[str, int | None] = {}
    why = dict(texts.lacking)
    for key in list(LABELS)[:6]:
        values[key] = len(set(texts.values[key])) if key in texts.values else None
    closed = [is_closed(query) for query in texts.values["query_patterns"]]
    known = None not in closed
    values["open"] = closed.count(False) if known else None
    why |= {} if known else dict.fromkeys(("open", "closed_yes", "closed_no"), "targets are no SPARQL")
    for key, answer in (("closed_yes", "Yes"), ("closed_no", "No")):
        values[key] = None
        if known and "answers" in texts.values:
            pairs = zip(closed, texts.values["answers"], strict=True)
            values[key] = sum(bool(each) and listed_answers(value) == [answer] for each, value in pairs)
        elif known:
            why[key] = f"{closed.count(True):,} closed questions, {texts.lacking['answers']}"
    paper = paper_tables().statistics
    return tuple(Row(key, LABELS[key], values[key], why.get(key, ""), paper[key]) for key in LABELS)


def _samples(texts: ItemTexts, levels: NDArray[np.int64], seed: int) -> tuple[Sample, ...]:
    """Table 1: a question of every fifth level, drawn."""
    generator = np.random.default_rng(seed)
    paper = paper_tables().samples
    questions = texts.values.get("questions", texts.values["question_patterns"])
    there = sorted(set(levels.tolist()))
    shown = there if len(there) <= FEW else [level for level in there if level % STEP == 0]
    samples = []
    for level in shown:
        rows = np.flatnonzero(levels == level)
        row = int(rows[int(generator.integers(len(rows)))])
        answer = shown_answers(texts.values["answers"][row]) if "answers" in texts.values else ""
        samples.append(Sample(level, str(questions[row]), answer, paper.get(level, "")))
    return tuple(samples)


def _datasets(name: str, statistics: Sequence[Row], load: Callable[[str], Dataset] | None) -> tuple[Counted, ...]:
    """Table 2(b): the printed data sets, those at hand counted too, and this one last."""
    tables = paper_tables()
    rows = []
    for each, printed in tables.datasets.items():
        key = tables.at_hand.get(each)
        if key is None or load is None:
            rows.append(Counted(each, None, printed))
            continue
        try:
            rows.append(Counted(each, _three(load(key)), printed, f"counted in {key}"))
        except RecombineError as error:
            rows.append(Counted(each, None, printed, f"not counted: {error.problem}"))
    values = {row.key: row.value for row in statistics}
    questions = values["questions"] if values["questions"] is not None else values["question_patterns"]
    queries = values["queries"] if values["queries"] is not None else values["query_patterns"]
    without = "" if values["queries"] is not None else "without entities"
    return (*rows, Counted(name, (questions, queries, values["query_shapes"]), None, without))


def _three(dataset: Dataset) -> tuple[int | None, ...]:
    """Distinct questions, queries without constants, and queries with all symbols as numbers."""
    texts = item_texts(dataset).values
    return (
        len(set(texts["question_patterns"])),
        len(set(templates(dataset))),
        len(set(texts["query_shapes"])) if "query_shapes" in texts else None,
    )


def _subqueries(
    dataset: Dataset,
    train: Sequence[int] | None,
    tables: Sequence[SubqueryTable],
    named: Path | str | None,
    missing: dict[str, str],
) -> tuple[SubqueryRows, ...]:
    """Tables 8 and 9, or those of a file; why the paper's are not counted where nobody named them."""
    why = _why_not_counted(dataset, tables) if named is None else ""
    if why:
        missing["subqueries"] = why
        return ()
    rows = range(len(dataset)) if train is None else train
    counts = count_by_part(tables, dataset, [rows])[0]
    is_printed = str(PAPER if named is None else named) == PAPER
    printed = paper_tables().subqueries if is_printed else {}
    return tuple(
        SubqueryRows(
            table.title,
            tuple(
                Row(row.label, row.label, count, "", printed.get(row.label))
                for row, count in zip(table.rows, numbers, strict=True)
            ),
            _FIRST_TABLE + place if is_printed else None,
        )
        for place, (table, numbers) in enumerate(zip(tables, counts, strict=True))
    )


def _why_not_counted(dataset: Dataset, tables: Sequence[SubqueryTable]) -> str:
    """Why the paper's tables say nothing of data: they count words and rules of CFQ's own."""
    if dataset.count_without_derivation():
        return "rows that count rules need derivations"
    counted = named_rules(tables)
    if any(counted.intersection(each.derivation.rules) for each in dataset if each.derivation is not None):
        return ""
    return (
        f"no example has one of the {len(counted)} rules that the paper's tables count, such as {min(counted)}; "
        "--subqueries names tables for these data, or cfq for the paper's all the same"
    )
