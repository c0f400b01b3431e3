"""A notation as code needs it: what a language file says, checked and compiled.

It holds plain values and patterns alone, so that it travels to other processes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.languages.arities import Arity
    from recombine.languages.notation.notation_file import CommentTable, NotationFile, QuotesTable

LOOSEST = 0


@dataclass(frozen=True)
class Bracket:
    """A pair of brackets; `mark` is what it adds to the label of a call or of a list with a head."""

    open: str
    close: str
    after_name: str | None
    alone: str | None
    separators: tuple[str, ...]
    mark: str = ""
    head_mark: str = ""

    @property
    def pair(self) -> str:
        """Both signs: the label of what has no name."""
        return self.open + self.close


@dataclass(frozen=True)
class Operator:
    """A sign; a larger `binds` binds tighter."""

    sign: str
    binds: int
    associates: str = "left"


@dataclass(frozen=True)
class Notation:
    """What the reader, the writer and the normaliser of a language file need to know."""

    name: str
    separators: tuple[str, ...]
    brackets: tuple[Bracket, ...]
    opening: Mapping[str, Bracket]
    closing: frozenset[str]
    infix: Mapping[str, Operator]
    prefix: Mapping[str, Operator]
    postfix: Mapping[str, Operator]
    named: tuple[str, ...]
    joined: bool
    folded: bool
    """Whether the case of words does not matter."""
    spaced: bool
    sequence: str
    """The label of several statements; empty where a program is one expression."""
    statement_ends: tuple[str, ...]
    command: bool
    functions: Mapping[str, Arity]
    commutative: frozenset[str]
    associative: frozenset[str]
    idempotent: frozenset[str]
    strings: tuple[re.Pattern[str], ...]
    """What stands in quotes that hold strings."""
    literals: Mapping[str, re.Pattern[str]]
    names: Mapping[str, re.Pattern[str]]
    # What the scanner matches, at a place.
    blanks: re.Pattern[str] = field(repr=False)
    blanks_of_a_line: re.Pattern[str] = field(repr=False)
    unclosed_comment: re.Pattern[str] | None = field(repr=False)
    quoted: tuple[tuple[str, re.Pattern[str]], ...] = field(repr=False)
    sign: re.Pattern[str] = field(repr=False)
    word: re.Pattern[str] = field(repr=False)
    values: tuple[re.Pattern[str], ...] = field(repr=False)
    """The literals that signs would take apart; empty where there are no signs inside expressions."""
    reserved: re.Pattern[str] = field(repr=False)
    """What no literal may hold: brackets, quotes, blanks."""

    @property
    def calls(self) -> Bracket | None:
        """The bracket that a call without a mark has."""
        return next((each for each in self.brackets if each.after_name == "call"), None)

    @property
    def heads(self) -> Bracket | None:
        """The bracket that a list with a head and no mark has."""
        return next((each for each in self.brackets if each.alone == "head"), None)

    @property
    def group(self) -> Bracket | None:
        """The bracket that only groups."""
        return next((each for each in self.brackets if each.alone == "group"), None)

    @property
    def touching(self) -> bool:
        """Whether a call is written without a blank after its name: elsewhere a bracket begins a part of its own."""
        return self.command or any(not each.separators for each in self.brackets)


def compile_notation(file: NotationFile, functions: Mapping[str, Arity]) -> Notation:
    """The notation of a language file that was checked."""
    brackets = _brackets(file)
    ends = () if file.statements is None else tuple(file.statements.separators)
    operators = _operators(file)
    fold = re.IGNORECASE if file.case_insensitive else re.NOFLAG
    literals = {kind: _any_of(patterns, fold) for kind, patterns in file.literals.items() if patterns}
    quotes = [(each, _quoted(each)) for each in file.quotes]
    return Notation(
        name=file.name,
        separators=tuple(file.separators),
        brackets=brackets,
        opening={each.open: each for each in brackets},
        closing=frozenset(each.close for each in brackets),
        infix=operators["infix"],
        prefix=operators["prefix"],
        postfix=operators["postfix"],
        named=tuple(file.named_arguments),
        joined=file.words == "joined",
        folded=file.case_insensitive,
        spaced=file.spaced,
        sequence=next((end for end in (*ends, ";") if end != "\n"), "") if ends else "",
        statement_ends=ends,
        command=file.statements is not None and file.statements.command,
        functions=functions,
        commutative=_labels(file, file.normalise.commutative),
        associative=_labels(file, file.normalise.associative),
        idempotent=_labels(file, file.normalise.idempotent),
        strings=tuple(pattern for each, pattern in quotes if each.holds == "string"),
        literals=literals,
        names={kind: _any_of(patterns, fold) for kind, patterns in file.names.items() if patterns},
        values=tuple(literals.values()) if _has_signs_inside(file, operators) else (),
        quoted=tuple((each.open, pattern) for each, pattern in quotes),
        **_patterns(file, ends),
    )


def _patterns(file: NotationFile, ends: tuple[str, ...]) -> dict[str, Any]:
    """What the scanner matches beside quotes and literals."""
    signs = _signs(file, ends)
    comments = "|".join(map(_comment, file.comments))
    unclosed = "|".join(re.escape(each.open) for each in file.comments if each.close != "\n")
    opening = [each.open for each in file.quotes]
    reserved = [*(sign for each in file.brackets for sign in (each.open, each.close)), *opening]
    return {
        "blanks": _blanks(r"\s+", comments),
        "blanks_of_a_line": _blanks(r"[^\S\n]+" if "\n" in ends else r"\s+", comments),
        "unclosed_comment": re.compile(unclosed) if unclosed else None,
        "sign": re.compile("|".join(map(re.escape, sorted(signs, key=len, reverse=True))) or r"(?!)"),
        "word": _word([*signs, *opening, *(each.open for each in file.comments)], file.word_signs),
        "reserved": re.compile("|".join([r"\s", *map(re.escape, reserved)])),
    }


def _operators(file: NotationFile) -> dict[str, dict[str, Operator]]:
    tables: dict[str, dict[str, Operator]] = {"infix": {}, "prefix": {}, "postfix": {}}
    for place, table in enumerate(file.operators):
        for sign in _labels(file, table.signs):
            tables[table.position][sign] = Operator(sign, len(file.operators) - place, table.associates)
    return tables


def _has_signs_inside(file: NotationFile, operators: Mapping[str, Mapping[str, Operator]]) -> bool:
    """Whether there are signs that a literal may hold too."""
    return bool(file.named_arguments) or any(not is_word(sign) for table in operators.values() for sign in table)


def _brackets(file: NotationFile) -> tuple[Bracket, ...]:
    """The brackets with their marks: the first that calls has none, and neither has the first with a head."""
    made: list[Bracket] = []
    called = headed = False
    for table in file.brackets:
        default = [] if table.alone == "head" else file.separators
        pair = table.open + table.close
        calls, heads = table.after_name == "call", table.alone == "head"
        made.append(
            Bracket(
                table.open,
                table.close,
                table.after_name,
                table.alone,
                tuple(default if table.separators is None else table.separators),
                pair if calls and called else "",
                pair if heads and headed else "",
            )
        )
        called, headed = called or calls, headed or heads
    return tuple(made)


def _labels(file: NotationFile, names: list[str]) -> frozenset[str]:
    return frozenset(name.lower() if file.case_insensitive else name for name in names)


def is_word(sign: str) -> bool:
    """Whether an operator is a word and not a sign."""
    return sign[0].isalnum() or sign[0] == "_"


def _signs(file: NotationFile, ends: tuple[str, ...]) -> list[str]:
    """All signs that are no words."""
    signs = [sign for each in file.brackets for sign in (each.open, each.close)]
    signs += [*file.separators, *file.named_arguments, *ends]
    signs += [sign for each in file.brackets for sign in each.separators or []]
    signs += [sign for table in file.operators for sign in table.signs if not is_word(sign)]
    return list(dict.fromkeys(signs))


def _quoted(quotes: QuotesTable) -> re.Pattern[str]:
    end, escape = re.escape(quotes.close or quotes.open), re.escape(quotes.escape)
    inside = [f"{escape}."] if escape else []
    inside += [end * 2] if quotes.doubled else []
    inside.append(f"(?!{end}{'|' + escape if escape else ''}).")
    return re.compile(f"(?s:{re.escape(quotes.open)}(?:{'|'.join(inside)})*{end})")


def _comment(comment: CommentTable) -> str:
    opening = re.escape(comment.open)
    return f"{opening}[^\\n]*" if comment.close == "\n" else f"{opening}(?s:.*?){re.escape(comment.close)}"


def _blanks(blank: str, comments: str) -> re.Pattern[str]:
    return re.compile(f"(?:{blank}|{comments})*" if comments else f"(?:{blank})?")


def _any_of(patterns: list[str], flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), flags)


def _word(special: list[str], inside: str) -> re.Pattern[str]:
    """A run of what is no blank and begins no sign; the characters of `inside` may stand after its first."""
    if all(len(sign) == 1 for sign in special):
        none = "".join(map(re.escape, special))
        first, more = f"[^\\s{none}]", "".join(re.escape(sign) for sign in special if sign not in inside)
        return re.compile(f"{first}[^\\s{more}]*")
    ahead = "|".join(map(re.escape, sorted(special, key=len, reverse=True)))
    plain = f"(?!{ahead})\\S"
    return re.compile(f"{plain}(?:{plain}|[{re.escape(inside)}])*" if inside else f"(?:{plain})+")
