"""FunQL, the language of GeoQuery: nested calls such as `answer ( population_1 ( m0 ) )`.

Argument order matters everywhere but in `intersection`, whose arguments are a set: `normalise` sorts them and takes
nested intersections apart. `anonymise` makes every entity placeholder (`m0`, `m1`, …) `ENTITY`.
"""

from __future__ import annotations

import re

from recombine.languages.brackets import read_calls, render_calls
from recombine.languages.language import Language
from recombine.languages.literals import ENTITY, leaves_typed, literal_kind
from recombine.tree import Tree

_ENTITY = re.compile(r"m[0-9]+")


def parse_funql(text: str) -> Tree:
    """The tree of a FunQL program.

    >>> parse_funql("answer ( intersection ( city , loc_2 ( m0 ) ) )").children[0].children[1]
    Tree(label='loc_2', children=(Tree(label='m0', children=()),))
    """
    return read_calls(text, language="FunQL")


def normalise_funql(tree: Tree) -> Tree:
    """The same program with the arguments of `intersection` flat and sorted.

    >>> render_calls(normalise_funql(parse_funql("intersection ( river , intersection ( major , city ) )")))
    'intersection ( city , major , river )'
    """
    return tree.mapped(_sorted_intersection)


def _sorted_intersection(node: Tree) -> Tree:
    if node.label != "intersection":
        return node
    flat = [inner for child in node.children for inner in (child.children if child.label == node.label else (child,))]
    return Tree(node.label, tuple(sorted(set(flat), key=render_calls)))


def anonymise_funql(tree: Tree) -> Tree:
    """The template of a program: its entities replaced by `ENTITY`."""
    return tree.mapped(lambda node: Tree("ENTITY") if _ENTITY.fullmatch(node.label) and not node.children else node)


FUNQL = Language(
    "funql",
    parse_funql,
    render_calls,
    normalise_funql,
    anonymise_funql,
    leaves_typed(literal_kind),
    leaves_typed(lambda label: ENTITY if _ENTITY.fullmatch(label) else None),
)
