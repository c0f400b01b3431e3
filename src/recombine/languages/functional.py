"""Functional programs with commas, as COVR's: `exists ( with_relation ( scene ( ) , looking at , find ( dog ) ) )`.

A call is a node, its arguments are children in order. Several words are one label (`looking at`); an index in square
brackets belongs to its label, so that `query_attr [ color ] ( … )` is `query_attr[color]`; a call of nothing keeps its
brackets, so that `scene ( )` is `scene()` and differs from the word `scene`. Nothing is known of the functions, so
that order matters everywhere and only spacing is normalised; `covr.py` knows COVR's. `anonymise` uses COVR's table.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.anonymised import placeholders
from recombine.languages.brackets import read_calls, render_calls
from recombine.languages.language import Language
from recombine.languages.literals import leaves_typed, literal_kind
from recombine.tree import Tree

NAME = "functional"
_STRING_OR_EMPTY_CALL = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=[^\s(),"])\s*\(\s*\)(?=\s*(?:[,)]|$))')
# A character that no text holds stands for the brackets of an empty call, one for one, so that positions stay.
_FILLER = "\ufdd0"
_FILLED = re.compile(f"{_FILLER}+")


def parse_functional(text: str) -> Tree:
    """The tree of a functional program.

    >>> parse_functional("query_attr [ color ] ( scene ( ) )")
    Tree(label='query_attr[color]', children=(Tree(label='scene()', children=()),))
    """
    filled = without_empty_brackets(text)
    if "[" in text or "]" in text:
        _refuse_square_brackets(filled)
    tree = read_calls(filled, language=NAME)
    return tree.mapped(_tidy) if filled != text or "[" in text else tree


def without_empty_brackets(text: str) -> str:
    """The text with a filler for the brackets of empty calls, every other character at its place."""
    return _STRING_OR_EMPTY_CALL.sub(_without_brackets, text)


def _without_brackets(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else _FILLER * len(match[0])


def _tidy(node: Tree) -> Tree:
    label = _FILLED.sub("()", node.label)
    if "[" in label and '"' not in label:
        label = re.sub(r"\s*(\[)\s*|\s*(\])", r"\1\2", label)
    return node if label == node.label else Tree(label, node.children)


def _refuse_square_brackets(text: str) -> None:
    """Raises where square brackets do not close within a label, hold nothing, or do not end the label."""
    opened: int | None = None
    before = ""
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\](),]|[^\s\[\](),"]+', text):
        token, position = match[0], match.start()
        fault = None
        if token == "[":
            fault = "a square bracket with no name before it" if opened is not None or before in "(,[]" else None
            opened = position
        elif token == "]":
            fault = "a square bracket that closes nothing" if opened is None or before == "[" else None
            opened = None
        elif opened is not None and token in "(),":
            fault = "a square bracket that is not closed"
            position = opened
        elif before == "]" and token not in "(),":
            fault = f"{token!r} after a closing square bracket"
        if fault is not None:
            raise ProgramError(NAME, position, fault, "write the index as NAME [ INDEX ]")
        before = token
    if opened is not None:
        raise ProgramError(NAME, opened, "a square bracket that is not closed", "write the index as NAME [ INDEX ]")


def render_functional(tree: Tree) -> str:
    """The text of a tree, one blank between tokens as in the published files.

    >>> render_functional(Tree("exists", (Tree("scene()"),)))
    'exists ( scene ( ) )'
    """
    return render_calls(tree.mapped(_spaced))


def _spaced(node: Tree) -> Tree:
    label = node.label
    if label.startswith('"'):
        return node
    if label.endswith("()"):
        label = f"{label[:-2]} ( )"
    if label.endswith("]"):
        label = re.sub(r"\[(.*)\]", r" [ \1 ]", label)
    return node if label == node.label else Tree(label, node.children)


def anonymise_functional(tree: Tree) -> Tree:
    """The program with COVR's details replaced: entities, relations, attributes, their values, numbers, `and` and `or`.

    >>> tree = parse_functional("eq ( query_attr [ color ] ( find ( dog ) ) , black )")
    >>> render_functional(anonymise_functional(tree))
    'eq ( query_attr [ ATTRIBUTE ] ( find ( ENTITY ) ) , VALUE )'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    name, bracket, index = node.label.partition("[")
    table = placeholders("covr")
    if bracket and index.endswith("]"):
        return Tree(f"{table.of(name)}[{table.of(index[:-1])}]", node.children)
    return Tree(table.of(node.label), node.children)


def published_tree(tree: Tree) -> Tree:
    """The tree of the `local_structures` release: a label of several words is its first word, the others are children.

    The release also puts a root `<s>` over every program; callers who want it add it.

    >>> published_tree(parse_functional("with_relation ( scene ( ) , playing with , find ( dog ) )")).children[:2]
    (Tree(label='scene', children=()), Tree(label='playing', children=(Tree(label='with', children=()),)))
    """
    return tree.mapped(_divided)


def _divided(node: Tree) -> Tree:
    if node.label.startswith('"'):
        return node
    # The release writes an index without blanks before it divides words, but keeps those inside the brackets.
    first, *others = node.label.removesuffix("()").split()
    return Tree(first, (*map(Tree, others), *node.children))


FUNCTIONAL = Language(
    "functional",
    parse_functional,
    render_functional,
    anonymise=anonymise_functional,
    type_literals=leaves_typed(literal_kind),
)
