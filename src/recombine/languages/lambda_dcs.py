"""λ-DCS S-expressions as Overnight writes them: `( call listValue ( call getProperty en.player.kobe_bryant … ) )`.

`parse` gives the list's own tree: the head is the label, so that a call is `call` over its method and its arguments,
and a λ-term applied to an argument is a node with an empty label over both. `normalise` gives the tree that is worth
counting (`local_structures`, appendix A.2): the scope prefix of names goes, a call is its method over its arguments,
`( string player )` is `player`, `( number 3 en.inch )` is `3` over `en.inch`; `date`, `time` and `var` stay, as a date
would be no other than a number without them. `! type` and `!type` are one word. The conditions of nested filters are
sorted: each restricts the same set. What is normalised reads back, too. `anonymise` normalises first.
"""

from __future__ import annotations

import re

from recombine.languages.anonymised import placeholders
from recombine.languages.arities import arities, arity_fault, refuse_first_fault
from recombine.languages.brackets import read_lists, render_lists
from recombine.languages.language import Language
from recombine.languages.literals import DATE, ENTITY, leaves_typed, literal_kind
from recombine.tree import Tree

NAME = "λ-DCS"
SCOPE = "edu.stanford.nlp.sempre.overnight.SimpleWorld."
VALUES = frozenset({"string", "number", "date", "time", "var"})
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def parse_lambda_dcs(text: str) -> Tree:
    """The tree of a program.

    >>> parse_lambda_dcs("( call singleton en.block )")
    Tree(label='call', children=(Tree(label='singleton', children=()), Tree(label='en.block', children=())))
    """
    tree = read_lists(text, language=NAME)
    refuse_first_fault(text, tree, _fault, language=NAME)
    return tree


def _fault(node: Tree) -> str | None:
    word, children = node.label, node.children
    count = len(children)
    if not word:
        applied = count == 2 and children[0].label == "lambda" and children[0].children
        return None if applied else "brackets that begin neither with a word and its arguments nor with a lambda"
    if word == "call":
        word, count = children[0].label, count - 1
        if children[0].children or not count:
            return "a call of no method or with no argument"
    if word in VALUES and any(child.children for child in children):
        return f"{word!r} declares what is not a plain value"
    if word in ("number", "date", "time") and not _NUMBER.fullmatch(children[0].label):
        return f"{word!r} declares {children[0].label!r}, which is no number"
    if word == "lambda" and (children[0].children or count != 2 or not children[1].children):
        return "'lambda' takes a variable and a body"
    return arity_fault(word, count, arities("lambda_dcs").get(word.removeprefix(SCOPE)))


def normalise_lambda_dcs(tree: Tree) -> Tree:
    """The program without scope prefix and type declarations, its filter conditions sorted.

    >>> text = "( call filter ( call filter ( var s ) ( string rent ) ) ( string ! type ) ( string = ) ( number 3 ) )"
    >>> render_lists(normalise_lambda_dcs(parse_lambda_dcs(text)))
    '( filter ( filter ( var s ) !type = 3 ) rent )'
    """
    return without_declarations(tree).mapped(lambda node: _sorted_filters(node) if node.label == "filter" else node)


def without_declarations(tree: Tree) -> Tree:
    """The program without scope prefix and type declarations, its conditions in order.

    >>> text = "( call SimpleWorld.filter ( call getProperty en.block ( string !type ) ) ( string rent ) )"
    >>> render_lists(without_declarations(parse_lambda_dcs(text.replace("SimpleWorld.", SCOPE))))
    '( filter ( getProperty en.block !type ) rent )'
    """
    return tree.mapped(_undeclared)


def _undeclared(node: Tree) -> Tree:
    """The node without declarations; its children are so already."""
    label, children = node.label.removeprefix(SCOPE), node.children
    if label == "call" and children:
        label, children = children[0].label, children[1:]
    elif label == "string" and children:
        return Tree("".join(child.label for child in children))
    elif label == "number" and children:
        return Tree(children[0].label, children[1:])
    return Tree(label, children)


def _sorted_filters(node: Tree) -> Tree:
    conditions: list[tuple[Tree, ...]] = []
    while node.label == "filter" and len(node.children) > 1:
        conditions.append(node.children[1:])
        node = node.children[0]
    for condition in sorted(conditions, key=lambda trees: " ".join(map(render_lists, trees))):
        node = Tree("filter", (node, *condition))
    return node


def anonymise_lambda_dcs(tree: Tree) -> Tree:
    """The normalised program with strings, entities and numbers replaced, a number together with its unit.

    >>> tree = parse_lambda_dcs("( call filter en.block ( string width ) ( string = ) ( number 3 en.inch ) )")
    >>> render_lists(anonymise_lambda_dcs(tree))
    '( filter ENTITY STR STR NUM )'
    """
    anonymous = _anonymous(normalise_lambda_dcs(tree))
    return anonymous.mapped(lambda node: _sorted_filters(node) if node.label == "filter" else node)


def _anonymous(node: Tree) -> Tree:
    if not node.children or _NUMBER.fullmatch(node.label):
        return Tree(placeholders("overnight").of(node.label))
    if node.label == "var":
        return node
    kept = 1 if node.label == "lambda" else 0
    return Tree(node.label, (*node.children[:kept], *map(_anonymous, node.children[kept:])))


def type_lambda_dcs_literals(tree: Tree) -> Tree:
    """The program with its numbers and dates by their kinds; units, properties and entities stay.

    >>> render_lists(type_lambda_dcs_literals(parse_lambda_dcs("( call f ( number 3 en.inch ) ( date 2015 1 -1 ) )")))
    '( call f ( number <number> en.inch ) <date> )'
    """
    dated = tree.mapped(lambda node: Tree(DATE) if node.label == "date" and node.children else node)
    return leaves_typed(literal_kind)(dated)


def _entity_kind(label: str) -> str | None:
    """An entity has its type before it: `en.food.lunch`; `en.food` is a type."""
    return ENTITY if label.startswith("en.") and label.count(".") > 1 else None


LAMBDA_DCS = Language(
    "lambda_dcs",
    parse_lambda_dcs,
    render_lists,
    normalise_lambda_dcs,
    anonymise_lambda_dcs,
    type_lambda_dcs_literals,
    leaves_typed(_entity_kind),
)
