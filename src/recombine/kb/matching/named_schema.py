"""The relations and classes that a form names, as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.form import GraphQuery, SExpression
from recombine.kb.forms.queries.sparql_leaves import term_of_leaf
from recombine.kb.names.sexpression_names import sexpression_names
from recombine.kb.term import LITERAL, Term
from recombine.languages.sexpression import render_sexpression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree


def named_schema(form: Form, profile: Profile) -> tuple[frozenset[Term], frozenset[Term]]:
    """The relations and the classes of a form."""
    if isinstance(form, SExpression):
        named = sexpression_names(render_sexpression(form.tree), profile)
        return named.relations, named.classes
    if isinstance(form, GraphQuery):
        classes = {node.value for node in form.nodes if node.kind == "class" and node.value is not None}
        return frozenset(edge.relation for edge in form.edges), frozenset(classes)
    relations, classes = set[Term](), set[Term]()
    types = frozenset(profile.predicates("type"))
    for triple in (node for node in form.tree.iter_nodes() if node.label == "triple" and len(node.children) == 3):
        inside = set(_named(triple.children[1], profile))
        relations |= inside - types
        if inside & types:
            classes.update(_named(triple.children[2], profile))
    return frozenset(relations), frozenset(classes)


def _named(tree: Tree, profile: Profile) -> Iterator[Term]:
    """The resources that the leaves of a tree name."""
    for leaf in tree.iter_nodes():
        term = term_of_leaf(leaf, profile)
        if term is not None and term.kind != LITERAL:
            yield term
