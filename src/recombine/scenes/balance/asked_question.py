"""A question as a data file has it, with its program as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.balance.answer_class import CHOICES, answer_class, operators_of
from recombine.scenes.balance.leak_table import Guessed
from recombine.scenes.balance.question_form import question_form

if TYPE_CHECKING:
    from recombine.scenes.programs.execute import Value
    from recombine.scenes.subgraph import Subgraph
    from recombine.tree import Tree

TRUTH, CHOICE, NUMBER, OPEN = "true/false", "X or Y", "how many", "open"


class AskedQuestion(NamedTuple):
    """One question."""

    id: str
    source: str
    program: Tree
    answer: Value
    images: tuple[str, ...]
    roles: tuple[str, ...]
    template: str
    subgraph: Subgraph
    part: str
    pair: int | None

    @property
    def kind(self) -> str:
        """What kind of answer is asked for."""
        if isinstance(self.answer, bool):
            return TRUTH
        if self.program.label in CHOICES:
            return CHOICE
        return NUMBER if isinstance(self.answer, int) else OPEN

    @property
    def guessed(self) -> Guessed:
        """What the table of leaks looks at."""
        operators, form = operators_of(self.program), question_form(self.program)
        answer = answer_class(self.program, self.answer)
        return Guessed(self.source, self.template, operators, form, len(self.images), answer, self.subgraph.name)
