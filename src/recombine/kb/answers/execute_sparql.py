"""A logical form executed on any store by SPARQL: as it stands, or as the query that its pattern is executed by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recombine.errors import FormError
from recombine.kb.forms.form import SparqlQuery
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.queries.executed_query import executed_query
from recombine.kb.term import Term

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Table

XSD = "http://www.w3.org/2001/XMLSchema#"


class AsksSparql(Protocol):
    """What a store needs for it."""

    @property
    def profile(self) -> Profile:
        """The profile that names stand under."""

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT."""

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK."""


def execute_sparql(store: AsksSparql, form: Form) -> list[Term]:
    """The answers of a form: distinct terms in the order of their keys; a number of a count, a truth of an ASK."""
    from recombine.languages.sparql.write_query import write_query

    if not isinstance(form, SparqlQuery):
        pattern = pattern_of(form, store.profile).pattern
        if not is_connected(pattern):
            raise FormError("a part of it is not connected with what is asked for", "connect it, or leave it out")
        return column_answers(store.select(executed_query(pattern, store.profile)))
    query = write_query(form.tree)
    if form.tree.label == "ask":
        return [truth_term(store.ask(query))]
    return column_answers(store.select(query))


def is_connected(pattern: Pattern) -> bool:
    """Whether edges lead from what is asked for to every node."""
    return len(pattern.reached()) == len(pattern.nodes)


def column_answers(table: Table) -> list[Term]:
    """The distinct terms of the one column of a table, in the order of their keys; what is not bound is no answer."""
    if len(table.variables) != 1:
        columns = ", ".join(f"?{name}" for name in table.variables)
        raise FormError(f"the query gives {len(table.variables)} columns ({columns})", "use select for tables")
    return sorted({row[0] for row in table.rows if row[0] is not None}, key=lambda term: term.key)


def truth_term(truth: bool) -> Term:
    """The answer to an ASK as a literal."""
    return Term.literal("true" if truth else "false", datatype=XSD + "boolean")
