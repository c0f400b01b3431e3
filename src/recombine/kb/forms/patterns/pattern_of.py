"""The pattern of a logical form, whatever its notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.kb.forms.form import GraphQuery, SExpression
from recombine.kb.forms.patterns.pattern_of_graph import pattern_of_graph
from recombine.kb.forms.patterns.pattern_of_sexpression import pattern_of_sexpression
from recombine.kb.forms.patterns.pattern_of_sparql import pattern_of_sparql

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.loss import Loss
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.profiles.profile import Profile


class PatternOf(NamedTuple):
    """A pattern, and what the form says that patterns do not."""

    pattern: Pattern
    losses: tuple[Loss, ...] = ()


def pattern_of(form: Form, profile: Profile) -> PatternOf:
    """What a form says; SPARQL that is no pattern is a `FormError`."""
    if isinstance(form, SExpression):
        return PatternOf(pattern_of_sexpression(form.tree, profile))
    if isinstance(form, GraphQuery):
        return PatternOf(pattern_of_graph(form, profile))
    return PatternOf(*pattern_of_sparql(form.tree, profile))
