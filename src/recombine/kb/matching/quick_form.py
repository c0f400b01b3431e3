"""Canonical forms straight from text, for scoring many predictions: what `plain_form` says, several times as fast.

A text is cut into words once, and read from its end: arguments lie on a stack before their function comes. A set that
is not yet whole is a list of its conditions, its classes and what is implied of it; steps come from a table that is
filled as relations are met. What is not of the common kind (quotes, joined relations, odd spacing, a word too many) is
left to the plain reader, which also says what is wrong with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from recombine.errors import FormError, ProgramError
from recombine.kb.matching.condition_set import ANYTHING
from recombine.kb.matching.schema_tables import NOTHING

if TYPE_CHECKING:
    from recombine.kb.matching.schema_tables import SchemaTables
    from recombine.kb.matching.words import Words

_MOST_BRACKETS = 64
"""More are left to the plain reader, which knows how deep a program may be."""
_MOST_KEPT = 100_000
"""The tables of words that were met are emptied at so many, so that they stay bounded."""
_PIECE = re.compile(r"\(R [^\s()]+\)|\(\s*[^\s()]+|[^\s()]+|[()]")
_COMMON_WORD = re.compile(r"(?!NOW\Z)[A-Za-z][A-Za-z0-9_./-]*")
"""A word that is no literal and stands for itself in a canonical form."""
_JOIN, _AND, _COUNT, _REVERSED, _SUPERLATIVE, _COMPARISON = range(6)
_FUNCTIONS = {
    "JOIN": _JOIN,
    "AND": _AND,
    "COUNT": _COUNT,
    "R": _REVERSED,
    "ARGMAX": _SUPERLATIVE,
    "ARGMIN": _SUPERLATIVE,
    **dict.fromkeys(("LT", "LE", "GT", "GE", "lt", "le", "gt", "ge"), _COMPARISON),
}
_HEADS = {f"({blank}{name}": (number, name.upper()) for name, number in _FUNCTIONS.items() for blank in ("", " ")}
_Step = tuple[str, frozenset[str], frozenset[str]]
"""`(JOIN relation `, and what is implied of what it leads from and to."""


class _UncommonError(Exception):
    """A text that is left to the plain reader."""


class QuickForms:
    """Canonical forms of texts of the common kind."""

    def __init__(self, tables: SchemaTables, words: Words) -> None:
        self._tables, self._words = tables, words
        profile = words.profile
        self._is_entity = re.compile(profile.entity, re.DOTALL).fullmatch if profile.tells_entities else None
        self._steps: dict[str, _Step] = {}
        self._classes: dict[str, str] = {}
        self._literals: dict[str, str] = {}

    def text(self, text: str) -> str | None:
        """The canonical form of a text; none where the plain reader has to look at it."""
        if '"' in text or text.count("(") > _MOST_BRACKETS:
            return None
        try:
            return self._read(_PIECE.findall(text))
        except (
            _UncommonError,
            ProgramError,
            FormError,
            IndexError,
        ):  # an IndexError is a stack without enough arguments
            return None

    def _read(self, pieces: list[str]) -> str:
        stack: list[Any] = []
        push, pop, steps = stack.append, stack.pop, self._steps
        pieces.reverse()
        for piece in pieces:
            head = _HEADS.get(piece)
            if head is None:
                push(piece)
                continue
            number = head[0]
            first = pop()
            second = pop()
            if number == _JOIN:
                if type(first) is not str:
                    raise _UncommonError
                start, here, there = steps.get(first) or self._step(first)
                second = self._end(second, there) if type(second) is str else self._set_text(second, there)
                push([[f"{start}{second})"], [], [here] if here else []])
            elif number == _AND:
                if type(first) is str:
                    first = self._leaf(first)
                if type(second) is str:
                    second = self._leaf(second)
                first[0] += second[0]
                first[1] += second[1]
                first[2] += second[2]
                push(first)
            else:
                if number in (_COUNT, _REVERSED):
                    if second != ")":
                        raise _UncommonError
                    push(self._of_one(number, first))
                    continue
                push(self._of_two(number, head[1], first, second))
            if pop(-2) != ")":
                raise _UncommonError
        if len(stack) != 1 or type(stack[0]) is str:
            raise _UncommonError
        return self._set_text(stack[0], NOTHING)

    def _of_one(self, number: int, argument: Any) -> Any:
        if number == _COUNT:
            members = self._leaf(argument) if type(argument) is str else argument
            return [[f"(COUNT {self._set_text(members, NOTHING)})"], [], []]
        if type(argument) is not str or argument[0] in "()":
            raise _UncommonError
        return f"(R {argument})"

    def _of_two(self, number: int, name: str, first: Any, second: Any) -> list[list[Any]]:
        if number == _SUPERLATIVE:
            if type(second) is not str:
                raise _UncommonError
            start, here, _ = self._steps.get(second) or self._step(second)
            members = self._leaf(first) if type(first) is str else first
            classes = [NOTHING.union((each,), self._tables.above.get(each, NOTHING)) for each in members[1]]
            implied = [*members[2], here, *classes]
            return [[f"({name} {self._set_text(members, here)} {start[6:-1]})"], [], implied]
        if type(first) is not str or type(second) is not str:
            raise _UncommonError
        start, here, _ = self._steps.get(first) or self._step(first)
        return [[f"{start}({name} {self._literal(second)}))"], [], [here]]

    def _set_text(self, members: list[list[Any]], reached: frozenset[str]) -> str:
        """The text of a set that a step leads to which implies some classes."""
        conditions, classes, implied = members
        for name in classes:
            if name in reached:
                continue
            for known in implied:
                if name in known:
                    break
            else:
                if len(classes) == 1 or not any(name in self._tables.above.get(other, ()) for other in classes):
                    conditions.append(name)
        if len(conditions) == 1:
            return conditions[0]  # type: ignore[no-any-return]
        conditions = sorted(set(conditions))
        if len(conditions) == 1:
            return conditions[0]  # type: ignore[no-any-return]
        return f"(AND {' '.join(conditions)})" if conditions else ANYTHING

    # -- words -------------------------------------------------------------------------------------------------------

    def _step(self, word: str) -> _Step:
        """The step of `relation` or `(R relation)`."""
        inverse = word.startswith("(R ")
        name = word[3:-1] if inverse else word
        if name[0] in "()" or self._words.is_value(name):
            raise _UncommonError
        step = self._tables.step(self._words.name(name), inverse=inverse)
        if step.text in self._tables.type_steps:
            raise _UncommonError
        if len(self._steps) >= _MOST_KEPT:
            self._steps.clear()
        kept = self._steps[word] = (f"(JOIN {step.text} ", step.here, step.there)
        return kept

    def _end(self, word: str, there: frozenset[str]) -> str:
        """The text of a word that a relation leads to."""
        if _COMMON_WORD.fullmatch(word) and (self._is_entity is None or self._is_entity(word)):
            return f"@{word}"
        if word[0] in "()":
            raise _UncommonError
        if self._words.is_value(word):
            return self._literal(word)
        if self._words.is_entity(word, end=True):
            return f"@{self._words.name(word)}"
        name = self._class(word)
        return ANYTHING if name in there else name

    def _leaf(self, word: str) -> list[list[Any]]:
        """The set of a word that no relation leads to."""
        name = self._classes.get(word)
        if name is not None:
            return [[], [name], []]
        if word[0] in "()":
            raise _UncommonError
        if self._words.is_value(word):
            return [[self._literal(word)], [], []]
        if self._words.is_entity(word, end=False):
            return [[f"@{self._words.name(word)}"], [], []]
        return [[], [self._class(word)], []]

    def _class(self, word: str) -> str:
        """The name of a class, which is kept."""
        name = self._words.name(word)
        if len(self._classes) >= _MOST_KEPT:
            self._classes.clear()
        one = self._classes[word] = self._tables.one_class.get(name, name)
        return one

    def _literal(self, word: str) -> str:
        text = self._literals.get(word)
        if text is None:
            if word[0] in "()":
                raise _UncommonError
            if len(self._literals) >= _MOST_KEPT:
                self._literals.clear()
            text = self._literals[word] = self._words.literal(word)
        return text
