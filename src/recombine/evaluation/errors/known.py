"""The error types of languages: how the errors of outputs in a language are taken apart, by the name of the language.

An analysis takes the pairs of gold programs and outputs. `score --errors` has what it finds under its name, and shows
its tables; the page of a study has the percentages that it gives, where it gives some.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from recombine.errors import OptionError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset

ALWAYS = ("sparql", "sql_parts")
"""The names that every breakdown has, with nothing under them where the language is another."""
OWN_KEYS = ("lengths", "zero_probability", "rare_atoms", "first_errors", "signature")
"""What else a breakdown has, which no analysis can be named."""


class Counted(Protocol):
    """What an analysis finds."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""


class ErrorTable(NamedTuple):
    """A table of texts: the first column on the left, the others are numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def record_table(name: str, counted: Counted) -> list[ErrorTable]:
    """One table of the numbers in the record of what was found: what an analysis shows that says nothing else.

    >>> class Two:
    ...     def to_record(self):
    ...         return {"too_long": 2, "kinds": {"a": 1}, "share": 0.5}
    >>> record_table("errors", Two())[0].rows
    [['too long', '2'], ['kinds: a', '1'], ['share', '0.500']]
    """
    return [ErrorTable([name.replace("_", " "), "value"], list(_rows(counted.to_record())))]


def _rows(record: Mapping[str, Any], front: str = "") -> list[list[str]]:
    rows = []
    for key, value in record.items():
        label = f"{front}{key}".replace("_", " ")
        if isinstance(value, dict):
            rows += _rows(value, f"{label}: ")
        else:
            rows.append([label, "–" if value is None else f"{value:.3f}" if isinstance(value, float) else f"{value}"])
    return rows


@dataclass(frozen=True)
class ErrorAnalysis:
    """How errors in a language are taken apart."""

    name: str
    """The key in `score --errors --json`."""
    analyse: Callable[[Sequence[tuple[str, str]]], Any]
    """Pairs of a gold program and an output, which is empty for an abstention, to what is `Counted` of them."""
    signature: Mapping[str, str] = field(default_factory=dict)
    """What it adds to the signature."""
    tables: Callable[[Any], Sequence[ErrorTable]] | None = None
    """How `score --errors` shows what was found; by default as the numbers of its record."""
    percents: Callable[[Any], Mapping[str, float]] | None = None
    """The percent of the outputs with each type of error, for the pages of studies."""
    of_data: Callable[[Dataset, Mapping[str, str]], Any] | None = None
    """What is counted of outputs by the ids of a data set, where more than the pairs is needed, such as its world."""

    def shown(self, counted: Any) -> Sequence[ErrorTable]:
        """What was found, as tables."""
        return record_table(self.name, counted) if self.tables is None else self.tables(counted)


ERRORS: Registry[ErrorAnalysis] = Registry(
    "language with error types",
    {
        "sparql": "recombine.evaluation.errors.sparql_analysis:SPARQL_ANALYSIS",
        "sql": "recombine.evaluation.errors.sql_analysis:SQL_ANALYSIS",
        "sexpression": "recombine.evaluation.errors.kbqa_analysis:SEXPRESSION_ANALYSIS",
        "sparql11": "recombine.evaluation.errors.kbqa_analysis:SPARQL_ANALYSIS",
    },
    lazy=True,
)
"""The analyses by the names of languages."""


def register_errors(language: str, analysis: ErrorAnalysis) -> ErrorAnalysis:
    """Add the error types of a language."""
    if analysis.name in (*ALWAYS, *OWN_KEYS):
        raise OptionError(
            f"an analysis of errors cannot be named {analysis.name!r}, as there is one", "give it another name"
        )
    return ERRORS.register(language, analysis)


def find_analysis(language: Language | None) -> ErrorAnalysis | None:
    """The analysis of a language; none where it has none."""
    return None if language is None else ERRORS.get(language.name)
