"""What a logical form is made of, as its canonical form says it: what it names, its relations, classes and functions.

A relation that is gone against is another part than the same one gone along, under the one name that it has with its
reverse. A class that a relation implies is no part, nor is one that a narrower one says already. What cannot be read
so, such as a query that is no pattern, has no parts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.kb.matching.canonical_tree import canonical_text, read_canonical
from recombine.kb.matching.pattern_form import GRAPH
from recombine.kb.matching.query_form import QUERY

if TYPE_CHECKING:
    from recombine.tree import Tree

_COMPARISONS = ("LT", "LE", "GT", "GE")
_FUNCTIONS = ("COUNT", "ARGMAX", "ARGMIN", "TC", *_COMPARISONS)


@dataclass
class FormParts:
    """The parts of a form, each as often as it stands there."""

    named: Counter[str] = field(default_factory=Counter)
    """Entities and literals."""
    relations: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    functions: Counter[str] = field(default_factory=Counter)


def form_parts(key: str) -> FormParts | None:
    """The parts of a canonical form; none where it is a query that is no pattern.

    >>> parts = form_parts('(COUNT (AND (JOIN (R a.b) @m.0) (JOIN c.d (LT "5"^^<int>)) film.film))')
    >>> dict(parts.named), dict(parts.relations)
    ({'@m.0': 1, '"5"^^<int>': 1}, {'(R a.b)': 1, 'c.d': 1})
    >>> dict(parts.classes), dict(parts.functions)
    ({'film.film': 1}, {'COUNT': 1, 'LT': 1})
    """
    tree = read_canonical(key)
    if tree.label == QUERY:
        return None
    parts = FormParts()
    _add_set(parts, tree, is_leaf=not key.startswith("("))
    return parts


def _add_set(parts: FormParts, tree: Tree, *, is_leaf: bool = False) -> None:
    """Add what a tree in the place of a set says."""
    if not tree.children and (is_leaf or tree.label not in _FUNCTIONS):
        _add_leaf(parts, tree.label)
        return
    steps, sets = _sides(tree)
    if tree.label in _FUNCTIONS:
        parts.functions[tree.label] += 1
    parts.relations.update(map(canonical_text, steps))
    for each in sets:
        _add_set(parts, each)


def _sides(tree: Tree) -> tuple[tuple[Tree, ...], tuple[Tree, ...]]:
    """The relations and the sets that stand under a node."""
    children = tree.children
    if tree.label == "JOIN":
        return children[:1], children[1:]
    if tree.label in ("ARGMAX", "ARGMIN"):
        return children[1:], children[:1]
    if tree.label == "TC":
        return children[:-1], children[-1:]
    if tree.label == "fact":  # of a pattern that is no tree
        return children[:1], ()
    if tree.label in ("is", "asked"):
        return (), children[1:]
    if tree.label == "COUNT" and all(child.label.startswith("?") for child in children):
        return (), ()
    return (), children


def _add_leaf(parts: FormParts, word: str) -> None:
    if word.startswith(('"', "@")):
        parts.named[word] += 1
    elif word != "*" and word != GRAPH:
        parts.classes[word] += 1
