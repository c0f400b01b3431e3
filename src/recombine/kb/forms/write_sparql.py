"""A logical form as SPARQL 1.1 with whole IRIs, in one of two semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError
from recombine.kb.forms.form import SEMANTICS, SETS, SparqlQuery
from recombine.kb.forms.patterns.graph_of_pattern import graph_of_pattern
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.queries.published_query import published_query
from recombine.kb.forms.queries.sets_query import sets_query

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree


def write_sparql(form: Form, profile: Profile, semantics: str = SETS) -> str:
    """The query of a form: one that is SPARQL already as it stands, another in the semantics that is named.

    >>> from recombine.kb.forms.read_form import read_form
    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> plain = find_profile("plain")
    >>> write_sparql(read_form("(JOIN directed_by Jaws)", "sexpression", plain), plain)
    'SELECT DISTINCT ?x0 WHERE { ?x0 <http://example.org/directed_by> <http://example.org/Jaws> . }'
    """
    from recombine.languages.sparql.write_query import write_query

    if isinstance(form, SparqlQuery):
        return write_query(form.tree)
    return write_query(sparql_tree(pattern_of(form, profile).pattern, profile, semantics))


def sparql_tree(pattern: Pattern, profile: Profile, semantics: str) -> Tree:
    """The tree of a query for a pattern."""
    if semantics not in SEMANTICS:
        raise UnknownNameError("semantics", semantics, SEMANTICS)
    if semantics == SETS:
        return sets_query(pattern, profile)
    return published_query(graph_of_pattern(pattern, profile), profile)
