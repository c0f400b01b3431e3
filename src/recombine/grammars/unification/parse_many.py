"""Many questions with their queries: what rules make of each, in one process or in several, in the order given.

What becomes of a question does not depend on those before it, so that it is the same in any number of processes.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import orjson

from recombine.errors import DerivationError, OptionError, ProgramError, RecombineError
from recombine.grammars.unification.data_item import item_tags
from recombine.grammars.unification.queries.query_spelling import short_spelling
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.languages.sparql.sparql import SPARQL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.grammars.unification.question_parser import Reading

TOGETHER = 500
"""So many questions go to a process at a time."""
MOST_PROCESSES = 256
SELDOM = (1_000_000, 50, 100)


class Answer(NamedTuple):
    """What became of a question and the query that it is said to have."""

    problem: str | None
    """Why it has no reading."""
    query: str = ""
    """The query of the preferred reading."""
    readings: int = 0
    exact: bool = False
    equivalent: bool = False
    among_readings: bool = False
    """Whether it is the query of another reading than the preferred one."""
    derivation: str = ""
    """The rows of the derivation as JSON: of the reading that has the query, or else of the preferred one."""
    tags: dict[str, str | int] | None = None
    """The fields of a CFQ item that splits and measures go by, of the same reading."""


def iter_answers(
    rules: str, pairs: Iterable[tuple[str, str]], *, processes: int = 1, derivations: bool = False
) -> Iterator[Answer]:
    """What becomes of each pair of a question and a query; `rules` is a packaged set, a folder or a file.

    >>> pair = ("Was M0 a film", "SELECT count(*) WHERE { M0 a film.film }")
    >>> [answer.exact for answer in iter_answers("cfq", [pair])]
    [True]
    """
    check_processes(processes)
    pairs = iter(pairs)
    if processes == 1:
        parser = QuestionParser(read_rule_set(rules))
        with seldom_collecting():
            for question, query in pairs:
                yield _answer(parser, question, query, derivations=derivations)
        return
    yield from _iter_parallel(rules, pairs, processes, derivations)


def check_processes(processes: int) -> int:
    """The number of processes, when questions can be parsed in as many."""
    if not 1 <= processes <= MOST_PROCESSES:
        raise OptionError(f"cannot work in {processes} processes", f"give a number from 1 to {MOST_PROCESSES}")
    if processes > 1 and find_spec("joblib") is None:
        raise OptionError("more than one process needs joblib, which is not installed", "install recombine[cluster]")
    return processes


def _iter_parallel(rules: str, pairs: Iterator[tuple[str, str]], processes: int, derivations: bool) -> Iterator[Answer]:
    import joblib
    from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

    lots = iter(lambda: list(islice(pairs, TOGETHER)), [])
    run = joblib.Parallel(n_jobs=processes, backend="loky", return_as="generator", batch_size=1)
    try:
        for answers in run(joblib.delayed(_answers)(rules, lot, derivations) for lot in lots):
            yield from answers
    except (BrokenProcessPool, TerminatedWorkerError):
        raise RecombineError(
            "a process that parses was killed; it may be out of memory", "use fewer processes"
        ) from None


@lru_cache(maxsize=1)
def _parser(rules: str) -> QuestionParser:
    """The parser of a process, which knows what it has parsed before and does nothing else."""
    gc.set_threshold(*SELDOM)
    return QuestionParser(read_rule_set(rules))


def _answers(rules: str, pairs: list[tuple[str, str]], derivations: bool) -> list[Answer]:
    parser = _parser(rules)
    return [_answer(parser, question, query, derivations=derivations) for question, query in pairs]


def _answer(parser: QuestionParser, question: str, query: str, *, derivations: bool) -> Answer:
    try:
        reading = parser.parse(question)
    except DerivationError as error:
        return Answer(str(error))
    exact, equivalent = _compared(reading, query)
    chosen, among = reading, False
    if not equivalent and reading.readings > 1:
        for other in parser.iter_readings(question):
            if _compared(other, query)[1]:
                chosen, among = other, True
                break
    graph = parser.graph(chosen)
    rows = orjson.dumps(graph.to_rows()).decode() if derivations else ""
    tags = item_tags(parser.rules, chosen) if derivations else None
    return Answer(None, reading.query.short(), reading.readings, exact, equivalent, among, rows, tags)


def _compared(reading: Reading, query: str) -> tuple[bool, bool]:
    """Whether the query of a reading is the same text as another, and whether it is the same but for variables.

    A text that is no query of SPARQL is the same as no other.
    """
    ours, theirs = reading.query.short(), short_spelling(query)
    if ours == theirs:
        return True, True
    try:
        one, two = SPARQL.parse(ours), SPARQL.parse(theirs)
    except ProgramError:
        return False, False
    as_many = len(one.children[-1].children) == len(two.children[-1].children)
    return False, as_many and SPARQL.normalise(one) == SPARQL.normalise(two)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Look for garbage in circles seldom: parsing makes none, and looking through what it keeps takes a third of it."""
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
