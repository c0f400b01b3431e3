"""S-expressions over a knowledge base, as GrailQA's: `(AND type (JOIN (R relation) m.03_r3))`, in any spacing.

The tree is the list's own: the function is the label, its arguments are children in order. A literal with its type,
`"2010"^^http://…#date`, is one leaf, with or without quotes. The functions and the number of their arguments are those
of `arities.toml`; another function is refused.

`AND` is the intersection of sets: nested ones are taken apart, sorted, classes and entities before lists, and nested
to the right again. A literal loses quotes that it does not need. `render` writes no blanks inside brackets.
"""

from __future__ import annotations

import re

from recombine.languages.anonymised import placeholders
from recombine.languages.arities import arities, arity_fault, refuse_first_fault
from recombine.languages.brackets import read_lists
from recombine.languages.language import Language
from recombine.languages.literals import DATE, NUMBER, STRING, identifier_kind, leaves_typed, literal_kind
from recombine.languages.too_deep import refuse_too_deep
from recombine.tree import MAX_DEPTH, Tree

NAME = "S-expression"
_NEEDLESS_QUOTES = re.compile(r'"([^\s()"\\]+)"(?=\^\^)')
_DATE_TYPE = re.compile("date|g?year|g?month|g?day|time")
_TAGGED = re.compile(r'"@[A-Za-z-]+$')
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+")


def parse_sexpression(text: str) -> Tree:
    """The tree of an S-expression.

    >>> parse_sexpression('( JOIN film.year "2010"^^xsd:gYear)')
    Tree(label='JOIN', children=(Tree(label='film.year', children=()), Tree(label='"2010"^^xsd:gYear', children=())))
    """
    tree = read_lists(text, language=NAME)
    if '"' in text:
        tree = tree.mapped(_joined_literals)
    refuse_first_fault(text, tree, _fault, language=NAME)
    if tree.depth() + text.count("AND") > MAX_DEPTH:  # to nest many sets to the right makes a tree deeper
        refuse_too_deep(normalise_sexpression(tree), language=NAME)
    return tree


def _joined_literals(node: Tree) -> Tree:
    """The node with a quoted value and its type, which the reader takes for two words, as one."""
    children: list[Tree] = []
    for child in node.children:
        if child.label.startswith(("^^", "@")) and children and children[-1].label.endswith('"'):
            child = Tree(children.pop().label + child.label)
        children.append(child)
    return Tree(node.label, tuple(children))


def _fault(node: Tree) -> str | None:
    known = arities("sexpression")
    if node.label not in known:
        return f"{node.label!r} is no function of S-expressions: {', '.join(known)}"
    return arity_fault(node.label, len(node.children), known[node.label])


def render_sexpression(tree: Tree) -> str:
    """The text of an S-expression, as GrailQA writes it.

    >>> render_sexpression(parse_sexpression("( JOIN ( R location.country.languages ) m.03_r3)"))
    '(JOIN (R location.country.languages) m.03_r3)'
    """
    if not tree.children:
        return tree.label
    return f"({' '.join([tree.label, *map(render_sexpression, tree.children)])})"


def normalise_sexpression(tree: Tree) -> Tree:
    """The S-expression with the arguments of `AND` sorted and no needless quotes.

    >>> render_sexpression(normalise_sexpression(parse_sexpression("(AND (AND (R b) a) (JOIN r m.0))")))
    '(AND a (AND (JOIN r m.0) (R b)))'
    """
    return tree.mapped(_normal)


def _normal(node: Tree) -> Tree:
    if not node.children:
        return Tree(_NEEDLESS_QUOTES.sub(r"\1", node.label)) if '"' in node.label else node
    if node.label != "AND":
        return node
    members = sorted(_members(node), key=lambda tree: (bool(tree.children), render_sexpression(tree)))
    tree = members.pop()
    while members:
        tree = Tree("AND", (members.pop(), tree))
    return tree


def _members(node: Tree) -> list[Tree]:
    """The sets that nested intersections are made of, from left to right."""
    members, waiting = [], [node]
    while waiting:
        inner = waiting.pop()
        if inner.label == "AND":
            waiting.extend(reversed(inner.children))
        else:
            members.append(inner)
    return members


def anonymise_sexpression(tree: Tree) -> Tree:
    """The S-expression with entities and literals replaced.

    >>> render_sexpression(anonymise_sexpression(parse_sexpression("(JOIN film.film.year 2010^^xsd:gYear)")))
    '(JOIN film.film.year LITERAL)'
    """
    return placeholders("grailqa").of_leaves(tree)


def _kind(label: str) -> str | None:
    """The kind of an entity's identifier, of a value with its type, or of a bare value.

    >>> [_kind(label) for label in ("m.02kwghz", "39^^xsd:integer", "2010^^xsd:gYear", '"blue"@en', "film.film")]
    ['<entity>', '<number>', '<date>', '<string>', None]
    """
    value, typed, datatype = label.rpartition("^^")
    if typed:
        word = datatype.rpartition("#")[2].rpartition(":")[2].lower()
        if _DATE_TYPE.match(word):
            return DATE
        return NUMBER if literal_kind(value.strip('"')) == NUMBER else STRING
    return identifier_kind(label) or literal_kind(_TAGGED.sub('"', label))


def _name_kind(label: str) -> str | None:
    """A relation has a type and a domain before it, a class a domain alone, as in Freebase."""
    if not _NAME.fullmatch(label) or identifier_kind(label):
        return None
    return "<relation>" if label.count(".") > 1 else "<class>"


SEXPRESSION = Language(
    "sexpression",
    parse_sexpression,
    render_sexpression,
    normalise_sexpression,
    anonymise_sexpression,
    leaves_typed(_kind),
    leaves_typed(_name_kind),
)
