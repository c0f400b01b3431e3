"""COVR's programs: functional programs whose functions are known, so that a misplaced bracket shows.

Trees, rendering and templates are those of `functional.py`; the functions and the number of their arguments are those
of `arities.toml`, after the published grammar. Argument order matters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.languages.anonymised import placeholders
from recombine.languages.arities import arities, arity_fault, refuse_first_fault
from recombine.languages.functional import (
    anonymise_functional,
    parse_functional,
    render_functional,
    without_empty_brackets,
)
from recombine.languages.language import Language
from recombine.languages.literals import ENTITY, leaves_typed, literal_kind

if TYPE_CHECKING:
    from recombine.tree import Tree

NAME = "COVR"
_FUNCTION = re.compile(rf"\(\)$|\[|\b(?:scene|{'|'.join(arities('covr'))})\b")


def parse_covr(text: str) -> Tree:
    """The tree of a COVR program.

    >>> parse_covr("count ( find ( dog ) )")
    Tree(label='count', children=(Tree(label='find', children=(Tree(label='dog', children=()),)),))
    """
    tree = parse_functional(text)
    refuse_first_fault(without_empty_brackets(text), tree, _fault, language=NAME)
    return tree


def _fault(node: Tree) -> str | None:
    known = arities("covr")
    word = node.label.partition("[")[0]
    if word not in known or (word == "query_attr") != (word != node.label):
        return f"{node.label!r} is no function of COVR: {', '.join(known)}"
    for child in node.children:
        if not child.children and child.label != "scene()" and _FUNCTION.search(child.label):
            return f"{child.label!r} is a function without its arguments"
    return arity_fault(node.label, len(node.children), known[word])


def _word_kind(label: str) -> str | None:
    return ENTITY if placeholders("covr").of(label) == "ENTITY" else None


COVR = Language(
    "covr",
    parse_covr,
    render_functional,
    anonymise=anonymise_functional,
    type_literals=leaves_typed(literal_kind),
    type_names=leaves_typed(_word_kind),
)
