"""Whether a template is well formed (GrailQA, section 3.1): what is wrong with one, a sentence each.

A template is a tree of one to four relations with one node of a class that is asked for. Every leaf is an entity, a
literal, or the literal of a function; all other nodes are of a class. The classes of a node and of the relations at it
are equal, or one is below the other, as far as an ontology knows them. There is one function at most: a count at the
asked-for node, or a comparison or superlative at a number or date. No branch stands twice at a node, and no relation is
undone by its own reverse, which leads back to where it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.form import COUNT, NONE
from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.forms.form import GraphNode
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.templates.template import Template
    from recombine.kb.term import Term

MOST_RELATIONS = 4
_ORDERED = frozenset(
    (
        *("int", "integer", "long", "short", "byte", "float", "double", "decimal", "nonNegativeInteger"),
        *("positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong"),
        *("unsignedShort", "unsignedByte", "datetime", "dateTime", "dateTimeStamp", "date", "gYear", "gYearMonth"),
    )
)
"""The last part of the names of classes of numbers and dates."""


def faults(template: Template, ontology: Ontology | None = None) -> list[str]:
    """What keeps a template from being well formed; nothing where it is. Without an ontology all classes go together.

    >>> from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
    >>> from recombine.kb.templates.template import Template
    >>> from recombine.kb.term import Term
    >>> nodes = (GraphNode("class", None), GraphNode("class", None))
    >>> faults(Template(GraphQuery(nodes, (GraphEdge(0, 1, Term.name("directed_by")),))))
    ['node 1 is a leaf of kind class: a leaf is an entity or a literal']
    """
    if not template.is_tree:
        return ["it is no tree: every node is to be reached from the asked-for one in one way"]
    return [*_iter_node_faults(template), *_iter_class_faults(template, ontology), *_iter_repeats(template, ontology)]


def is_ordered_class(name: Term) -> bool:
    """Whether a class of literals is one of numbers or dates, which compare.

    >>> from recombine.kb.term import Term
    >>> is_ordered_class(Term.name("type.float")), is_ordered_class(Term.name("type.text"))
    (True, False)
    """
    return name.text.rpartition("#")[2].rpartition(".")[2].rpartition("/")[2] in _ORDERED


def same_step(step: Step, ontology: Ontology | None) -> tuple[str, bool]:
    """What a step is the same for that goes along a relation and that goes against its reverse."""
    reverse = ontology.reverse(step.relation) if ontology is not None else None
    if reverse is not None and reverse.key < step.relation.key:
        return reverse.key, not step.inverse
    return step.relation.key, step.inverse


def _iter_node_faults(template: Template) -> Iterator[str]:
    """Numbers of relations and functions, and what stands where."""
    query = template.query
    if not 1 <= len(query.edges) <= MOST_RELATIONS:
        yield f"it has {len(query.edges)} relations: give 1 to {MOST_RELATIONS}"
    functions = [node.function for node in query.nodes if node.function != NONE]
    if len(functions) > 1:
        yield f"it has {len(functions)} functions, {' and '.join(functions)}: give one at most"
    if query.nodes[query.asked].kind != "class":
        yield f"the asked-for node is of kind {query.nodes[query.asked].kind}: ask for a class"
    for place, node in enumerate(query.nodes):
        is_leaf = place != query.asked and len(template.steps(place)) == 1
        yield from _iter_faults_at(place, node, is_leaf=is_leaf, is_asked=place == query.asked)
    for edge in query.edges:
        if query.nodes[edge.start].kind == "literal":
            yield f"the literal {edge.start} begins a fact: literals end facts alone"


def _iter_faults_at(place: int, node: GraphNode, *, is_leaf: bool, is_asked: bool) -> Iterator[str]:
    if is_leaf and node.kind == "class":
        yield f"node {place} is a leaf of kind class: a leaf is an entity or a literal"
    if not is_leaf and not is_asked and node.kind != "class":
        yield f"node {place} is of kind {node.kind} and no leaf: it is to be a class"
    if node.function == COUNT and not is_asked:
        yield f"node {place} is counted and not asked for"
    if node.function in (NONE, COUNT):
        return
    if node.kind != "literal" or not is_leaf:
        yield f"node {place} has {node.function} and is no literal at a leaf"
    elif node.of_class is not None and not is_ordered_class(node.of_class):
        yield f"node {place} has {node.function} and is of {node.of_class.text}: give a number or a date"


def _iter_class_faults(template: Template, ontology: Ontology | None) -> Iterator[str]:
    """Classes of nodes that do not go with those of the relations at them."""
    if ontology is None:
        return
    for place, node in enumerate(template.query.nodes):
        own = node.value if node.kind == "class" else node.of_class
        sides = [(step, side) for step, _ in template.steps(place) if (side := classes_from(step, ontology))]
        for number, (step, side) in enumerate(sides):
            if own is not None and not go_together((own,), side, ontology):
                yield f"node {place} is of {own.text}, and {step.relation.text} is of {side[0].text}"
            for other, beside in sides[:number]:
                if not go_together(side, beside, ontology):
                    yield (
                        f"{other.relation.text} of {beside[0].text} and {step.relation.text} of {side[0].text} meet at "
                        f"node {place}"
                    )


def classes_from(step: Step, ontology: Ontology) -> tuple[Term, ...]:
    """The classes that a step leads from; none where the ontology does not say."""
    if step.relation not in ontology.relations and ontology.reverse(step.relation) is None:
        return ()
    return ontology.domain(step.relation, inverse=step.inverse)


def go_together(one: tuple[Term, ...], other: tuple[Term, ...], ontology: Ontology) -> bool:
    """Whether some class of each side are equal, or one is below the other."""
    return any(ontology.is_subclass(a, b) or ontology.is_subclass(b, a) for a in one for b in other)


def _iter_repeats(template: Template, ontology: Ontology | None) -> Iterator[str]:
    """Branches that stand twice at a node, and relations that are undone."""
    waiting: list[tuple[int, int, tuple[str, bool] | None]] = [(template.query.asked, -1, None)]
    while waiting:
        place, parent, back = waiting.pop()
        seen: set[tuple[tuple[str, bool], str]] = set()
        for step, other in template.steps(place):
            if other == parent:
                continue
            same = same_step(step, ontology)
            if same == back:
                yield f"at node {place} the relation {step.relation.text} is undone by its own reverse"
            branch = (same, template.branch(other, place))
            if branch in seen:
                yield f"at node {place} a branch of {step.relation.text} stands twice"
            seen.add(branch)
            waiting.append((other, place, same_step(Step(step.relation, not step.inverse), ontology)))
