"""Language files of several kinds, as text, with generators of trees that each can have."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from recombine.languages.language import Language
from recombine.languages.notation.read_notation import read_notation
from recombine.tree import Tree

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "languages"

PIPES = r"""
name = "pipes"
named_arguments = [":"]
word_signs = "."
[[brackets]]
open = "("
close = ")"
after_name = "call"
alone = "group"
[[brackets]]
open = "["
close = "]"
alone = "list"
[[brackets]]
open = "{"
close = "}"
after_name = "call"
alone = "list"
[[quotes]]
open = '"'
escape = '\'
[[comments]]
open = "#"
[[operators]]
signs = ["."]
[[operators]]
signs = ["^"]
associates = "right"
[[operators]]
signs = ["-", "!"]
position = "prefix"
[[operators]]
signs = ["*", "/"]
[[operators]]
signs = ["?"]
position = "postfix"
[[operators]]
signs = ["+", "-"]
[[operators]]
signs = ["<", "=="]
associates = "none"
[[operators]]
signs = ["not"]
position = "prefix"
[[operators]]
signs = ["and", "or"]
[[operators]]
signs = ["|>"]
[normalise]
commutative = ["+", "and", "both"]
associative = ["and", "both"]
idempotent = ["and", "both"]
[literals]
date = ['\d{4}-\d{2}-\d{2}']
number = ['[-+]?\d+(\.\d+)?']
[names]
entity = ['m\d+']
"""

LISP = r"""
name = "Lisp"
separators = []
[[brackets]]
open = "("
close = ")"
alone = "head"
[[brackets]]
open = "["
close = "]"
alone = "head"
[[brackets]]
open = "#("
close = "#)"
alone = "list"
[[quotes]]
open = '"'
doubled = true
[[comments]]
open = ";"
[[comments]]
open = "#|"
close = "|#"
[normalise]
commutative = ["and"]
"""

ASSEMBLY = r"""
name = "assembly"
case_insensitive = true
[statements]
separators = ["\n", ";"]
command = true
[[brackets]]
open = "["
close = "]"
alone = "list"
[[brackets]]
open = "("
close = ")"
alone = "group"
[[comments]]
open = "//"
[[operators]]
signs = ["%"]
position = "prefix"
[[operators]]
signs = ["*"]
[[operators]]
signs = ["+", "-"]
[literals]
number = ['0x[0-9a-f]+', '-?\d+']
"""

PROLOG = r"""
name = "Prolog"
[statements]
separators = ["."]
[[brackets]]
open = "("
close = ")"
after_name = "call"
alone = "group"
[[brackets]]
open = "["
close = "]"
alone = "list"
[[quotes]]
open = "'"
doubled = true
holds = "name"
[[comments]]
open = "%"
[[operators]]
signs = ['\+']
position = "prefix"
[[operators]]
signs = ["=", "<", "is"]
associates = "none"
[[operators]]
signs = ["|"]
associates = "right"
[[operators]]
signs = [":-"]
associates = "none"
[normalise]
commutative = ["()"]
"""

MADE = {"pipes": PIPES, "lisp": LISP, "assembly": ASSEMBLY, "prolog": PROLOG}


def made_language(name: str, folder: Path) -> Language:
    """One of these languages, from a file in a folder."""
    path = folder / f"{name}.toml"
    path.write_text(MADE[name])
    return read_notation(path, path.name)


def _any_of(draw: random.Random, *makers: Callable[[], Tree]) -> Tree:
    return draw.choice(makers)()


def some_pipes(draw: random.Random, depth: int = 4) -> Tree:
    """A tree of the notation of pipes; operators stand anywhere, so that brackets are needed."""

    def inner() -> Tree:
        return some_pipes(draw, depth - 1)

    def leaf() -> Tree:
        words = ("a", "b.c", "m0", "both", "3", "-3", "2026-01-31", '"x (y"', r'"q\"u"', "f()", "{}", "[]", "g{}")
        return Tree(draw.choice(words))

    def infix() -> Tree:
        sign = draw.choice([".", "^", "*", "/", "+", "-", "<", "==", "and", "or", "|>"])
        return Tree(sign, (inner(), inner()))

    def call() -> Tree:
        parts = [inner() for _ in range(draw.randrange(1, 4))]
        parts += [Tree(f"{name}:", (inner(),)) for name in draw.sample(["n", "city", "x"], draw.randrange(3))]
        draw.shuffle(parts)
        return Tree(draw.choice(["f", "both", "a.b", "[]", "{}", "g{}"]), tuple(parts))

    if depth == 0:
        return leaf()
    unary = lambda: Tree(draw.choice(["-", "!", "?", "not"]), (inner(),))  # noqa: E731
    return _any_of(draw, leaf, infix, infix, call, call, unary)


def some_lisp(draw: random.Random, depth: int = 4) -> Tree:
    """A list with a head, or without."""
    if depth == 0 or draw.random() < 0.25:
        return Tree(draw.choice(["a", "+", "-3", '"x ""y"" ("', "()", "[]", "#(#)", "and", "what?"]))
    parts = tuple(some_lisp(draw, depth - 1) for _ in range(draw.randrange(1, 4)))
    label = draw.choice(["f", "and", "g[]", "()", "[]", "#(#)"])
    if label in ("()", "[]") and len(parts) > 1 and not parts[0].children and parts[0].label[0] not in '"([#':
        label = "f"  # what begins with a word has it as its head
    return Tree(label, parts)


def some_assembly(draw: random.Random, depth: int = 3) -> Tree:
    """Some commands."""

    def value(left: int) -> Tree:
        if left == 0:
            return Tree(draw.choice(["eax", "0x1f", "-4", "12", "[]", "loop"]))
        kind = draw.randrange(4)
        if kind == 0:
            return Tree(draw.choice(["+", "-", "*"]), (value(left - 1), value(left - 1)))
        if kind == 1:
            return Tree("%", (value(left - 1),))
        return value(0) if kind == 2 else Tree("[]", tuple(value(left - 1) for _ in range(draw.randrange(1, 3))))

    def command() -> Tree:
        parts = tuple(value(depth) for _ in range(draw.randrange(3)))
        return Tree(draw.choice(["mov", "add", "ret"]), parts)

    commands = tuple(command() for _ in range(draw.randrange(1, 4)))
    return commands[0] if len(commands) == 1 else Tree(";", commands)


def some_prolog(draw: random.Random, depth: int = 3) -> Tree:
    """Some clauses."""

    def term(left: int) -> Tree:
        if left == 0 or draw.random() < 0.3:
            return Tree(draw.choice(["X", "rome", "'New York'", "'it''s'", "3", "[]", "halt()"]))
        kind = draw.randrange(4)
        parts = tuple(term(left - 1) for _ in range(draw.randrange(1, 4)))
        if kind == 0:
            return Tree(draw.choice(["capital", "loc", "'big city'"]), parts)
        if kind == 1:
            return Tree("[]", parts)
        if kind == 2:
            return Tree(r"\+", parts[:1])
        return Tree(draw.choice(["=", "is", "|"]), (term(left - 1), term(left - 1)))

    def clause() -> Tree:
        head = Tree(draw.choice(["answer", "capital"]), (term(1),))
        goals = tuple(term(depth) for _ in range(draw.randrange(2, 4)))
        body = Tree("()", goals) if draw.random() < 0.5 else goals[0]
        return Tree(":-", (head, body)) if draw.random() < 0.7 else head

    clauses = tuple(clause() for _ in range(draw.randrange(1, 3)))
    return clauses[0] if len(clauses) == 1 else Tree(".", clauses)


MAKERS = {"pipes": some_pipes, "lisp": some_lisp, "assembly": some_assembly, "prolog": some_prolog}
"""Makers of trees, each of a generator."""
SIGNS = {
    "pipes": '()[]{}"\\#.^-!*/?+<=,: a3\n\ud800',
    "lisp": '()[]"; #|a\n\ud800',
    "assembly": "[]()/%*+-,;\n a3X\ud800",
    "prolog": "()[]'%\\+=<|:-., aX\n\ud800",
}
