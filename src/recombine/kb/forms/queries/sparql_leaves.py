"""Terms as leaves of the tree of a SPARQL query, and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import AnswerError, FormError
from recombine.kb.term import Term
from recombine.kb.written_term import written_term
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS = (
    ("integer", re.compile(r"[+-]?[0-9]+")),
    ("decimal", re.compile(r"[+-]?[0-9]*\.[0-9]+")),
    ("double", re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+")),
)


def is_variable(leaf: Tree) -> bool:
    """Whether a leaf is a variable, or a node without a name, which is one but for its spelling."""
    return not leaf.children and leaf.label.startswith(("?", "_:"))


def term_of_leaf(leaf: Tree, profile: Profile) -> Term | None:
    """The term that a leaf names; none where it is a variable or an expression."""
    label = leaf.label
    if leaf.children or is_variable(leaf):
        return None
    if label.startswith("<"):
        return profile.shorten(label[1:-1])
    if label.startswith('"'):
        return profile.term(label)
    if label in ("true", "false"):
        return Term.literal(label, datatype=XSD + "boolean")
    return next((Term.literal(label, datatype=XSD + name) for name, look in _NUMBERS if look.fullmatch(label)), None)


def leaf_of_term(term: Term, profile: Profile) -> Tree:
    """The leaf that names a term; what no query can name is refused."""
    try:
        return Tree(written_term(term, profile.base))
    except AnswerError as error:
        raise FormError(error.problem, error.remedy) from error
