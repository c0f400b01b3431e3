"""The error types of SPARQL: Table 7 of the CFQ paper, and what became of outputs that it does not divide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.known import ErrorAnalysis, ErrorTable
from recombine.evaluation.errors.sparql_errors import OutputErrors, sparql_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.errors.sparql_errors import SparqlErrors

KINDS = {
    "clause": ("clause", "sum"),
    "insertion": ("clause", "insertion"),
    "deletion": ("clause", "deletion"),
    "property": ("clause", "substitution", "property"),
    "node": ("clause", "substitution", "node"),
    "both": ("clause", "substitution", "both"),
    "filter": ("filter", "sum"),
    "filter_insertion": ("filter", "insertion"),
    "filter_deletion": ("filter", "deletion"),
    "filter_substitution": ("filter", "substitution"),
    "malformed": ("malformed",),
}
"""The columns of Table 7, and where `SparqlErrors.table` has them."""
OUTCOMES = {
    "right": OutputErrors.RIGHT,
    "same_clauses": OutputErrors.SAME_CLAUSES,
    "renamed": OutputErrors.RENAMED,
    "other_head": OutputErrors.OTHER_HEAD,
    "abstained": OutputErrors.ABSTAINED,
}
"""What else an output can be: the gold text, or something without a clause error."""
_COLUMNS = ("clause", "ins", "del", "prop", "node", "both", "filter", "ins", "del", "sub", "malformed")
_WORDS = {
    OutputErrors.RIGHT: "the gold text",
    OutputErrors.SAME_CLAUSES: "same clauses, in another order or repeated",
    OutputErrors.RENAMED: "equal but for names of variables",
    OutputErrors.OTHER_HEAD: "same clauses under another SELECT",
    OutputErrors.CLAUSES: "other clauses or filters",
    OutputErrors.MALFORMED: "malformed",
    OutputErrors.ABSTAINED: "no output",
}


def sparql_percents(errors: SparqlErrors) -> dict[str, float]:
    """The percent of outputs with each type of error, and with each outcome that is none of these."""
    table = errors.table(errors.n)
    percents = {kind: 100 * _value(table, way) for kind, way in KINDS.items()}
    return percents | {kind: 100 * errors.outcomes[outcome] / errors.n for kind, outcome in OUTCOMES.items()}


def _value(table: Any, way: Sequence[str]) -> float:
    for name in way:
        table = table[name]
    return float(table)


def sparql_tables(errors: SparqlErrors) -> list[ErrorTable]:
    """Examples with an error of each kind, in per cent as in Table 7, and what became of each output."""
    return [_clause_table(errors), _outcome_table(errors)]


def _clause_table(errors: SparqlErrors) -> ErrorTable:
    rows = [(f"of all {errors.n:,}", *_clause_row(errors.table(errors.n)))]
    if errors.errors:
        rows.append((f"of {errors.errors:,} errors", *_clause_row(errors.table(errors.errors))))
    rows.append(("per gold clause", *_clause_row(errors.per_clause())))
    return ErrorTable(("with an error, %", *_COLUMNS), rows)


def _clause_row(values: dict[str, Any]) -> list[str]:
    clause, filters = values["clause"], values["filter"]
    cells = [clause["sum"], clause["insertion"], clause["deletion"], *clause["substitution"].values()]
    cells += [filters["sum"], filters["insertion"], filters["deletion"], filters["substitution"]]
    return ["" if cell is None else f"{100 * cell:.1f}" for cell in [*cells, values.get("malformed")]]


def _outcome_table(errors: SparqlErrors) -> ErrorTable:
    rows = [
        (_WORDS[outcome], f"{100 * count / errors.n:.1f}", f"{count:,}") for outcome, count in errors.outcomes.items()
    ]
    return ErrorTable(("query", "%", "count"), rows)


SPARQL_ANALYSIS = ErrorAnalysis(
    "sparql", sparql_errors, signature={"clauses": "names,text"}, tables=sparql_tables, percents=sparql_percents
)
