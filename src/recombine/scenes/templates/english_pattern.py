"""The English of a template: words and slots, each slot in a form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS = ("the", "a", "many", "nouns", "do", "are", "it", "number")
"""In what forms a slot can be said; without one it is said as it is."""
OF_A_SENTENCE = ("nouns", "do")
"""The forms of a sub-graph that is said as a sentence, which it must have a relation for."""
_SLOT = re.compile(r"\{([^{}]*)\}")
_INSIDE = re.compile(
    r"(?:(?P<form>[a-z]+) )?(?P<slot>[A-Z][A-Z0-9-]*)(?: (?P<by>[A-Z][A-Z0-9-]*))?(?::(?P<agree>[^|]*\|[^|]*))?"
)


class Sayable(Protocol):
    """What a slot holds: something that can be said in several forms."""

    def say(self, form: str, number: int | None) -> str:
        """The words of it in a form; with `number`, so many of it."""
        ...

    def is_many(self, form: str) -> bool:
        """Whether a verb of it is `are`."""
        ...


class Said(NamedTuple):
    """A slot in English."""

    form: str
    slot: str
    by: str
    agree: tuple[str, str] | None


class EnglishPattern(NamedTuple):
    """Texts and slots in turn."""

    parts: tuple[str | Said, ...]

    @classmethod
    def of(cls, text: str) -> EnglishPattern:
        """The pattern of a text; raises `ValueError` with the slot that cannot be read."""
        parts: list[str | Said] = []
        for place, piece in enumerate(_SLOT.split(text)):
            if place % 2:
                parts.append(_said(piece))
            elif "{" in piece or "}" in piece:
                raise ValueError(f"a brace in {text!r} that belongs to no slot")
            elif piece:
                parts.append(piece)
        return cls(tuple(parts))

    @property
    def slots(self) -> list[str]:
        """The slots that it uses."""
        said = [part for part in self.parts if isinstance(part, Said)]
        return [name for part in said for name in (part.slot, part.by) if name]

    def say(self, slots: Mapping[str, Sayable]) -> str:
        """The English with slots filled."""
        return "".join(part if isinstance(part, str) else _say(part, slots) for part in self.parts)


def _said(text: str) -> Said:
    match = _INSIDE.fullmatch(text)
    if (
        match is None
        or (match["form"] and match["form"] not in FORMS)
        or bool(match["by"]) != (match["form"] == "number")
    ):
        raise ValueError(
            f"the slot {{{text}}} is not of the form {{SLOT}}, {{{'|'.join(FORMS)} SLOT}} or {{SLOT:is|are}}"
        )
    agree = match["agree"]
    both = None if agree is None else agree.split("|")
    return Said(match["form"] or "", match["slot"], match["by"] or "", None if both is None else (both[0], both[1]))


def _say(said: Said, slots: Mapping[str, Sayable]) -> str:
    value = slots[said.slot]
    if said.agree is not None:
        return said.agree[value.is_many(said.form)]
    if said.by:
        return value.say(said.form, int(slots[said.by].say("", None)))
    return value.say(said.form, None)
