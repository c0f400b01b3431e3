"""What is refused at entry, with the reason: an answer that is no answer, brackets that were lost or added, a copy.

Texts are compared as copies without regard to case, spaces and the mark at the end.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

from recombine.errors import RefusedAnswerError
from recombine.kb.tasks.task_line import bracketed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from recombine.annotation.tasks.task import Asked, Refuse, Task


def check_answer(task: Task, show: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as it is stored, its fields in their order; `RefusedAnswerError` where it is refused."""
    for name in answer:
        if name not in {asked.name for asked in task.ask}:
            raise RefusedAnswerError(
                str(name)[:60], "unknown_field", f"{str(name)[:60]!r} is not asked", "leave it out"
            )
    given = {asked.name: _value(asked, show, answer.get(asked.name)) for asked in task.ask}
    for rule in task.refuse:
        check_text(rule, show, given[rule.field])
    return given


def check_text(rule: Refuse, show: Mapping[str, Any], text: str) -> None:
    """Refuse a text whose brackets are not as they must be, or that copies what is shown."""
    if rule.brackets or rule.brackets_of is not None:
        _check_brackets(rule, show, text)
    for name in rule.copies_of:
        if as_compared(text) == as_compared(str(show.get(name, ""))):
            raise RefusedAnswerError(rule.field, "copy_of_shown", "this is the text that is shown", "use other words")


def check_copies(rule: Refuse, text: str, accepted: Collection[str], pending: Collection[str]) -> None:
    """Refuse a copy of a text that was accepted, or is being judged, for the same item; both as compared."""
    if rule.accepted and as_compared(text) in accepted:
        raise RefusedAnswerError(rule.field, "copy_of_accepted", "somebody wrote this already", "use other words")
    if rule.pending and as_compared(text) in pending:
        raise RefusedAnswerError(rule.field, "copy_of_pending", "somebody wrote this already", "use other words")


def as_compared(text: str) -> str:
    """A text as copies are compared.

    >>> as_compared("Who  wrote [Jaws] ?") == as_compared("who wrote [jaws]")
    True
    """
    return " ".join(text.casefold().rstrip(" .?!").split())


def _check_brackets(rule: Refuse, show: Mapping[str, Any], text: str) -> None:
    parts = bracketed(text)
    if parts is None:
        problem = "brackets do not come in pairs"
        raise RefusedAnswerError(rule.field, "brackets_unbalanced", problem, "write each name as [name]")
    if rule.brackets_of is None:
        return
    wanted, given = Counter(bracketed(str(show.get(rule.brackets_of, ""))) or ()), Counter(parts)
    if lost := sorted((wanted - given).elements()):
        problem = f"[{lost[0]}] is lost"
        raise RefusedAnswerError(rule.field, "brackets_lost", problem, "keep all parts in brackets exactly as they are")
    if added := sorted((given - wanted).elements()):
        problem = f"[{added[0]}] is not in the original"
        raise RefusedAnswerError(rule.field, "brackets_added", problem, "put nothing else in brackets")


def _value(asked: Asked, show: Mapping[str, Any], value: Any) -> Any:
    """The value of a field, checked."""
    if asked.kind == "several":
        return _several(asked, show, value)
    if value is not None and not isinstance(value, str):
        raise RefusedAnswerError(asked.name, "not_text", "this is no text", "answer with a text")
    text = " ".join((value or "").split())
    if not text:
        if asked.may_be_empty:
            return ""
        raise RefusedAnswerError(asked.name, "missing", f"{asked.label!r} is not answered", "answer it")
    if asked.kind == "text":
        return _text(asked, text)
    if text not in asked.options_of(dict(show)):
        options = ", ".join(asked.options_of(dict(show)))
        raise RefusedAnswerError(asked.name, "not_an_option", f"{text[:60]!r} cannot be chosen", f"choose of {options}")
    return text


def _text(asked: Asked, text: str) -> str:
    if len(text) > asked.longest:
        problem = f"it has {len(text):,} characters"
        raise RefusedAnswerError(asked.name, "too_long", problem, f"use {asked.longest:,} at most")
    if any(unicodedata.category(each) in ("Cc", "Cs") for each in text):
        raise RefusedAnswerError(asked.name, "not_text", "it has characters that are no text", "type it again")
    return text


def _several(asked: Asked, show: Mapping[str, Any], value: Any) -> list[str]:
    """The options that were chosen, in their order, each once."""
    chosen = [value] if isinstance(value, str) else list(value or ())
    options = asked.options_of(dict(show))
    for each in chosen:
        if each not in options:
            raise RefusedAnswerError(
                asked.name, "not_an_option", f"{str(each)[:60]!r} cannot be chosen", "choose others"
            )
    if not chosen and not asked.may_be_empty:
        raise RefusedAnswerError(asked.name, "missing", f"{asked.label!r} is not answered", "choose at least one")
    return [each for each in dict.fromkeys(options) if each in chosen]
