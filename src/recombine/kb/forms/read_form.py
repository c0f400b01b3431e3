"""A logical form read from what a file has in one of three notations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import ProgramError, UnknownNameError
from recombine.kb.forms.form import GRAPH, NOTATIONS, SEXPRESSION, SPARQL, Form, SExpression, SparqlQuery
from recombine.kb.forms.read_graph import read_graph

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

MAX_LENGTH = 1_000_000
"""The most characters of a form."""


def read_form(value: Any, notation: str, profile: Profile) -> Form:
    """The form of a JSON object (graph query), or of a text (S-expression, SPARQL); a `ProgramError` where it is none.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> read_form("(JOIN film.film.director m.0bxtg)", "sexpression", find_profile("freebase")).tree.label
    'JOIN'
    """
    if notation == GRAPH:
        return read_graph(value, profile)
    if notation not in NOTATIONS:
        raise UnknownNameError("notation", notation, NOTATIONS)
    if not isinstance(value, str):
        shown = repr(value) if len(repr(value)) <= 40 else repr(value)[:39] + "…"
        raise ProgramError(_LANGUAGES[notation], 0, f"it is no text but {shown}", "give the form as a text")
    if len(value) > MAX_LENGTH:
        problem = f"more than {MAX_LENGTH:,} characters"
        raise ProgramError(_LANGUAGES[notation], MAX_LENGTH, problem, "leave it out")
    if notation == SEXPRESSION:
        from recombine.languages.sexpression import parse_sexpression

        return SExpression(parse_sexpression(value))
    from recombine.languages.sparql.read_query import read_query

    query = read_query(value, prefixes=profile.prefixes)
    return SparqlQuery(query.tree, query.leniencies)


_LANGUAGES = {SEXPRESSION: "S-expression", SPARQL: "SPARQL"}
