"""What types alone do not say of a language file: signs that cannot be told apart, patterns that are none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.languages.arities import Arity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.languages.notation.notation_file import NotationFile

_KIND = re.compile(r"[a-z][a-z0-9_]*")
_ARITY = re.compile(r"[0-9]{1,4}(?:\+|(?:,[0-9]{1,4})*)")


class KeyFaultError(RecombineError):
    """What is wrong with one key of a language file."""

    def __init__(self, key: str, problem: str, remedy: str) -> None:
        self.key = key
        super().__init__(f"{key}: {problem}", remedy)


def check_notation(file: NotationFile) -> dict[str, Arity]:
    """Refuse what cannot be a notation; how many arguments its functions take."""
    if not file.name.strip() or not file.name.isprintable():
        raise KeyFaultError("name", f"{file.name!r} is no name", "give the name that errors call the language")
    _check_signs(file)
    _check_quotes(file)
    _check_operators(file)
    _check_brackets(file)
    for table, kinds in (("literals", file.literals), ("names", file.names)):
        _check_kinds(table, kinds)
    for name, text in file.functions.items():
        if not _ARITY.fullmatch(text):
            raise KeyFaultError(f"functions.{name}", f"{text!r} is no number of arguments", 'write "2", "2,4" or "2+"')
    return {name.lower() if file.case_insensitive else name: Arity.of(text) for name, text in file.functions.items()}


def _iter_signs(file: NotationFile) -> Iterator[tuple[str, str, str]]:
    """Every sign with its key, and what it is for: only what is for the same may be the same."""
    yield from (("separators", sign, "separator") for sign in file.separators)
    yield from (("named_arguments", sign, "named") for sign in file.named_arguments)
    for number, bracket in enumerate(file.brackets, start=1):
        key = f"[[brackets]] number {number}"
        yield f"{key}, open", bracket.open, f"opening {number}"
        yield f"{key}, close", bracket.close, f"closing {number}"
        yield from ((f"{key}, separators", sign, "separator") for sign in bracket.separators or [])
    for number, quotes in enumerate(file.quotes, start=1):
        yield f"[[quotes]] number {number}, open", quotes.open, f"quotes {number}"
    for number, comment in enumerate(file.comments, start=1):
        yield f"[[comments]] number {number}, open", comment.open, f"comment {number}"
    for number, operators in enumerate(file.operators, start=1):
        yield from ((f"[[operators]] number {number}, signs", sign, "operator") for sign in operators.signs)
    if file.statements is not None:
        yield from (("statements.separators", sign, "statement") for sign in file.statements.separators)


def _check_signs(file: NotationFile) -> None:
    seen: dict[str, tuple[str, str]] = {}
    for key, sign, use in _iter_signs(file):
        if not sign or (any(map(str.isspace, sign)) and (sign, use) != ("\n", "statement")):
            raise KeyFaultError(key, f"{sign!r} is no sign", "give characters without blanks")
        if use != "operator" and any(character.isalnum() or character == "_" for character in sign):
            raise KeyFaultError(key, f"{sign!r} has letters or digits", "give other signs; only operators may be words")
        before, other = seen.setdefault(sign, (use, key))
        if before != use:
            raise KeyFaultError(key, f"{sign!r} stands in {other} too", "use a sign for one thing")
    structural = {sign for _, sign, use in _iter_signs(file) if use != "operator"}
    for character in file.word_signs:
        if character.isspace() or any(character in sign for sign in structural):
            problem = f"{character!r} cannot be part of a word"
            raise KeyFaultError("word_signs", problem, "give characters of operators")
    if file.statements is not None and not file.statements.separators:
        raise KeyFaultError("statements.separators", "there are none", "name one, or leave out [statements]")


def _check_quotes(file: NotationFile) -> None:
    for number, quotes in enumerate(file.quotes, start=1):
        key = f"[[quotes]] number {number}"
        for name, sign in (("close", quotes.close), ("escape", quotes.escape)):
            if any(character.isspace() or character.isalnum() for character in sign):
                raise KeyFaultError(f"{key}, {name}", f"{sign!r} is no sign", "give signs without letters and blanks")
        if quotes.escape and quotes.escape in (quotes.open, quotes.close):
            raise KeyFaultError(f"{key}, escape", "it is the quote itself", "write doubled = true")
    for number, comment in enumerate(file.comments, start=1):
        if not comment.close or (comment.close != "\n" and any(map(str.isspace, comment.close))):
            key = f"[[comments]] number {number}, close"
            raise KeyFaultError(key, f"{comment.close!r} is no sign", "leave it out: a comment ends with its line")


def _check_operators(file: NotationFile) -> None:
    uses: dict[str, set[str]] = {}
    for number, table in enumerate(file.operators, start=1):
        key = f"[[operators]] number {number}, signs"
        for given in table.signs:
            sign = given.lower() if file.case_insensitive else given
            before = uses.setdefault(sign, set())
            if table.position in before or (before and "postfix" in before | {table.position}):
                raise KeyFaultError(key, f"{sign!r} is an operator twice", "only infix and prefix go together")
            before.add(table.position)
            if table.position == "infix" and table.associates == "none" and given in file.normalise.associative:
                problem = f"{sign!r} associates to neither side"
                raise KeyFaultError("normalise.associative", problem, "leave it out, or let it associate")
            letters = [character.isalnum() or character == "_" for character in sign]
            if letters[0] != all(letters) or letters[0] != any(letters):
                raise KeyFaultError(key, f"{sign!r} is neither a word nor a sign", "write letters or signs alone")
    if file.operators and not any(each.alone == "group" for each in file.brackets):
        problem = "no brackets group what they are of"
        raise KeyFaultError("operators", problem, 'add [[brackets]] with alone = "group"')


def _check_brackets(file: NotationFile) -> None:
    for number, bracket in enumerate(file.brackets, start=1):
        key = f"[[brackets]] number {number}"
        if bracket.after_name is None and bracket.alone is None:
            raise KeyFaultError(key, "nothing is said of them", "add after_name, alone or both")
        if bracket.after_name and bracket.alone == "head":
            raise KeyFaultError(f"{key}, alone", "a name stands before and inside of them", "choose one of them")
        given = file.separators if bracket.separators is None else bracket.separators
        if bracket.after_name == "call" and not given and file.words == "joined":
            raise KeyFaultError(f"{key}, separators", "blanks separate and join words", 'write words = "one"')
    if file.statements is not None and file.statements.command and (file.words == "joined" or not file.separators):
        problem = "a command has one word and arguments with separators"
        raise KeyFaultError("statements.command", problem, 'name separators, and write words = "one"')


def _check_kinds(table: str, kinds: Mapping[str, list[str]]) -> None:
    for kind, patterns in kinds.items():
        key = f"{table}.{kind}"
        if not _KIND.fullmatch(kind):
            raise KeyFaultError(key, "is no kind", "name it in small letters, such as number or entity")
        for pattern in patterns:
            try:
                compiled = re.compile(pattern)
            except (re.error, RecursionError, OverflowError) as error:
                raise KeyFaultError(key, f"{pattern!r} is no pattern ({error})", "mend it") from None
            if compiled.fullmatch(""):
                raise KeyFaultError(key, f"{pattern!r} matches nothing at all", "let it match something")
