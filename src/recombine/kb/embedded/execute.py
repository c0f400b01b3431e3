"""A logical form executed on an embedded index: S-expressions and graph queries by kernels, SPARQL by pyoxigraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.answers.execute_sparql import execute_sparql
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.embedded.pattern_answers import pattern_answers
from recombine.kb.forms.form import SparqlQuery
from recombine.kb.forms.pattern_of import pattern_of

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term


def execute(store: EmbeddedStore, form: Form) -> list[Term]:
    """The answers of a form: distinct terms in the order of their keys, or a number or a truth."""
    if isinstance(form, SparqlQuery):
        return execute_sparql(store, form)
    return pattern_answers(FormSets(store), pattern_of(form, store.profile).pattern)
