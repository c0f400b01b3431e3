"""TOP's brackets around the words of a question: `[IN:GET_WEATHER what's the weather in [SL:LOCATION Rome ] ]`.

An intent or a slot is a node with its name, `IN:GET_WEATHER`, over its words, slots and intents in order; a word is a
leaf. Blanks around brackets do not matter, everything else does. `anonymise` leaves out the words beside slots and
puts `VALUE` in place of those inside a slot.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import STRING
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH, Tree

NAME = "TOP"
_TOKEN = re.compile(r"\[[^\s\[\]]*|\]|[^\s\[\]]+")
_LABEL = re.compile(r"(?:IN|SL):[^\s\[\]]+")


def parse_top(text: str) -> Tree:
    """The tree of a bracketed question.

    >>> parse_top("[IN:GET_TIME in [SL:LOCATION Rome]]").children
    (Tree(label='in', children=()), Tree(label='SL:LOCATION', children=(Tree(label='Rome', children=()),)))
    """
    stack: list[tuple[str, list[Tree], int]] = []
    done: list[Tree] = []
    for match in _TOKEN.finditer(text):
        token, position = match[0], match.start()
        if not stack and done:
            raise ProgramError(NAME, position, f"{token!r} after the end of the program", "remove it")
        if not stack and not token.startswith("[IN:"):
            raise ProgramError(NAME, position, f"{token!r} where an intent should begin", "begin with [IN:NAME")
        if token.startswith("["):
            if not _LABEL.fullmatch(token, 1):
                raise ProgramError(NAME, position, f"{token!r} opens no intent or slot", "write [IN:NAME or [SL:NAME")
            if len(stack) >= MAX_DEPTH:
                raise too_deep(NAME, position)
            stack.append((token[1:], done, position))
            done = []
        elif token == "]":
            label, outer, _ = stack.pop()
            outer.append(Tree(label, tuple(done)))
            done = outer
        elif len(stack) >= MAX_DEPTH:
            raise too_deep(NAME, position)
        elif _LABEL.fullmatch(token):
            raise ProgramError(NAME, position, f"{token!r} without its bracket", f"write [{token[:40]}")
        else:
            done.append(Tree(token))
    if stack:
        raise ProgramError(NAME, stack[-1][2], "a bracket that is not closed", "close it")
    if not done:
        raise ProgramError(NAME, 0, "an empty program", "leave the example out")
    return done[0]


def render_top(tree: Tree) -> str:
    """The text of a tree, one blank between tokens.

    >>> render_top(parse_top("[IN:GET_TIME in [SL:LOCATION Rome]]"))
    '[IN:GET_TIME in [SL:LOCATION Rome ] ]'
    """
    if not _LABEL.fullmatch(tree.label):
        return tree.label
    return " ".join([f"[{tree.label}", *map(render_top, tree.children), "]"])


def anonymise_top(tree: Tree) -> Tree:
    """The intents and slots alone, each slot with a value in place of its words.

    >>> render_top(anonymise_top(parse_top("[IN:GET_TIME in [SL:LOCATION New York ] please ]")))
    '[IN:GET_TIME [SL:LOCATION VALUE ] ]'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    inner = tuple(child for child in node.children if _LABEL.fullmatch(child.label))
    if node.children and not inner and node.label.startswith("SL:"):
        inner = (Tree("VALUE"),)
    return Tree(node.label, inner)


def type_top_literals(tree: Tree) -> Tree:
    """The intents and slots, with one `<string>` for each run of words between them.

    >>> render_top(type_top_literals(parse_top("[IN:GET_TIME what time in [SL:LOCATION New York ] ]")))
    '[IN:GET_TIME <string> [SL:LOCATION <string> ] ]'
    """
    return tree.mapped(_with_runs)


def _with_runs(node: Tree) -> Tree:
    kept: list[Tree] = []
    for child in node.children:
        if _LABEL.fullmatch(child.label):
            kept.append(child)
        elif not kept or kept[-1].label != STRING:
            kept.append(Tree(STRING))
    return Tree(node.label, tuple(kept)) if node.children else node


TOP = Language("top", parse_top, render_top, anonymise=anonymise_top, type_literals=type_top_literals)
