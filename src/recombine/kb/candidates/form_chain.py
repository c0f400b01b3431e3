"""A logical form read as a candidate is made: one chain of facts from an anchor, or to a value; or why it is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import COUNT, NONE
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.store import Step

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.term import Term

BRANCHES, FUNCTIONS, NO_ANCHOR = "several branches", "several functions", "no entity or literal at its end"


@dataclass(frozen=True, slots=True)
class FormChain:
    """The parts of a form that is one chain, as a `Candidate` has them."""

    steps: tuple[Step, ...]
    anchor: Term | None
    classes: tuple[Term, ...]
    """The classes of what is asked for."""
    function: str
    value: Term | None = None


def constants_of(pattern: Pattern) -> list[Term]:
    """The entities and literals that a form names, those in comparisons too, in their order and each once."""
    found: dict[Term, None] = {}
    patterns = [pattern]
    for each in patterns:
        for node in each.nodes:
            found.update(dict.fromkeys([*node.constants, *(value for _, value in node.comparisons)]))
            patterns += node.inner
    return list(found)


def form_chain(pattern: Pattern) -> FormChain | str:
    """The chain that a form is; else what it is in place of one: `BRANCHES`, `FUNCTIONS` or `NO_ANCHOR`."""
    if any(node.inner for node in pattern.nodes):
        return FUNCTIONS
    try:
        tree = one_tree(pattern)
    except FormError:
        return BRANCHES
    steps, place, before = [], tree.asked, None
    while True:
        edges = [edge for edge in tree.edges_at(place) if edge is not before]
        if len(edges) > 1 or (edges and tree.nodes[place].constants):
            return BRANCHES
        if not edges:
            break
        before = edges[0]
        steps.append(Step(before.relation, before.end == place))
        place = before.end if before.start == place else before.start
    return _ended(tree, place, steps)


def _ended(tree: Pattern, place: int, steps: list[Step]) -> FormChain | str:
    end, classes = tree.nodes[place], tuple(tree.nodes[tree.asked].classes)
    if not steps or len(end.constants) > 1 or len(end.comparisons) > 1:
        return BRANCHES if steps else NO_ANCHOR
    functions = [COUNT] * tree.count + [sign for sign, _ in end.comparisons] + [end.extreme] * bool(end.extreme)
    if len(functions) > 1 or (end.constants and functions not in ([], [COUNT])):
        return FUNCTIONS
    function = functions[0] if functions else NONE
    if end.constants:
        inward = tuple(step._replace(inverse=not step.inverse) for step in reversed(steps))
        return FormChain(inward, end.constants[0], classes, function)
    if function in (NONE, COUNT):
        return NO_ANCHOR
    return FormChain(tuple(steps), None, classes, function, end.comparisons[0][1] if end.comparisons else None)
