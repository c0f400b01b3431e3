"""A logical form in another notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError, UnknownNameError
from recombine.kb.forms.form import (
    GRAPH,
    NOTATIONS,
    SETS,
    SEXPRESSION,
    Converted,
    Form,
    GraphQuery,
    SExpression,
)
from recombine.kb.forms.graph_of_pattern import graph_of_pattern
from recombine.kb.forms.pattern_of_graph import pattern_of_graph
from recombine.kb.forms.pattern_of_sexpression import pattern_of_sexpression
from recombine.kb.forms.sexpression_of_pattern import sexpression_of_pattern

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.forms.sexpression_of_pattern import Implies
    from recombine.kb.profiles.profile import Profile


def convert(
    form: Form,
    to: str,
    *,
    profile: Profile,
    semantics: str = SETS,
    implies: Implies | None = None,
    keep_classes: bool = False,
) -> Converted:
    """The form in a notation, with what it no longer says; a form that has none there is a `FormError`.

    `implies` is `Ontology.implies`, by which a class in the middle that an S-expression leaves out is told from a loss.
    With `keep_classes`, an S-expression says all classes, and none is lost. `semantics` is that of SPARQL to be written.
    """
    if to not in NOTATIONS:
        raise UnknownNameError("notation", to, NOTATIONS)
    pattern = pattern_of(form, profile)
    if to == GRAPH:
        return Converted(graph_of_pattern(pattern, profile))
    tree, losses = sexpression_of_pattern(pattern, profile, implies=implies, keep_classes=keep_classes)
    return Converted(SExpression(tree), losses)


def pattern_of(form: Form, profile: Profile) -> Pattern:
    """What a form says, whatever its notation."""
    if isinstance(form, SExpression):
        return pattern_of_sexpression(form.tree, profile)
    if isinstance(form, GraphQuery):
        return pattern_of_graph(form, profile)
    raise FormError("SPARQL is not read yet")
