"""A logical form in another notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError, UnknownNameError
from recombine.kb.forms.form import (
    GRAILQA,
    GRAPH,
    NOTATIONS,
    SETS,
    SEXPRESSION,
    Converted,
    Form,
    SExpression,
    SparqlQuery,
)
from recombine.kb.forms.loss import DIFFERENT, Loss
from recombine.kb.forms.patterns.graph_of_pattern import graph_of_pattern
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.patterns.sexpression_of_pattern import sexpression_of_pattern
from recombine.kb.forms.write_sparql import sparql_tree

if TYPE_CHECKING:
    from recombine.kb.forms.patterns.sexpression_of_pattern import Implies
    from recombine.kb.profiles.profile import Profile


def convert(
    form: Form,
    to: str,
    *,
    profile: Profile,
    semantics: str | None = None,
    implies: Implies | None = None,
    keep_classes: bool = False,
    lossless: bool = False,
) -> Converted:
    """The form in a notation, with what it no longer says; a form that has none there is a `FormError`.

    `implies` is `Ontology.implies`, by which a class in the middle that an S-expression leaves out is told from a loss.
    With `keep_classes`, an S-expression says all classes, and none is lost. With `lossless`, a loss is a `FormError`.
    `semantics` is that of SPARQL to be written, by default that of the form: SPARQL says itself in which it stands, and
    the result of reading it is to be read so too; other forms are sets.
    """
    if to not in NOTATIONS:
        raise UnknownNameError("notation", to, NOTATIONS)
    pattern, losses = pattern_of(form, profile)
    read_as = GRAILQA if pattern.distinct else SETS
    if to == GRAPH:
        converted = Converted(graph_of_pattern(pattern, profile), losses, read_as)
    elif to == SEXPRESSION:
        tree, more = sexpression_of_pattern(pattern, profile, implies=implies, keep_classes=keep_classes)
        converted = Converted(SExpression(tree), (*losses, *more), read_as)
    else:
        written_as = semantics or read_as
        tree = sparql_tree(pattern, profile, written_as)
        if pattern.distinct and written_as == SETS:
            losses = (*losses, Loss(DIFFERENT, "all nodes are different from each other"))
        converted = Converted(SparqlQuery(tree), losses, written_as)
    if lossless and converted.losses:
        raise FormError(f"it would lose this: {converted.losses[0]}", "keep it as it is")
    return converted
