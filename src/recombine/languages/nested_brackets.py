"""Any nested brackets: `f(a, b)`, `f ( a , b )`, `(f a b)`, `[f a b]`, `{a, b}`, mixed as one likes.

- A word before a bracket names it: `f(a, b)` is f over a and b. Inside, commas stand between the parts, and words side
  by side are one label (`looking at`). A call of nothing keeps its brackets: `f()`.
- A bracket with nothing before it and no commas inside is a list, whose parts blanks divide. Its first part is its name
  where that is a word and others follow: `(f a b)` is the same tree as `f(a, b)`. In a list a name must touch the
  bracket after it, `(f g(a))`; with a blank between, `(f g (a))`, they are two parts.
- A bracket with nothing before it and commas inside has no name: `(a, b c)` is `()` over `a` and `b c`. Neither has a
  list of one part, nor one whose first part is no word.
- Square and curly brackets stay in the label: `[f a]` and `f[a]` are `f[]` over a, and `{f a}` is `f{}` over a.
- What stands in single or double quotes is one word, in which `\\` takes the next character as it is; a quote inside
  of a word is a part of it (`what's`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import leaves_anonymised, leaves_typed, value_kind
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH, Tree

NAME = "brackets"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_WORD = r"[^\s()\[\]{},]"
_TOKEN = re.compile(
    rf"""\s*(?:([()\[\]{{}},])|("(?:[^"\\]|\\.)*"(?!{_WORD})|'(?:[^'\\]|\\.)*'(?!{_WORD}))|({_WORD}+))""", re.DOTALL
)
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)


class Token(NamedTuple):
    """A sign, a word or something in quotes."""

    text: str
    start: int
    touches: bool
    quoted: bool


@dataclass(slots=True)
class _Frame:
    """What is read between two brackets; the outermost one is all of the program."""

    opened: str
    name: str | None
    start: int
    listed: bool
    """Whether blanks divide its parts, as far as is known: a comma says otherwise."""
    parts: list[Tree] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    quoted: bool = False
    closed: bool = False
    """Whether the part that is read has had its brackets."""
    commas: bool = False


def parse_brackets(text: str) -> Tree:
    """The tree of a text.

    >>> parse_brackets("f(a, b)") == parse_brackets("f ( a , b )") == parse_brackets("(f a b)")
    True
    >>> parse_brackets("[f a]")
    Tree(label='f[]', children=(Tree(label='a', children=()),))
    """
    frames = [_Frame("", None, 0, False)]
    for token in _tokens(text):
        frame = frames[-1]
        if token.quoted or token.text not in "()[]{},":
            _take_word(frame, token)
        elif token.text in _PAIRS:
            frames.append(_opened(frame, token, len(frames)))
        elif token.text == ",":
            _take_comma(frame, token)
        else:
            _close(frames, token)
    if len(frames) > 1:
        _fail(frames[-1].start, "a bracket that is not closed", "close it")
    _finish(frames[0], len(text))
    return frames[0].parts[0]


def _tokens(text: str) -> list[Token]:
    tokens = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastindex is None:  # cannot be: whatever is no blank begins one of the three
            _fail(at, f"{text[at]!r} begins nothing", "remove it")
        group = match.lastindex
        start, word = match.start(group), match[group]
        if group == 3 and word[0] in "\"'" and _is_unclosed(text, start):
            _fail(start, "a string that does not end", "close its quotes")
        tokens.append(Token(word, start, start == at, group == 2))
        at = match.end()
    if not tokens:
        _fail(0, "an empty program", "leave the example out")
    return tokens


def _is_unclosed(text: str, start: int) -> bool:
    """Whether a quote begins what never ends, or ends in the middle of a word."""
    return text[start] == '"' or _QUOTED.match(text, start) is not None


def _take_word(frame: _Frame, token: Token) -> None:
    if frame.listed:
        _finish(frame, token.start, needed=False)
    elif frame.closed:
        _fail(token.start, f"{token.text!r} after a closing bracket", "put a comma before it")
    elif frame.words and (token.quoted or frame.quoted):
        _fail(token.start, f"{token.text!r} after {frame.words[-1]}", "put a comma before it")
    frame.words.append(token.text)
    frame.quoted = token.quoted


def _opened(frame: _Frame, token: Token, depth: int) -> _Frame:
    if depth >= MAX_DEPTH:
        raise too_deep(NAME, token.start)
    name = None
    if frame.words and (token.touches or not frame.listed):
        if frame.quoted:
            _fail(token.start, f"a bracket after {frame.words[-1]}", "put a comma before it")
        name, frame.words = " ".join(frame.words), []
    elif frame.listed:
        _finish(frame, token.start, needed=False)
    elif frame.closed:
        _fail(token.start, "a bracket after a closing bracket", "put a comma before it")
    return _Frame(token.text, name, token.start, name is None)


def _take_comma(frame: _Frame, token: Token) -> None:
    if not frame.opened:
        _fail(token.start, "a comma outside of brackets", "remove it")
    _finish(frame, token.start)
    if frame.listed and len(frame.parts) > 1:  # what looked like a list is not: its words are one label
        if not all(map(_is_name, frame.parts)):
            _fail(token.start, "a comma after parts with blanks between them", "put commas between all of them")
        frame.parts = [Tree(" ".join(part.label for part in frame.parts))]
    frame.listed, frame.commas = False, True


def _finish(frame: _Frame, position: int, *, needed: bool = True) -> None:
    """End the part that is read."""
    if frame.words:
        frame.parts.append(Tree(" ".join(frame.words)))
    elif not frame.closed and needed:
        _fail(position, "an argument is missing", "write it, or remove the sign before it")
    frame.words, frame.closed, frame.quoted = [], False, False


def _close(frames: list[_Frame], token: Token) -> None:
    frame = frames[-1]
    if _PAIRS.get(frame.opened) != token.text:
        if frame.opened:
            problem = f"{token.text!r} where {_PAIRS[frame.opened]!r} should be"
            _fail(token.start, problem, "look for a bracket at the wrong place")
        _fail(token.start, "a closing bracket too many", "remove it")
    _finish(frame, token.start, needed=frame.commas)
    frames.pop()
    frames[-1].parts.append(_made(frame))
    frames[-1].closed = True


def _made(frame: _Frame) -> Tree:
    """What brackets with all their parts mean."""
    pair = frame.opened + _PAIRS[frame.opened]
    mark = "" if pair == "()" else pair
    if frame.name is not None:
        return Tree(frame.name + mark, tuple(frame.parts)) if frame.parts else Tree(frame.name + pair)
    head = frame.parts[0] if frame.parts else Tree("")
    if frame.listed and len(frame.parts) > 1 and _is_name(head):
        return Tree(head.label + mark, tuple(frame.parts[1:]))
    return Tree(pair, tuple(frame.parts))


def _is_name(tree: Tree) -> bool:
    return not tree.children and not tree.label.endswith(tuple(_PAIRS.values())) and not _QUOTED.fullmatch(tree.label)


def _fail(position: int, problem: str, remedy: str) -> NoReturn:
    raise ProgramError(NAME, position, problem, remedy)


def render_brackets(tree: Tree) -> str:
    """The text of a tree: names before brackets, commas between parts.

    >>> render_brackets(parse_brackets("(f [g a] (b))"))
    'f(g[a], (b))'
    """
    if not tree.children:
        return tree.label
    pair = tree.label[-2:] if tree.label[-2:] in ("()", "[]", "{}") else "()"
    name = tree.label.removesuffix(pair)
    return f"{name}{pair[0]}{', '.join(map(render_brackets, tree.children))}{pair[1]}"


def anonymise_brackets(tree: Tree) -> Tree:
    """The program with its strings, numbers, dates and truths replaced.

    >>> render_brackets(anonymise_brackets(parse_brackets("find(city, 'Rome', 3)")))
    'find(city, STRING, NUMBER)'
    """
    return leaves_anonymised(value_kind)(tree)


BRACKETS = Language(
    "brackets", parse_brackets, render_brackets, anonymise=anonymise_brackets, type_literals=leaves_typed(value_kind)
)
