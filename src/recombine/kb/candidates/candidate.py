"""One candidate: a logical form by its parts, from which each notation is made when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import COUNT, NONE, SEXPRESSION, GraphEdge, GraphNode, GraphQuery
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Step
    from recombine.kb.term import Term


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chain of facts from an anchor to what is asked for; or, without an anchor, from that to a value.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.kb.store import Step
    >>> from recombine.kb.term import Term
    >>> director, film = Term.name("film.film.directed_by"), Term.name("film.film")
    >>> one = Candidate((Step(director, inverse=True),), Term.name("m.0b"), class_=film, function="count")
    >>> one.text(find_profile("freebase"))
    '(COUNT (AND film.film (JOIN film.film.directed_by m.0b)))'
    """

    steps: tuple[Step, ...]
    """From the anchor to what is asked for; without an anchor, from what is asked for to the value."""
    anchor: Term | None = None
    """The entity or literal of the question from which it starts."""
    class_: Term | None = None
    """The class of what is asked for; none where nothing is said of it."""
    function: str = NONE
    """`none` or `count`; without an anchor `argmax`, `argmin` or a comparison."""
    value: Term | None = None
    """The literal of a comparison."""

    def graph(self) -> GraphQuery:
        """The candidate as a graph query; the node that is asked for is the first."""
        last = len(self.steps)
        asked = GraphNode("class", self.class_, function=COUNT if self.function == COUNT else NONE)
        if self.anchor is None:
            end = GraphNode("literal", self.value, function=self.function)
            outward = list(self.steps)
        else:
            end = GraphNode("literal" if self.anchor.kind == LITERAL else "entity", self.anchor)
            outward = [step._replace(inverse=not step.inverse) for step in reversed(self.steps)]
        edges = (
            GraphEdge(place + 1, place, relation) if inverse else GraphEdge(place, place + 1, relation)
            for place, (relation, inverse) in enumerate(outward)
        )
        return GraphQuery((asked, *(GraphNode("class", None) for _ in range(last - 1)), end), tuple(edges))

    def form(self, notation: str, profile: Profile) -> Form:
        """The candidate in a notation; what a profile cannot write there is a `FormError`."""
        return convert(self.graph(), notation, profile=profile).form

    def text(self, profile: Profile) -> str:
        """The candidate as the text of an S-expression."""
        from recombine.kb.forms.write_form import write_form

        return str(write_form(self.form(SEXPRESSION, profile), profile))
