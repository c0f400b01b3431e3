"""The notation of grammar files: text to statements, with line and column of every symbol.

    # a comment runs to the end of the line
    %start <C>
    and:        <C> -> <S:1> and <S:2>                a rule of the grammar; numbers tell equal symbols apart
    jump @2:    <U> -> jump => I_JUMP                 a synchronous rule, with a weight for sampling
    act:        <D> -> <U> ~ <DIR>                    `~` divides the phrase into parts ...
    opposite:   <V> -> <D.1> opposite <D.2>           ... that another rule may place apart
    [[<V> twice]] = [[<V>]] [[<V>]]                   a rule of the interpretation

Symbols are in angle brackets; everything else is a word. A word that holds white space or one of `< > [ ] ~ " #`, or
is an arrow or an equals sign, is written in double quotes as in JSON. A file gives targets either with `=>` or with an
interpretation, not both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import GrammarError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SYNTAX = r"""
start: (_NEWLINE | statement _NEWLINE)*
?statement: START SYMBOL                          -> start_symbol
    | LABEL SYMBOL _ARROW side [_BECOMES side]    -> rule
    | phrase _EQUALS (word | call)*               -> interpretation
side: part (_GAP part)*
part: element*
phrase: _OPEN element+ _CLOSE
call: _OPEN element+ _CLOSE
?element: word | symbol
word: WORD | STRING
symbol: SYMBOL

_ARROW: "->"
_BECOMES: "=>"
_EQUALS: "="
_GAP: "~"
_OPEN: "[["
_CLOSE: "]]"
START: "%start"
LABEL.2: /[A-Za-z_][A-Za-z0-9_.-]*[ \t]*(@[ \t]*[0-9]+(\.[0-9]+)?[ \t]*)?:(?=\s)/
SYMBOL: /<[A-Za-z_][A-Za-z0-9_-]*(\.[1-9][0-9]*)?(:[1-9][0-9]*)?>/
STRING: /"([^"\\\n]|\\.)*"/
WORD: /(?!->|=>|=(\s|$))[^\s<>\[\]~"#]+/
COMMENT: /#[^\n]*/
_NEWLINE: (/\r?\n/ /[ \t]*/)+
%ignore /[ \t]+/
%ignore COMMENT
"""

_NAMES = {
    "SYMBOL": "a symbol such as <S>",
    "LABEL": "a rule such as `name: <S> -> words`",
    "START": "%start <S>",
    "WORD": "a word",
    "STRING": "a quoted word",
    "_NEWLINE": "the end of the line",
    "_ARROW": "->",
    "_BECOMES": "=>",
    "_EQUALS": "=",
    "_GAP": "~",
    "_OPEN": "[[",
    "_CLOSE": "]]",
    "$END": "the end of the file",
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol as written: `<D.1:2>` is part 1 of the second D; part 0 means all parts, number 0 the only one."""

    name: str
    part: int
    number: int
    line: int
    column: int


Written = str | Symbol


@dataclass(frozen=True, slots=True)
class RuleStatement:
    """A rule of the grammar as written."""

    name: str
    weight: float
    lhs: Symbol
    source: list[list[Written]]
    target: list[list[Written]] | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class InterpretationStatement:
    """A rule of the interpretation as written; a list in `output` is a phrase in double brackets."""

    phrase: list[Written]
    output: list[str | list[Written]]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Statements:
    """All that a grammar file says, in order."""

    path: Path | str
    start: Symbol | None
    rules: list[RuleStatement]
    interpretations: list[InterpretationStatement]


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark(_SYNTAX, parser="lalr", propagate_positions=True, maybe_placeholders=True)


def read_statements(text: str, path: Path | str) -> Statements:
    """Read a grammar file; a mistake is a `GrammarError` with its line and column."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = _parser().parse(text + "\n")
    except UnexpectedInput as error:
        raise _syntax_error(error, text, path) from None
    start: Symbol | None = None
    rules: list[RuleStatement] = []
    interpretations: list[InterpretationStatement] = []
    for node in tree.children:
        if node.data == "start_symbol":
            if start is not None:
                token = node.children[0]
                raise GrammarError(path, token.line, token.column, "a second %start", "keep one")
            start = _symbol(node.children[1])
        elif node.data == "rule":
            rules.append(_rule(node, path))
        else:
            interpretations.append(_interpretation(node, path))
    return Statements(path, start, rules, interpretations)


def _rule(node: Any, path: Path | str) -> RuleStatement:
    label, lhs, source, target = node.children
    name, _, weight = str(label).rstrip(":").partition("@")
    symbol = _symbol(lhs)
    if symbol.part or symbol.number:
        raise GrammarError(
            path, symbol.line, symbol.column, "a part or number on the left side", "write the bare symbol"
        )
    return RuleStatement(
        name.strip(),
        float(weight or 1),
        symbol,
        _side(source, path),
        None if target is None else _side(target, path),
        label.line,
        label.column,
    )


def _interpretation(node: Any, path: Path | str) -> InterpretationStatement:
    phrase: list[Written] = []
    output: list[str | list[Written]] = []
    for child in node.children:
        if child.data == "phrase":
            phrase = list(_elements(child, path))
        elif child.data == "call":
            output.append(list(_elements(child, path)))
        else:
            output.append(_word(child, path))
    return InterpretationStatement(phrase, output, node.meta.line, node.meta.column)


def _side(node: Any, path: Path | str) -> list[list[Written]]:
    return [list(_elements(part, path)) for part in node.children]


def _elements(node: Any, path: Path | str) -> Iterator[Written]:
    for child in node.children:
        yield _symbol(child.children[0]) if child.data == "symbol" else _word(child, path)


def _word(node: Any, path: Path | str) -> str:
    token = node.children[0]
    if token.type != "STRING":
        return str(token)
    try:
        text = str(orjson.loads(str(token)))
    except orjson.JSONDecodeError:
        raise GrammarError(
            path, token.line, token.column, f"{token} is not a JSON string", "mend its escapes"
        ) from None
    if not text or any(character.isspace() for character in text):
        raise GrammarError(path, token.line, token.column, f"{token} is not one word", "write one word per token")
    return text


def _symbol(token: Any) -> Symbol:
    inner, _, number = str(token)[1:-1].partition(":")
    name, _, part = inner.partition(".")
    return Symbol(name, int(part or 0), int(number or 0), token.line, token.column)


def _syntax_error(error: Any, text: str, path: Path | str) -> GrammarError:
    expected = getattr(error, "expected", None) or getattr(error, "allowed", None) or set()
    names = sorted({_NAMES.get(name, name) for name in expected})
    line, column = error.line, error.column
    if line < 1 or column < 1:
        line, column = text.count("\n") + 1, 1
    token = getattr(error, "token", None)
    lines = text.split("\n")
    rest = lines[line - 1][column - 1 :].split() if line <= len(lines) else []
    found = repr(rest[0]) if rest else "the end of the line"
    if token is not None and token.type == "_NEWLINE":
        found = "the end of the line"
    return GrammarError(path, line, column, f"found {found}", f"expected {' or '.join(names)}" if names else "")
