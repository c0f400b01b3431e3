"""The one reader of bracket languages, with positions: calls `f ( a , b )` and lists `( f a b )`.

A call is a label with arguments between commas; a label may be several words (`looking at`). A list has its head
first; a list whose head is not a bare word, or that has one word only, becomes a node with an empty label. Words are
divided by white space, brackets and, in calls, commas; a word in double quotes may hold all of them. A bracket that
would make a tree deeper than `MAX_DEPTH` is refused where it opens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

Token = tuple[str, int]
_CALL = re.compile(r'\s*(?:([(),])|("(?:[^"\\]|\\.)*")|([^\s(),"]+))')
_LIST = re.compile(r'\s*(?:([()])|("(?:[^"\\]|\\.)*")|([^\s()"]+))')


def tokens(text: str, *, language: str, commas: bool) -> list[Token]:
    """The words and brackets of a program with their positions."""
    pattern = _CALL if commas else _LIST
    placed: list[Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = pattern.match(text, at)
        if match is None:
            blanks = len(text) - at - len(text[at:].lstrip())
            raise ProgramError(language, at + blanks, "a string that does not end", "close its quotes")
        placed.append((match.group(match.lastindex or 0), match.start(match.lastindex or 0)))
        at = match.end()
    if not placed:
        raise ProgramError(language, 0, "an empty program", "leave the example out")
    return placed


def read_calls(text: str, *, language: str) -> Tree:
    """A program of calls.

    >>> read_calls("count ( find ( dog ) )", language="functional")
    Tree(label='count', children=(Tree(label='find', children=(Tree(label='dog', children=()),)),))
    """
    stack: list[tuple[list[str], list[Tree], int]] = []
    words: list[str] = []
    done: list[Tree] = []
    closed = False  # whether the current argument has had its brackets

    def finish(position: int) -> None:
        nonlocal words, closed
        if not closed:
            if not words:
                raise ProgramError(language, position, "an argument is missing", "write it, or remove the bracket")
            done.append(Tree(" ".join(words)))
        words, closed = [], False

    for token, position in tokens(text, language=language, commas=True):
        if token == "(":
            if not words or closed:
                raise ProgramError(language, position, "a bracket with no name before it", "remove it or name the call")
            stack.append((words, done, position))
            if len(stack) >= MAX_DEPTH:
                raise too_deep(language, position)
            words, done = [], []
        elif token in (")", ","):
            if not stack:
                what = "a closing bracket too many" if token == ")" else "a comma outside of brackets"
                raise ProgramError(language, position, what, "remove it")
            finish(position)
            if token == ")":
                names, outer, _ = stack.pop()
                outer.append(Tree(" ".join(names), tuple(done)))
                done, closed = outer, True
        elif closed:
            raise ProgramError(language, position, f"{token!r} after a closing bracket", "put a comma before it")
        else:
            words.append(token)
    if stack:
        raise ProgramError(language, stack[-1][2], "a bracket that is not closed", "close it")
    finish(len(text))
    return done[0]


def render_calls(tree: Tree) -> str:
    """The text of a tree of calls, one blank between tokens."""
    if not tree.children:
        return tree.label
    return f"{tree.label} ( {' , '.join(map(render_calls, tree.children))} )"


def read_lists(text: str, *, language: str) -> Tree:
    """A program of lists.

    >>> read_lists("( lambda $0 e ( flight $0 ) )", language="lambda").children[2]
    Tree(label='flight', children=(Tree(label='$0', children=()),))
    """
    stack: list[tuple[list[Tree], int]] = []
    done: list[Tree] = []
    for token, position in tokens(text, language=language, commas=False):
        if not stack and done:
            raise ProgramError(language, position, f"{token!r} after the end of the program", "remove it")
        if token == "(":
            stack.append((done, position))
            if len(stack) >= MAX_DEPTH:
                raise too_deep(language, position)
            done = []
        elif token == ")":
            if not stack:
                raise ProgramError(language, position, "a closing bracket too many", "remove it")
            if not done:
                raise ProgramError(language, position, "empty brackets", "remove them")
            outer, _ = stack.pop()
            outer.append(_list_tree(done))
            done = outer
        else:
            done.append(Tree(token))
    if stack:
        raise ProgramError(language, stack[-1][1], "a bracket that is not closed", "close it")
    return done[0]


def _list_tree(items: list[Tree]) -> Tree:
    head = items[0]
    if len(items) > 1 and not head.children and head.label:
        return Tree(head.label, tuple(items[1:]))
    return Tree("", tuple(items))


def render_lists(tree: Tree) -> str:
    """The text of a tree of lists, one blank between tokens."""
    if not tree.children:
        return tree.label
    inner: Iterable[str] = map(render_lists, tree.children)
    return f"( {' '.join([tree.label, *inner] if tree.label else inner)} )"
