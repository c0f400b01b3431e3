"""The tokens of a SPARQL query for the grammar in `sparql11.lark`, with what they mean: names in full, strings in one
quoting.

One expression finds all tokens, which is several times as fast as a lexer for each state of the parser. What needs to
know its place is told by the bracket around it: within `( )` a `<` after a value compares, elsewhere it opens an IRI.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from recombine.errors import NotReadError, ProgramError
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.languages.sparql.reading import Reading

NAME = "SPARQL"
_XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"

_HEX = r"[0-9A-Fa-f]"
_CODE = rf"\\u{_HEX}{{4}}|\\U{_HEX}{{8}}"
_PREFIX = r"(?:[^\W\d_](?:[\w\-·]|\.+(?=[\w\-·]))*+)?+"
_LOCAL_FIRST = rf"(?:[\w:·]|%{_HEX}{{2}}|\\[_~.\-!$&'()*+,;=/?#@%])"
_LOOSE = r"(?<=_)\([\w.,'\-]++\)|,(?=_\w)|'(?=s_)"
_LOCAL = rf"(?:{_LOCAL_FIRST}(?:[\w:\-·]|%{_HEX}{{2}}|\\[_~.\-!$&'()*+,;=/?#@%]|\.+(?=[\w:\-·%\\])|{_LOOSE})*+)?+"
_TOKEN = re.compile(
    rf"""
    (?P<SPACE> (?:\s|\#[^\n\r]*+)++)
  | (?P<VARIABLE> [?$]\w++)
  | (?P<IRI> <(?:[^<>\"{{}}|^`\\\x00-\x20]|{_CODE})*+>)
  | (?P<BLANK> _:\w(?:[\w\-·]|\.+(?=[\w\-·]))*+)
  | (?P<NAME> {_PREFIX}:{_LOCAL})
  | (?P<WORD> [^\W\d]\w*+)
  | (?P<STRING> \"\"\"(?:\"{{0,2}}(?:[^\"\\]|\\.))*+\"\"\" | '''(?:'{{0,2}}(?:[^'\\]|\\.))*+'''
              | \"(?:[^\"\\\n\r]|\\.)*+\" | '(?:[^'\\\n\r]|\\.)*+')
  | (?P<NUMBER> [+\-]?(?:[0-9]++\.[0-9]*+[eE][+\-]?[0-9]++|\.?[0-9]++[eE][+\-]?[0-9]++|[0-9]*+\.[0-9]++|[0-9]++))
  | (?P<LANGUAGE> @[A-Za-z]++(?:-[A-Za-z0-9]++)*+)
  | (?P<SIGN> \^\^|&&|\|\||!=|<=|>=|[{{}}()\[\].;,=<>!+\-*/|^?])
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {
    "{": "_LBRACE",
    "}": "_RBRACE",
    "(": "_LPAR",
    ")": "_RPAR",
    "[": "_LBRACK",
    "]": "_RBRACK",
    ".": "_DOT",
    ";": "_SEMICOLON",
    ",": "_COMMA",
    "^^": "_CARETS",
    "^": "_CARET",
    "|": "_BAR",
    "!": "_BANG",
    "||": "_OR",
    "&&": "_AND",
    "=": "EQUALS",
    "+": "PLUS",
    "-": "DASH",
    "*": "STAR",
    "/": "SLASH",
    "?": "QUESTION",
    **dict.fromkeys(("!=", "<", "<=", ">", ">="), "COMPARISON"),
}
_FILTERED = (
    "PREFIX BASE SELECT ASK FROM NAMED WHERE GROUP BY HAVING ORDER LIMIT OFFSET OPTIONAL MINUS UNION GRAPH SERVICE"
    " FILTER BIND AS IN NOT EXISTS SEPARATOR OR AND"
)
_KEPT = "DISTINCT REDUCED ASC DESC SILENT UNDEF VALUES COUNT GROUP_CONCAT"
_WORDS = {
    **{word: f"_{word}" for word in _FILTERED.split()},
    **{word: word for word in _KEPT.split()},
    **dict.fromkeys(("SUM", "MIN", "MAX", "AVG", "SAMPLE"), "AGGREGATE"),
    **dict.fromkeys(("TRUE", "FALSE"), "BOOLEAN"),
}
_PLACEHOLDERS = {"ENTITY": "IRI", "LITERAL": "NUMBER"}
"""What templates have in place of entities and literals."""
_NOT_READ = frozenset({"CONSTRUCT", "DESCRIBE", "INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE"})
_OPERANDS = frozenset({"VARIABLE", "_RPAR", "INTEGER", "NUMBER", "SIGNED", "STRING", "LANGUAGE", "BOOLEAN"})
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_ESCAPES = re.compile(rf"{_CODE}|\\(.)", re.DOTALL)
_NOT_ESCAPED = re.compile(r"(?<!\\)[(),']")
_OPENING = re.compile(r"\s*\(")
_TO_ESCAPE = re.compile(r'[\\"\n\r]')
_BACKSLASH = "write \\\\ for \\"
_IN_NO_IRI = re.compile(r"[<>\"{}|^`\\\x00-\x20]")


class Token:
    """A token: the grammar's name for it, what it means, and where it begins."""

    __slots__ = ("start_pos", "type", "value")
    line = column = end_line = end_column = end_pos = 0
    """The parser hands these on and nobody reads them."""

    def __init__(self, kind: str, value: str, start: int) -> None:
        self.type, self.value, self.start_pos = kind, value, start


@cache
def functions() -> dict[str, tuple[int, int]]:
    """The built-in functions with the least and the most arguments of each; -1 is any number."""
    text = (files("recombine.languages.sparql") / "built_in_functions.toml").read_text(encoding="utf-8")
    return {name: (least, most) for name, (least, most) in tomllib.loads(text).items()}


def iter_tokens(reading: Reading) -> Iterator[Token]:
    """The tokens of a query but for space and comments; brackets more than `MAX_DEPTH` deep are refused."""
    text, match_at = reading.text, _TOKEN.match
    at, end = reading.begin, reading.end
    brackets: list[str] = []
    before = ""
    unary = 0
    declaring: str | None = None
    known_functions = functions()
    while at < end:
        match = match_at(text, at, end)
        if match is None:
            raise _no_token(text, at)
        kind, start, at = match.lastgroup or "", at, match.end()
        value = match[0]
        if kind == "SPACE":
            continue
        if kind == "VARIABLE":
            value = "?" + value[1:]
        elif kind == "NAME":
            if before == "_PREFIX":
                kind, declaring = "_NAMESPACE", value
            else:
                kind, value = "IRI", _expanded(reading, value, start)
        elif kind == "IRI":
            if brackets and brackets[-1] == "(" and before in _OPERANDS and ":" not in value and not reading.base:
                kind, value, at = "COMPARISON", "<", start + 1
                if text.startswith("=", at):
                    value, at = "<=", at + 1
            else:
                value = _absolute(reading, value, start)
                if before in ("_NAMESPACE", "_BASE"):
                    kind = "_DECLARED"
                    _declare(reading, declaring if before == "_NAMESPACE" else None, value, start)
        elif kind == "WORD":
            kind, value = _word(reading, value, start, known_functions)
        elif kind == "SIGN":
            kind = _SIGNS[value]
            if value in "{([":
                brackets.append(value)
                if len(brackets) > MAX_DEPTH:
                    raise too_deep(NAME, start)
            elif value in "})]":
                if brackets:
                    brackets.pop()
            elif value in "!-+":
                unary = unary + 1 if before == kind else 1
                if unary > MAX_DEPTH:
                    raise too_deep(NAME, start)
        elif kind == "NUMBER":
            if value[0] in "+-":
                kind = "SIGNED"
            elif value.isdigit():
                kind = "INTEGER"
        elif kind == "STRING":
            value = _quoted(value, start)
        elif kind == "BLANK":
            value = reading.blank(value)
        before = kind
        yield Token(kind, value, start)


def token_text(reading: Reading, start: int) -> str:
    """The text of the token that begins at a place."""
    match = _TOKEN.match(reading.text, start, reading.end)
    return match[0] if match else reading.text[start : start + 1]


def _no_token(text: str, at: int) -> ProgramError:
    if text[at] in "\"'":
        return ProgramError(NAME, at, "a string that does not end", f"close it with {text[at]}")
    return ProgramError(NAME, at, f"{text[at]!r} begins nothing that SPARQL has", "remove it")


def _word(reading: Reading, word: str, start: int, known_functions: dict[str, tuple[int, int]]) -> tuple[str, str]:
    """The grammar's name and the meaning of a word, which is known in any case but for `a`."""
    if word == "a":
        return "A", RDF_TYPE
    upper = word.upper()
    kind = _WORDS.get(upper)
    if kind is not None:
        if kind == "BOOLEAN":
            return kind, upper.lower()
        if kind in ("_OR", "_AND"):
            reading.lenient(upper.lower())
        elif kind in ("COUNT", "AGGREGATE", "GROUP_CONCAT"):
            reading.aggregates = True
        return kind, upper
    if upper in known_functions:
        return "FUNCTION", upper
    if word in _PLACEHOLDERS:
        reading.lenient("placeholder")
        return _PLACEHOLDERS[word], word
    if upper in _NOT_READ:
        raise NotReadError(NAME, start, f"{upper} is not read", "queries are SELECT or ASK")
    if _OPENING.match(reading.text, start + len(word)):
        raise ProgramError(NAME, start, f"{word!r} is no function of SPARQL", "write one of another kind as <iri>(…)")
    raise ProgramError(NAME, start, f"{word!r} is no word of SPARQL", "write a variable as ?name, an entity as <iri>")


def _expanded(reading: Reading, name: str, start: int) -> str:
    """A prefixed name as a whole IRI."""
    prefix, _, local = name.partition(":")
    iri = reading.declared.get(prefix)
    if iri is None:
        iri = reading.known.get(prefix)
        if iri is None:
            remedy = f"declare it: PREFIX {prefix}: <http://…>"
            raise ProgramError(NAME, start, f"the prefix {prefix + ':'!r} is not declared and not well known", remedy)
        reading.lenient("undeclared_prefix")
    if local.count(".") > 1:
        reading.lenient("dotted_name")
    if _NOT_ESCAPED.search(local):
        reading.lenient("loose_name")
    if "\\" in local:
        local = re.sub(r"\\(.)", r"\1", local)
    if local == "datetime" and iri == _XSD:
        reading.lenient("datetime")
        local = "dateTime"
    return f"<{iri}{local}>"


def _absolute(reading: Reading, iri: str, start: int) -> str:
    """An IRI in brackets without escapes, joined to the base where it is relative."""
    if "\\" in iri:
        try:
            iri = f"<{_ESCAPES.sub(_unescaped, iri[1:-1])}>"
        except (ValueError, OverflowError):
            iri = "< >"
        if _IN_NO_IRI.search(iri, 1, len(iri) - 1):
            raise ProgramError(NAME, start, "an escape in an IRI stands for a character that no IRI has", "remove it")
    if ":" in iri:
        return iri
    if not reading.base:
        raise ProgramError(NAME, start, f"the IRI {iri} is relative and there is no BASE", "write it in full")
    return f"<{urljoin(reading.base, iri[1:-1])}>"


def _declare(reading: Reading, namespace: str | None, iri: str, start: int) -> None:
    if namespace is None:
        reading.base = iri[1:-1]
        return
    prefix, _, local = namespace.partition(":")
    if local:
        raise ProgramError(
            NAME, start, f"PREFIX is followed by {namespace!r}", f"end the prefix with its colon: {prefix}:"
        )
    reading.declared[prefix] = iri[1:-1]


def _quoted(text: str, start: int) -> str:
    """A string in double quotes, with those escapes alone that it needs."""
    width = 3 if text[:3] in ('"""', "'''") and len(text) > 5 else 1
    inner = text[width:-width]
    if "\\" in inner:
        try:
            inner = _ESCAPES.sub(_unescaped, inner)
        except (KeyError, ValueError, OverflowError):
            raise ProgramError(NAME, start, "a string with an escape that SPARQL does not have", _BACKSLASH) from None
    return quoted(inner)


def quoted(text: str) -> str:
    """A text as a string of SPARQL.

    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    return f'"{_TO_ESCAPE.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    return {"\n": "\\n", "\r": "\\r"}.get(match[0], "\\" + match[0])


def _unescaped(match: re.Match[str]) -> str:
    letter = match[1]
    if letter is not None:
        return _ESCAPED[letter]
    character = chr(int(match[0][2:], 16))
    if "\ud800" <= character <= "\udfff":
        raise ValueError(character)
    return character
