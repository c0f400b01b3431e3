"""COGS' logical forms: `* sailor ( x _ 1 ) ; dust . agent ( x _ 2 , x _ 1 ) AND boy ( x _ 4 )`.

The tree of a sentence is `AND` over its conjuncts in order, also where there is one. A conjunct is its predicate over
its arguments, `dust.agent` over `x_2` and `x_1`; a definite, closed by `;` and first in the text, is `*` over its
conjunct. The primitives are `LAMBDA` over a variable and a body, innermost an `AND`, and a bare name.

Variables are numbered by the place of a word in the sentence. Programs are equal when they differ in these numbers
only; the order of conjuncts is kept. `anonymise` makes every proper name `ENTITY`; the paper names no groups.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import ENTITY, no_literals
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "COGS"
_TOKEN = re.compile(r"\s*(?:(x\s*_\s*[0-9]+)\b|([A-Za-z][A-Za-z0-9'-]*)|([().,;*]))")
_VARIABLE = re.compile(r"x_[0-9]+")
KEYWORDS = frozenset({"AND", "LAMBDA"})


class _Reader:
    """The tokens of one program and how far they are read."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        self.places: list[int] = []
        self.next = 0
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise ProgramError(NAME, at, f"{text[at]!r} is of no use here", "remove it")
            kind = match.lastindex or 0
            self.tokens.append("".join(match[1].split()) if kind == 1 else match[kind])
            self.places.append(match.start(kind))
            at = match.end()
        if not self.tokens:
            raise ProgramError(NAME, 0, "an empty program", "leave the example out")
        self.tokens.append("")
        self.places.append(end)

    def take(self, *wanted: str) -> bool:
        """Whether the next tokens are these; they are then read."""
        if self.tokens[self.next : self.next + len(wanted)] != list(wanted):
            return False
        self.next += len(wanted)
        return True

    def must_take(self, wanted: str) -> None:
        if not self.take(wanted):
            raise self.fault(f"a {wanted!r}")

    def word(self, what: str) -> str:
        token = self.tokens[self.next]
        if not token[:1].isalpha() or token in KEYWORDS:
            raise self.fault(what)
        self.next += 1
        return token

    def fault(self, wanted: str) -> ProgramError:
        """What to raise where something else is wanted."""
        token, place = self.tokens[self.next], self.places[self.next]
        instead = f"{token!r} stands" if token else "the program ends"
        return ProgramError(NAME, place, f"{instead} where {wanted} belongs", "write it, or move the bracket")


def parse_cogs(text: str) -> Tree:
    """The tree of a logical form.

    >>> parse_cogs("* dog ( x _ 1 ) ; run . agent ( x _ 2 , x _ 1 )").children[0]
    Tree(label='*', children=(Tree(label='dog', children=(Tree(label='x_1', children=()),)),))
    """
    reader = _Reader(text)
    if len(reader.tokens) == 2:
        return Tree(reader.word("a name"))
    tree = _program(reader)
    if reader.tokens[reader.next]:
        raise reader.fault("the end")
    return tree


def _program(reader: _Reader) -> Tree:
    variables: list[str] = []
    while reader.take("LAMBDA"):
        variables.append(reader.word("a variable"))
        reader.must_take(".")
    conjuncts: list[Tree] = []
    while reader.take("*"):
        conjuncts.append(Tree("*", (_conjunct(reader),)))
        reader.must_take(";")
    conjuncts.append(_conjunct(reader))
    while reader.take("AND"):
        conjuncts.append(_conjunct(reader))
    tree = Tree("AND", tuple(conjuncts))
    if variables and len(variables) + tree.depth() > MAX_DEPTH:
        raise too_deep(NAME)
    for variable in reversed(variables):
        tree = Tree("LAMBDA", (Tree(variable), tree))
    return tree


def _conjunct(reader: _Reader) -> Tree:
    label = reader.word("a predicate")
    while reader.take("."):
        label = f"{label}.{reader.word('a role')}"
    reader.must_take("(")
    arguments = [Tree(reader.word("an argument"))]
    while reader.take(","):
        arguments.append(Tree(reader.word("an argument")))
    reader.must_take(")")
    return Tree(label, tuple(arguments))


def render_cogs(tree: Tree) -> str:
    """The text of a logical form, with the blanks of the published files.

    >>> render_cogs(parse_cogs("LAMBDA a . LAMBDA e . run . agent(e,a)"))
    'LAMBDA a . LAMBDA e . run . agent ( e , a )'
    """
    if not tree.children:
        return tree.label
    if tree.label == "LAMBDA":
        return f"LAMBDA {tree.children[0].label} . {render_cogs(tree.children[1])}"
    definite = [f"* {_render_conjunct(child.children[0])} ; " for child in tree.children if child.label == "*"]
    others = [_render_conjunct(child) for child in tree.children if child.label != "*"]
    return "".join(definite) + " AND ".join(others)


def _render_conjunct(tree: Tree) -> str:
    arguments: Sequence[str] = [
        child.label.replace("_", " _ ") if _VARIABLE.fullmatch(child.label) else child.label for child in tree.children
    ]
    return f"{tree.label.replace('.', ' . ')} ( {' , '.join(arguments)} )"


def normalise_cogs(tree: Tree) -> Tree:
    """The logical form with its variables numbered in the order of first use.

    >>> render_cogs(normalise_cogs(parse_cogs("dust . theme ( x _ 5 , x _ 2 )")))
    'dust . theme ( x _ 0 , x _ 1 )'
    """
    numbers: dict[str, Tree] = {}
    for node in tree.iter_nodes():
        if _VARIABLE.fullmatch(node.label):
            numbers.setdefault(node.label, Tree(f"x_{len(numbers)}"))
    return tree.mapped(lambda node: numbers.get(node.label, node))


def anonymise_cogs(tree: Tree) -> Tree:
    """The logical form with every proper name `ENTITY`.

    >>> render_cogs(anonymise_cogs(parse_cogs("eat . agent ( x _ 1 , Emma )")))
    'eat . agent ( x _ 1 , ENTITY )'
    """
    return tree.mapped(lambda node: Tree("ENTITY") if not node.children and node.label[0].isupper() else node)


def type_cogs_names(tree: Tree) -> Tree:
    """The logical form with every proper name `<entity>`."""
    return tree.mapped(lambda node: Tree(ENTITY) if not node.children and node.label[0].isupper() else node)


COGS = Language("cogs", parse_cogs, render_cogs, normalise_cogs, anonymise_cogs, no_literals, type_cogs_names)
