"""What is wrong with SPARQL outputs, in the categories of Table 7 of the CFQ paper (App. F.1).

An output is right where its text is the gold query's up to white space, as in the paper, whatever the form of exact
match. Others fall into one outcome:

    abstained       no output
    malformed       not a query of the language
    same clauses    the gold query but for the order or repeats of clauses, or spelling; the paper counts it apart
    renamed         the gold query but for the names of variables, which the paper does not count apart
    other head      the same clauses, but another SELECT
    clauses         clauses or filters differ: what Table 7 divides

Clauses are compared with the names of variables as they stand. `ns:` in names, the order of a path's alternatives and
the order of a filter's two terms do not count. `match_clauses` says how clauses of two queries are paired. Table 7 has
the share of all examples with at least one error of a kind; shares of wrong outputs, and errors per clause of the gold
queries, are given beside it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import OptionError, ProgramError
from recombine.evaluation.errors.match_clauses import ClauseErrors, match_clauses
from recombine.languages.sparql.sparql import normalise, parse, render_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.evaluation.errors.match_clauses import Filter, Triple
    from recombine.tree import Tree

TRIPLE_KINDS = ("inserted", "deleted", "property", "node", "both")
FILTER_KINDS = ("filter_inserted", "filter_deleted", "filter_substituted")
NO_ERRORS = ClauseErrors()


class OutputErrors(StrEnum):
    """What became of one output."""

    RIGHT = "right"
    SAME_CLAUSES = "same clauses"
    RENAMED = "renamed"
    OTHER_HEAD = "other head"
    CLAUSES = "clauses"
    MALFORMED = "malformed"
    ABSTAINED = "abstained"


class Query(NamedTuple):
    """A query taken apart; the terms of each filter are sorted."""

    head: tuple[str, ...]
    triples: tuple[Triple, ...]
    filters: tuple[Filter, ...]
    tree: Tree


@dataclass(frozen=True)
class QueryErrors:
    """The outcome of one output, and what is wrong with its clauses where that is the outcome."""

    outcome: OutputErrors
    clauses: ClauseErrors = NO_ERRORS


@lru_cache(maxsize=1 << 12)
def read_query(text: str) -> Query:
    """Take a query apart; a malformed one is a `ProgramError`.

    >>> read_query("SELECT count(*) WHERE { M0 ns:film.film.sequel ?x0 . FILTER ( M0 != ?x0 ) }")[:3]
    (('select_count',), (('M0', 'film.film.sequel', '?x0'),), (('?x0', 'M0'),))
    """
    tree = parse(text)
    *heads, where = tree.children
    triples: list[Triple] = []
    filters: list[Filter] = []
    for clause in where.children:
        if clause.label == "!=":
            left, right = sorted(_spelled(term.label) for term in clause.children)
            filters.append((left, right))
        else:
            subject, path, target = clause.children
            ways = sorted(render_path(path).replace("ns:", "").split("|"))
            triples.append((_spelled(subject.label), "|".join(ways), _spelled(target.label)))
    return Query((tree.label, *(head.label for head in heads)), tuple(triples), tuple(filters), tree)


def _spelled(name: str) -> str:
    name = name.removeprefix("ns:")
    return f"m_{name[2:]}" if name.startswith("m.") else name


def query_errors(gold: str, output: str) -> QueryErrors:
    """What is wrong with one output; a malformed gold query is a `ProgramError`.

    >>> gold = "SELECT DISTINCT ?x0 WHERE { ?x0 a film.editor . ?x0 film.editor.film M1 }"
    >>> errors = query_errors(gold, "SELECT DISTINCT ?x0 WHERE { ?x0 film.director.film M1 }")
    >>> errors.outcome.value, errors.clauses.deleted, errors.clauses.property
    ('clauses', 1, 1)
    """
    wanted = read_query(gold)
    if not output.strip():
        return QueryErrors(OutputErrors.ABSTAINED)
    if gold.split() == output.split():
        return QueryErrors(OutputErrors.RIGHT)
    try:
        given = read_query(output)
    except ProgramError:
        return QueryErrors(OutputErrors.MALFORMED)
    if set(wanted.triples) == set(given.triples) and set(wanted.filters) == set(given.filters):
        return QueryErrors(OutputErrors.SAME_CLAUSES if wanted.head == given.head else OutputErrors.OTHER_HEAD)
    if normalise(wanted.tree) == normalise(given.tree):
        return QueryErrors(OutputErrors.RENAMED)
    return QueryErrors(
        OutputErrors.CLAUSES, match_clauses(wanted.triples, given.triples, wanted.filters, given.filters)
    )


@dataclass(frozen=True)
class SparqlErrors:
    """Outputs by outcome, and their clause errors by kind."""

    outcomes: Mapping[OutputErrors, int]
    examples: Mapping[str, int]
    """Examples with at least one error of a kind; `triples` and `filters` are those with any."""
    clauses: Mapping[str, int]
    """Errors of a kind, in numbers of clauses; `unlike` are among `both`."""
    gold_triples: int
    gold_filters: int

    @property
    def n(self) -> int:
        """The number of examples."""
        return sum(self.outcomes.values())

    @property
    def errors(self) -> int:
        """The examples that are not right."""
        return self.n - self.outcomes[OutputErrors.RIGHT]

    def table(self, whole: int) -> dict[str, Any]:
        """Table 7: the examples with each kind of error as shares of a whole, such as `n` or `errors`."""
        if whole < 1:
            raise OptionError(f"{whole} examples have no shares", "ask for shares of a whole that is not empty")
        share = {kind: count / whole for kind, count in self.examples.items()}
        share["malformed"] = self.outcomes[OutputErrors.MALFORMED] / whole
        return _layout(share)

    def per_clause(self) -> dict[str, Any]:
        """Errors per triple of the gold queries, and per filter; none where the gold queries have none of them."""
        rates: dict[str, float | None] = {}
        for kinds, sum_name, whole in (
            (TRIPLE_KINDS, "triples", self.gold_triples),
            (FILTER_KINDS, "filters", self.gold_filters),
        ):
            counts = {kind: self.clauses[kind] for kind in kinds}
            counts[sum_name] = sum(counts.values())
            rates |= {kind: count / whole if whole else None for kind, count in counts.items()}
        return _layout(rates)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "n": self.n,
            "errors": self.errors,
            "outcomes": {outcome.value.replace(" ", "_"): count for outcome, count in self.outcomes.items()},
            "of_examples": self.table(self.n),
            "of_errors": self.table(self.errors) if self.errors else None,
            "per_gold_clause": self.per_clause(),
            "clauses": dict(self.clauses),
            "gold_triples": self.gold_triples,
            "gold_filters": self.gold_filters,
        }


def _layout(values: Mapping[str, float | None]) -> dict[str, Any]:
    """Values by kind in the layout of Table 7."""
    clause = {
        "sum": values["triples"],
        "insertion": values["inserted"],
        "deletion": values["deleted"],
        "substitution": {kind: values[kind] for kind in ("property", "node", "both")},
    }
    filters = {
        "sum": values["filters"],
        "insertion": values["filter_inserted"],
        "deletion": values["filter_deleted"],
        "substitution": values["filter_substituted"],
    }
    table: dict[str, Any] = {"clause": clause, "filter": filters}
    return table | ({"malformed": values["malformed"]} if "malformed" in values else {})


def sparql_errors(pairs: Iterable[tuple[str, str]]) -> SparqlErrors:
    """The errors over pairs of a gold query and an output.

    >>> gold = "SELECT count ( * ) WHERE { M0 film.editor.film M1 . M0 film.writer.film M1 }"
    >>> errors = sparql_errors([(gold, gold), (gold, "SELECT count ( * ) WHERE { M0 film.writer.film M1 }")])
    >>> errors.table(errors.n)["clause"]["deletion"], errors.per_clause()["clause"]["deletion"]
    (0.5, 0.25)
    """
    outcomes = Counter(dict.fromkeys(OutputErrors, 0))
    examples = Counter(dict.fromkeys((*TRIPLE_KINDS, *FILTER_KINDS, "unlike", "triples", "filters"), 0))
    clauses = Counter(dict.fromkeys((*TRIPLE_KINDS, *FILTER_KINDS, "unlike"), 0))
    gold_triples = gold_filters = 0
    for gold, output in pairs:
        errors = query_errors(gold, output)
        outcomes[errors.outcome] += 1
        wrong = Counter(errors.clauses.to_record())
        clauses.update(wrong)
        examples.update(kind for kind, count in wrong.items() if count)
        examples["triples"] += any(wrong[kind] for kind in TRIPLE_KINDS)
        examples["filters"] += any(wrong[kind] for kind in FILTER_KINDS)
        wanted = read_query(gold)
        gold_triples, gold_filters = gold_triples + len(wanted.triples), gold_filters + len(wanted.filters)
    if not outcomes.total():
        raise OptionError("there are no outputs", "give at least one")
    return SparqlErrors(dict(outcomes), dict(examples), dict(clauses), gold_triples, gold_filters)
