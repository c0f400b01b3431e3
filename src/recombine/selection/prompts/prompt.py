"""A prompt as messages of a chat: an instruction, examples with their answers, and the question.

As `turns`, the instruction is a message of the system, and each example one of the user with an answer of the
assistant. As `text`, all of it is one message of the user, for models that know no system or for plain completion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from recombine.selection.prompts.question import Question

TURNS, TEXT = STYLES = ("turns", "text")
BEST_LAST, BEST_FIRST = ORDERS = ("best-last", "best-first")
ANSWER = "Answer:"


def check_form(style: str, order: str) -> None:
    """Refuse a style or an order that is not known."""
    for kind, name, known in (("style of prompts", style, STYLES), ("order of examples", order, ORDERS)):
        if name not in known:
            raise UnknownNameError(kind, name, known)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt; the examples that are shown are the best first, whatever the order in which they are shown."""

    instruction: str
    shown: tuple[Question, ...]
    question: Question
    style: str = TURNS
    order: str = BEST_LAST

    @property
    def in_order(self) -> tuple[Question, ...]:
        """The examples as they are shown: the best next to the question, unless it is to be first."""
        return self.shown[::-1] if self.order == BEST_LAST else self.shown

    def messages(self) -> list[dict[str, str]]:
        """The messages.

        >>> from recombine.selection.prompts.question import Question
        >>> shown, asked = Question("e1", "jump", answer="JUMP"), Question("q1", "run")
        >>> [(each["role"], each["content"]) for each in Prompt("Translate.", (shown,), asked).messages()]
        [('system', 'Translate.'), ('user', 'Question: jump'), ('assistant', 'JUMP'), ('user', 'Question: run')]
        """
        if self.style == TEXT:
            blocks = [f"{example.block()}\n{ANSWER} {example.answer}" for example in self.in_order]
            return [_said("user", "\n\n".join([self.instruction, *blocks, f"{self.question.block()}\n{ANSWER}"]))]
        turns = [
            each
            for example in self.in_order
            for each in (_said("user", example.block()), _said("assistant", example.answer))
        ]
        return [_said("system", self.instruction), *turns, _said("user", self.question.block())]

    def length(self) -> int:
        """The number of characters of all messages."""
        return sum(len(message["content"]) for message in self.messages())

    def line(self) -> dict[str, Any]:
        """The prompt as JSON has it; the ids of the examples are in the order in which they are shown."""
        shown = [example.id for example in self.in_order]
        return {"id": self.question.id, "shown": shown, "messages": self.messages()}


def _said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
