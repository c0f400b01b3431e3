"""The S-expression that says all that a graph query says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import SEXPRESSION

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form, GraphQuery
    from recombine.kb.templates.template_space import TemplateSpace


def lossless_form(query: GraphQuery, space: TemplateSpace) -> Form | None:
    """The S-expression of a query, with classes in the middle where they say something; none where it would lose more.

    A superlative whose way to its literal passes a node with a further branch cannot be said: two ways are written for
    what is one node; nor can one of a node of which neither a class nor a relation is said.
    """
    profile, implies = space.store.profile, space.ontology.implies
    for keep_classes in (False, True):
        try:
            converted = convert(query, SEXPRESSION, profile=profile, implies=implies, keep_classes=keep_classes)
        except FormError:
            return None
        if not converted.losses:
            return converted.form
    return None
