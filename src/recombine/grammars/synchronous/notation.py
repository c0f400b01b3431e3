"""The notation of synchronous grammars (`.scfg` files), read and written.

    # rules are written as in grammar files: name, weight where there is one, symbol, source, target
    %start <S>
    %nest <N> 2                                  at most two N on any way down from the root
    %longest 40                                  at most 40 words in a target, those of a lexical rule counted as one
    %lexical <N> <V>                             symbols that only choose between words; several lines add up
    some @3: <S> -> there is <N> => exists ( <N> )
    all:     <S> -> all <N:1> <V> <N:2> => all ( <N:1> , <V> ( <N:2> ) )
    thing:   <N-thing> -> thing => scene ( )     <N-thing> is a variety of <N>

A name after the first `-` of a symbol makes it a variety. Every symbol of a rule occurs once in its source and once in
its target; `~` and interpretation rules are not allowed here. A mistake is a `GrammarError` with line and column.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.errors import GrammarError
from recombine.files import read_text
from recombine.grammars.synchronous.limits import refine, variety_of
from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
from recombine.grammars.terms.notation import read_statements
from recombine.grammars.terms.read_grammar import parse_grammar
from recombine.grammars.terms.rule import Ref

if TYPE_CHECKING:
    from recombine.grammars.terms.grammar import Grammar
    from recombine.grammars.terms.notation import Statements
    from recombine.grammars.terms.rule import Rule, Side

SUFFIX = ".scfg"
_DIRECTIVE = re.compile(r"[ \t]*(%nest|%longest|%lexical)(?=\s|$)([^#]*)")
_NAME = re.compile(r"<([A-Za-z_][A-Za-z0-9_]*)>")
_PLAIN_WORD = re.compile(r'(?!->|=>|=$)[^\s<>\[\]~"#]+')


def read_synchronous(path: Path | str) -> SynchronousGrammar:
    """The grammar in a file."""
    return parse_synchronous(read_text(path), path=path)


def packaged_synchronous(name: str) -> SynchronousGrammar:
    """A grammar that comes with the package, such as `covr`.

    >>> covr = packaged_synchronous("covr")
    >>> covr.pair(covr.parse("count ( find ( dog ) )"))[0]
    'what is the number of dog ?'
    """
    return read_synchronous(Path(__file__).parent.parent / "library" / f"{name}{SUFFIX}")


def parse_synchronous(text: str, *, path: Path | str = "<grammar>") -> SynchronousGrammar:
    """The grammar in a text."""
    directives: list[_Directive] = []
    rest = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = _DIRECTIVE.match(line)
        rest.append("" if match else line)
        if match:
            directives.append(_Directive(path, number, match))
    statements = read_statements("\n".join(rest), path)
    _check_context_free(statements)
    plain = parse_grammar("\n".join(rest), path=path)
    known = {variety_of(symbol) for symbol in plain.by_lhs}
    limits: dict[str, int] = {}
    lexical: set[str] = set()
    longest: int | None = None
    for directive in directives:
        if directive.word == "%nest":
            directive.add_limit(limits, known)
        elif directive.word == "%lexical":
            directive.add_lexical(lexical, known)
        else:
            longest = directive.read_longest(longest)
    if refine(plain, limits) is None:
        last = next(d for d in reversed(directives) if d.word == "%nest")
        raise GrammarError(path, last.line, last.column, "the limits leave no derivation", "raise one of them")
    _check_links(plain, statements)
    return SynchronousGrammar(plain, dict(sorted(limits.items())), frozenset(lexical), longest)


class _Directive:
    """A line that is not a rule: its word, what follows, and where."""

    def __init__(self, path: Path | str, line: int, match: re.Match[str]) -> None:
        self.path, self.line, self.column = path, line, match.start(1) + 1
        self.word = match[1]
        self.rest = [(piece[0], match.start(2) + piece.start() + 1) for piece in re.finditer(r"\S+", match[2])]

    def _fail(self, column: int, problem: str, remedy: str) -> GrammarError:
        return GrammarError(self.path, self.line, column, problem, remedy)

    def _symbol(self, piece: str, column: int, known: set[str]) -> str:
        name = _NAME.fullmatch(piece)
        if name is None:
            raise self._fail(column, f"found {piece!r}", "expected a symbol such as <S>, without a variety")
        if name[1] not in known:
            raise self._fail(column, f"undefined symbol <{name[1]}>", f"add a rule `name: <{name[1]}> -> …`")
        return name[1]

    def add_limit(self, limits: dict[str, int], known: set[str]) -> None:
        """Read `%nest <S> 2`."""
        if len(self.rest) != 2:
            raise self._fail(self.column, "%nest takes a symbol and a number", "write for example %nest <S> 2")
        (piece, column), (number, place) = self.rest
        name = self._symbol(piece, column, known)
        if name in limits:
            raise self._fail(column, f"a second limit for <{name}>", "keep one")
        limits[name] = self._number(number, place)

    def _number(self, text: str, column: int) -> int:
        if not (text.isascii() and text.isdigit() and int(text) > 0):
            raise self._fail(column, f"the limit is {text!r}", "give a whole number of 1 or more")
        return int(text)

    def read_longest(self, before: int | None) -> int:
        """Read `%longest 40`."""
        if len(self.rest) != 1:
            raise self._fail(self.column, "%longest takes a number", "write for example %longest 40")
        if before is not None:
            raise self._fail(self.column, "a second %longest", "keep one")
        return self._number(*self.rest[0])

    def add_lexical(self, lexical: set[str], known: set[str]) -> None:
        """Read `%lexical <S> <T>`."""
        if not self.rest:
            raise self._fail(self.column, "%lexical takes symbols", "write for example %lexical <S> <T>")
        for piece, column in self.rest:
            name = self._symbol(piece, column, known)
            if name in lexical:
                raise self._fail(column, f"<{name}> is lexical already", "name it once")
            lexical.add(name)


def _check_context_free(statements: Statements) -> None:
    """Refuse interpretation rules, divided phrases and rules without a target, each at its place."""
    for interpretation in statements.interpretations:
        raise GrammarError(
            statements.path,
            interpretation.line,
            interpretation.column,
            "an interpretation rule in a synchronous grammar",
            "give targets with `=>`",
        )
    for rule in statements.rules:
        if len(rule.source) > 1 or (rule.target is not None and len(rule.target) > 1):
            problem, remedy = "a divided phrase in a synchronous grammar", "write the rule without ~"
            raise GrammarError(statements.path, rule.line, rule.column, problem, remedy)


def _check_links(plain: Grammar, statements: Statements) -> None:
    """Refuse targets that drop or copy a symbol."""
    for statement in statements.rules:
        rule = plain.rules[statement.name]
        used = [e.child for e in (rule.target or ((),))[0] if isinstance(e, Ref)]
        for place, child in enumerate(rule.children):
            if used.count(place) != 1:
                times = "is not in" if place not in used else "stands twice in"
                raise GrammarError(
                    statements.path,
                    statement.line,
                    statement.column,
                    f"<{child}> {times} the target",
                    "use every symbol of the source once in the target",
                )


def render_synchronous(grammar: SynchronousGrammar) -> str:
    """The text of a grammar, without comments; reading it gives the grammar back.

    >>> print(render_synchronous(parse_synchronous("%start <S>\\na @2: <S> -> x => y [ ]".replace("[ ]", '"[" "]"'))))
    %start <S>
    a @2.0: <S> -> x => y "[" "]"
    <BLANKLINE>
    """
    lines = [f"%start <{grammar.plain.start}>"]
    lines += [f"%nest <{name}> {limit}" for name, limit in sorted(grammar.limits.items())]
    if grammar.longest is not None:
        lines.append(f"%longest {grammar.longest}")
    if grammar.lexical:
        lines.append("%lexical " + " ".join(f"<{name}>" for name in sorted(grammar.lexical)))
    lines += [_rule_line(rule) for rule in grammar.plain.rules.values()]
    return "\n".join(lines) + "\n"


def _rule_line(rule: Rule) -> str:
    weight = "" if rule.weight == 1 else f" @{Decimal(repr(rule.weight)):f}"
    target = _side(rule, rule.target or ((),))
    return " ".join(f"{rule.name}{weight}: <{rule.lhs}> -> {_side(rule, rule.source)} => {target}".split())


def _side(rule: Rule, side: Side) -> str:
    texts = []
    for element in side[0]:
        if isinstance(element, Ref):
            name = rule.children[element.child]
            number = f":{element.child + 1}" if rule.children.count(name) > 1 else ""
            texts.append(f"<{name}{number}>")
        else:
            plain = _PLAIN_WORD.fullmatch(element) and not element.startswith("%start")
            texts.append(element if plain else orjson.dumps(element).decode())
    return " ".join(texts)
