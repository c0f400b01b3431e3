"""A logical form as a file has it: a JSON object for a graph query, a text for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.kb.forms.form import GraphQuery, SExpression
from recombine.kb.forms.write_graph import write_graph

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile


def write_form(form: Form, profile: Profile) -> str | dict[str, Any]:
    """What `read_form` takes back to the form."""
    if isinstance(form, GraphQuery):
        return write_graph(form, profile)
    if isinstance(form, SExpression):
        from recombine.languages.sexpression import render_sexpression

        return render_sexpression(form.tree)
    from recombine.languages.sparql.write_query import write_query

    return write_query(form.tree)
