"""A logical form executed on an embedded index: S-expressions and graph queries by kernels, SPARQL by pyoxigraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.answers.execute_sparql import count_term, execute_sparql
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.embedded.graph_answers import graph_answers
from recombine.kb.embedded.sexpression_answers import sexpression_answers
from recombine.kb.forms.form import SExpression, SparqlQuery

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term


def execute(store: EmbeddedStore, form: Form) -> list[Term]:
    """The answers of a form: distinct terms in the order of their keys, or a number or a truth."""
    if isinstance(form, SparqlQuery):
        return execute_sparql(store, form)
    sets = FormSets(store)
    members = sexpression_answers(sets, form.tree) if isinstance(form, SExpression) else graph_answers(sets, form)
    if isinstance(members, int):
        return [count_term(members)]
    answers = store.terms(members.ids)
    return sorted([*answers, *members.without_facts], key=lambda term: term.key) if members.without_facts else answers
