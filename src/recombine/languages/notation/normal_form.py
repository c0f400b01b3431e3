"""The one form of programs that are equal for trivial reasons, by what a language file says of its calls."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from recombine.languages.notation.writer import write_program
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.languages.notation.notation import Notation


def normal_form(notation: Notation, tree: Tree) -> Tree:
    """The tree with sets in order, nested ones taken apart, repeats left out, and named arguments by their names."""
    said = notation.commutative | notation.associative | notation.idempotent
    if not said and not notation.named:
        return tree

    def change(node: Tree) -> Tree:
        if node.children and node.label in said:
            node = _set(notation, node)
        return _named_last(notation, node) if notation.named and node.children else node

    return tree.mapped(change)


def _set(notation: Notation, node: Tree) -> Tree:
    label = node.label
    infix = notation.infix.get(label) if len(node.children) == 2 else None
    if label in notation.infix and infix is None:
        return node  # the same sign before a value
    children = list(node.children)
    if label in notation.associative:
        children = _flat(node, 2 if infix is not None else None)
    if label in notation.commutative:
        children.sort(key=lambda child: write_program(notation, child))
    if label in notation.idempotent:
        children = list(dict.fromkeys(children))
    if infix is None:
        return Tree(label, tuple(children))
    if infix.associates == "right":
        return reduce(lambda right, left: Tree(label, (left, right)), reversed(children))
    return reduce(lambda left, right: Tree(label, (left, right)), children)


def _flat(node: Tree, arity: int | None) -> list[Tree]:
    """The operands of a chain of one call or operator, from left to right."""
    found: list[Tree] = []
    waiting = list(reversed(node.children))
    while waiting:
        child = waiting.pop()
        if child.children and child.label == node.label and arity in (None, len(child.children)):
            waiting.extend(reversed(child.children))
        else:
            found.append(child)
    return found


def _named_last(notation: Notation, node: Tree) -> Tree:
    """The node with its named arguments after the others, by their names."""
    named = [child for child in node.children if len(child.children) == 1 and child.label.endswith(notation.named)]
    if not named:
        return node
    others = [child for child in node.children if child not in named]
    named.sort(key=lambda child: child.label)
    return Tree(node.label, (*others, *named))
