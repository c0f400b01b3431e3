"""Programs that their language does not read: all are counted, the unsupported apart from the malformed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.errors import NotReadError, ProgramError, RecordError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.languages.language import Language
    from recombine.records.example import Example


def unread_programs(examples: Iterable[Example], language: Language, data: str) -> RecordError:
    """The error of examples of which one at least has a target that the language does not read.

    A record that is the only one is named with the remedy; of several the first are, and all are counted.
    """
    known: dict[str, ProgramError | None] = {}
    counts: Counter[str] = Counter()
    first: list[RecordError] = []
    records = 0
    for example in examples:
        records += 1
        if example.target not in known:
            known[example.target] = refusal(language, example.target)
        error = known[example.target]
        if error is not None:
            reason = unread_reason(error)
            counts[reason] += 1
            if len(first) < UnreadableError.NAMED:
                where = f"line {example.tags['line']}" if "line" in example.tags else f"example {example.id}"
                first.append(RecordError(data, where, error.problem, error.remedy, reason=reason))
    return first[0] if len(first) == 1 else UnreadableError(data, first, counts, records)


def refusal(language: Language, target: str) -> ProgramError | None:
    """Why a language does not read a target; nothing where it does.

    >>> from recombine.languages.known import find_language
    >>> str(refusal(find_language("funql"), "answer ( state"))
    'FunQL program, column 8: a bracket that is not closed; close it'
    """
    try:
        language.parse(target)
    except ProgramError as error:
        return error
    return None


def unread_reason(error: ProgramError) -> str:
    """What programs that are not read are counted under: there may be nothing wrong with them."""
    return "unsupported" if isinstance(error, NotReadError) else "malformed"
