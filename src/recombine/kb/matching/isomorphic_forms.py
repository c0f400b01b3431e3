"""What GrailQA's paper compares (section 5.1): the graph of a form, up to isomorphism, as a text.

Graphs are labelled: a node with its entity or literal, its classes, a comparison or a superlative, an edge with its
relation and direction; the node that is asked for and the count are compared too. No ontology stands behind it: a
class counts wherever it is written, a relation is not its reverse, a literal is as it is spelt, and what is said twice
is two branches of the graph. What two forms share is what graphs do not show: the order of `AND`, relations that are
reversed twice or joined first.

A graph that is a tree is written from the asked-for node, its branches sorted; another by its certificate. SPARQL that
is no graph of this kind is compared as `query_form` says, without an ontology.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import SparqlQuery
from recombine.kb.forms.patterns.one_tree import one_tree
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.matching.certificate import certificate
from recombine.kb.matching.query_form import QueryForms
from recombine.kb.matching.schema_tables import SchemaTables
from recombine.kb.matching.words import literal_text, name_text
from recombine.kb.term import LITERAL
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


class IsomorphicForms:
    """Graphs of forms as texts that are equal where the graphs are isomorphic."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._queries = QueryForms(SchemaTables(None, profile), profile)

    def text(self, form: Form) -> str:
        """The graph of a form; one of more levels than are read is a `FormError`."""
        try:
            pattern, losses = pattern_of(form, self._profile)
        except FormError:
            if isinstance(form, SparqlQuery):
                return self._queries.text(form.tree)
            raise
        if losses and isinstance(form, SparqlQuery):
            return self._queries.text(form.tree)
        return _pattern_text(pattern)


def _pattern_text(pattern: Pattern) -> str:
    try:
        tree = one_tree(pattern)
    except FormError:
        return certificate(_graph(pattern))
    edges: dict[int, list[PatternEdge]] = {}
    for edge in tree.edges:
        edges.setdefault(edge.start, []).append(edge)
        edges.setdefault(edge.end, []).append(edge)
    text = _branch(tree, edges, tree.asked, None, 0)
    return f"(COUNT {text})" if pattern.count else text


def _branch(
    pattern: Pattern, edges: dict[int, list[PatternEdge]], place: int, before: PatternEdge | None, depth: int
) -> str:
    """The text of a node and of all that edges lead to from it."""
    if depth >= MAX_DEPTH:
        raise FormError(f"more than {MAX_DEPTH} facts one after the other", "shorten it")
    parts = []
    for edge in edges.get(place, ()):
        if edge is not before:
            relation = name_text(edge.relation)
            step = relation if edge.start == place else f"(R {relation})"
            far = edge.end if edge.start == place else edge.start
            parts.append(f"(JOIN {step} {_branch(pattern, edges, far, edge, depth + 1)})")
    return f"(AND {' '.join(sorted(parts + _labels(pattern.nodes[place])))})"


def _graph(pattern: Pattern) -> Tree:
    """A pattern that is no tree, as facts about variables."""
    facts = [Tree("COUNT" if pattern.count else "asked", (Tree(f"?{pattern.asked}"),))]
    for edge in pattern.edges:
        facts.append(Tree("fact", (Tree(name_text(edge.relation)), Tree(f"?{edge.start}"), Tree(f"?{edge.end}"))))
    for place, node in enumerate(pattern.nodes):
        facts += [Tree("is", (Tree(f"?{place}"), Tree(label))) for label in _labels(node)]
    return Tree("~all", tuple(facts))


def _labels(node: PatternNode) -> list[str]:
    """What is said of a node by itself, each once."""
    labels = {*map(_constant, node.constants), *map(name_text, node.classes)}
    labels.update(f"({sign} {_constant(value)})" for sign, value in node.comparisons)
    if node.extreme:
        labels.add(f"({node.extreme})")
    labels.update(_pattern_text(inner) for inner in node.inner)
    return sorted(labels)


def _constant(term: Term) -> str:
    return literal_text(term) if term.kind == LITERAL else f"@{name_text(term)}"
