"""A logical form of its text: the notation is given, or told by how the text begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import GraphQueryError
from recombine.kb.forms.form import GRAPH, SEXPRESSION, SPARQL
from recombine.kb.forms.read_form import read_form

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile

_SPARQL = re.compile(
    r"\s*(?:```\w*\s*)?(?:#[^\n]*\n\s*)*(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE
)
NOTATION_OF = {"sexpression": SEXPRESSION, "sparql": SPARQL, "sparql11": SPARQL}
"""The notation of targets by the name of their language."""


def notation_of_text(text: str) -> str:
    """The notation that a text looks like.

    >>> notation_of_text("(COUNT film.film)"), notation_of_text('{"nodes": []}'), notation_of_text("ASK { ?a ?b ?c }")
    ('sexpression', 'graph', 'sparql')
    """
    if _SPARQL.match(text):
        return SPARQL
    return GRAPH if text.lstrip().startswith("{") else SEXPRESSION


def form_of_text(text: str, profile: Profile, notation: str | None = None) -> Form:
    """The form that a text writes; one that cannot be read is a `ProgramError`."""
    known = notation_of_text(text) if notation is None else notation
    return read_form(_json(text) if known == GRAPH else text, known, profile)


def _json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise GraphQueryError("all of it", f"is no JSON ({error.msg})", 'give {"nodes": […], "edges": […]}') from error
