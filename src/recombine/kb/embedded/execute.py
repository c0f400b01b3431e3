"""A logical form executed on an embedded index: by kernels, and by pyoxigraph where it is SPARQL or has a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.answers.execute_sparql import execute_sparql, is_connected
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.embedded.pattern_answers import pattern_answers
from recombine.kb.forms.form import SparqlQuery
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.forms.patterns.pattern_of import pattern_of

if TYPE_CHECKING:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.term import Term


def execute(store: EmbeddedStore, form: Form) -> list[Term]:
    """The answers of a form: distinct terms in the order of their keys, or a number or a truth."""
    if isinstance(form, SparqlQuery):
        return execute_sparql(store, form)
    pattern = pattern_of(form, store.profile).pattern
    return execute_sparql(store, form) if _has_circle(pattern) else pattern_answers(FormSets(store), pattern)


def _has_circle(pattern: Pattern) -> bool:
    """Whether nodes are connected in two ways, which narrowing them one by one does not answer exactly."""
    if len(pattern.edges) < len(pattern.nodes) or not is_connected(pattern):
        return False
    try:
        one_tree(pattern)
    except FormError:
        return True
    return False
