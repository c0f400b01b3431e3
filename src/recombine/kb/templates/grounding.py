"""A template with a value at each of its open leaves, and its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.kb.forms.form import GraphQuery
    from recombine.kb.templates.template import Template
    from recombine.kb.term import Term


@dataclass(frozen=True, slots=True)
class Grounding:
    """What a store gives for a template with values.

    A class of the template that the store has nothing of is no condition: its node in `form` has no value, and the
    class as `of_class`, which is for people.
    """

    template: Template
    values: tuple[Term, ...]
    """By the template's open leaves, in their order."""
    form: GraphQuery
    """The form that a store executes."""
    answers: tuple[Term, ...]
    """What it gives: terms in the order of their keys, or a number for a count."""
