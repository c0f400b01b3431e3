"""Questions read by rules: one with its query and rule applications, pairs to check, or data to annotate."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.progress import note, tracked, working
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.load import load
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.grammars.unification.question_parser import QuestionParser
    from recombine.records.columns import WrittenExample
    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation
    from recombine.workbench.load import Data

COLUMNS = (
    ("question", "query"),
    ("questionPatternModEntities", "sparqlPatternModEntities"),
)
"""The names under which files of CFQ keep questions and queries, besides source and target."""
SHOWN = 20
"""So many pairs that differ are kept of each kind."""


@dataclass(frozen=True, repr=False, eq=False)
class ParsedQuestion(Result):
    """One question and what the rules make of it."""

    question: str
    query: str
    logical_form: str
    derivation: Derivation
    item: dict[str, Any]
    """The fields of a CFQ data item."""
    readings: int

    def to_dict(self) -> dict[str, Any]:
        """What `parse --json` prints."""
        return {
            "question": self.question,
            "query": self.query,
            "logical_form": self.logical_form,
            "readings": self.readings,
            "derivation": self.derivation.to_rows(),
            "item": self.item,
        }

    def __str__(self) -> str:
        return self.query


@dataclass(frozen=True, repr=False, eq=False)
class ParsedPairs(Result):
    """What became of pairs of questions and queries."""

    pairs: int
    parsed: int
    equivalent: int
    exact: int
    ambiguous: int
    among_readings: int
    """Pairs whose query is not that of the preferred reading, but of another one."""
    per_second: float
    different: tuple[dict[str, str], ...] = field(default=())
    """Some of the pairs that were not parsed, or whose query is another one."""

    def to_dict(self) -> dict[str, Any]:
        """What `parse --pairs --json` prints."""
        return {
            "pairs": self.pairs,
            "parsed": self.parsed,
            "equivalent": self.equivalent,
            "exact": self.exact,
            "ambiguous": self.ambiguous,
            "among_readings": self.among_readings,
            "per_second": self.per_second,
            "different": list(self.different),
        }

    def __str__(self) -> str:
        return f"{self.equivalent:,} of {self.pairs:,} pairs have an equivalent query, {self.exact:,} the same text"


@dataclass(repr=False, eq=False)
class ParsedData(Result):
    """Data whose examples get derivations as they are written, one after the other."""

    dataset: Dataset
    rules: str
    processes: int = 1
    counts: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """What `parse --data --json` prints."""
        return {"examples": len(self.dataset), **self.counts, "hash": self.dataset.hash, "file": None}

    def __str__(self) -> str:
        said = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in self.counts.items())
        return f"{self.dataset}: {len(self.dataset):,} examples{f' ({said})' if said else ''}"

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_dict())

    def iter_written(self) -> Iterator[WrittenExample]:
        """The examples with their derivations; those whose question has no reading are left out and counted."""
        from recombine.grammars.unification.parse_many import iter_answers

        counts = self.counts = {"annotated": 0, "other_query": 0, "left_out": 0}
        total = len(self.dataset)
        answers = iter_answers(self.rules, _pairs(self.dataset), processes=self.processes, derivations=True)
        for example, answer in zip(tracked(self.dataset.iter_written(), "parsing", total=total), answers, strict=True):
            if answer.problem is not None:
                counts["left_out"] += 1
                if counts["left_out"] <= 3:
                    note(f"the example {example.id} is left out: {answer.problem}")
                continue
            counts["annotated"] += 1
            counts["other_query"] += not (answer.equivalent or answer.among_readings)
            yield example._replace(derivation=answer.derivation, tags={**example.tags, **(answer.tags or {})})
        if counts["left_out"]:
            note(f"{counts['left_out']:,} examples are left out, because their questions have no reading")
        if counts["other_query"]:
            note(f"{counts['other_query']:,} examples have a query that no reading gives; the preferred one is kept")

    def write(self, path: Path | str) -> None:
        """Write the examples as JSON lines while they are parsed; the file is there whole or not at all."""
        from recombine.datasets.files.stream_table import write_json_lines

        write_json_lines(self.iter_written(), path, like=self.dataset)


def _pairs(dataset: Dataset) -> Iterator[tuple[str, str]]:
    return ((example.source, example.target) for example in dataset.iter_written())


@verb
def parse(
    what: str,
    question: str | None = None,
    *,
    pairs: Data | None = None,
    data: Data | None = None,
    rules: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    spelling: str = "short",
    processes: int = 1,
) -> ParsedQuestion | ParsedPairs | ParsedData:
    """Read a question, pairs to check, or data to annotate, by the rules `cfq`, or those of a folder or file.

    `spelling` is how queries are written: `short` as in two-column files, `long` as in CFQ's release. Pairs and data
    are parsed in so many `processes`, with the same result.

    >>> parse("cfq", "Who directed M0").query
    'SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.director.film M0 }'
    """
    from recombine.grammars.unification.parse_many import check_processes
    from recombine.grammars.unification.question_parser import QuestionParser
    from recombine.grammars.unification.rules.rule_set import packaged_rule_sets, read_rule_set

    if sum(each is not None for each in (question, pairs, data)) != 1:
        raise OptionError("nothing, or several things, to parse", "give one of: a question, pairs, data")
    if spelling not in ("short", "long"):
        raise OptionError(f"unknown spelling {spelling!r}", "give short or long")
    check_processes(processes)
    if rules is None and what not in packaged_rule_sets():
        raise UnknownNameError("rule set", what, packaged_rule_sets())
    wanted = what if rules is None else str(rules)
    parser = QuestionParser(read_rule_set(wanted))
    if question is not None:
        return _one(parser, question, spelling)
    dataset = _load(data if pairs is None else pairs, source, target)  # type: ignore[arg-type]
    return ParsedData(dataset, wanted, processes) if pairs is None else _checked(wanted, dataset, processes)


def _one(parser: QuestionParser, question: str, spelling: str) -> ParsedQuestion:
    from recombine.grammars.unification.data_item import data_item

    reading = parser.parse(question)
    query = reading.query.short() if spelling == "short" else reading.query.long()
    item = data_item(parser, reading)
    return ParsedQuestion(question, query, reading.logical_form, parser.graph(reading), item, reading.readings)


def _load(data: Data, source: str | None, target: str | None) -> Dataset:
    """The data; fields that are not named are those of CFQ's files."""
    with working(loading(data)):
        if source is not None or target is not None:
            return load(data, source=source, target=target)
        try:
            return load(data)
        except RecordError as error:
            for one, two in COLUMNS:
                with suppress(RecordError):
                    return load(data, source=one, target=two)
            raise error from None


def _checked(rules: str, dataset: Dataset, processes: int) -> ParsedPairs:
    from recombine.grammars.unification.parse_many import iter_answers

    counts = dict.fromkeys(("parsed", "equivalent", "exact", "ambiguous", "among_readings"), 0)
    different: list[dict[str, str]] = []
    start = time.perf_counter()
    answers = iter_answers(rules, _pairs(dataset), processes=processes)
    pairs = tracked(_pairs(dataset), "parsing", total=len(dataset))
    for (question, query), answer in zip(pairs, answers, strict=True):
        counts["parsed"] += answer.problem is None
        counts["ambiguous"] += answer.readings > 1
        counts["exact"] += answer.exact
        counts["equivalent"] += answer.equivalent
        counts["among_readings"] += answer.among_readings
        if not answer.equivalent and len(different) < SHOWN:
            problem = answer.problem or f"the rules give {answer.query}" + (
                " and, in another reading, this" if answer.among_readings else ""
            )
            different.append({"question": question, "query": query, "problem": problem})
    seconds = time.perf_counter() - start
    per_second = round(len(dataset) / seconds, 1) if seconds else 0.0
    return ParsedPairs(len(dataset), **counts, per_second=per_second, different=tuple(different))
