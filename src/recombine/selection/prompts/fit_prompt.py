"""A prompt cut to a number of characters: examples go first, the least good one before the others, then what is listed.

What is linked in the question, its text and the instruction are never cut: where they alone are too long, it is an
error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError

if TYPE_CHECKING:
    from recombine.selection.prompts.prompt import Prompt
    from recombine.selection.prompts.question import Question


class Fitted(NamedTuple):
    """A prompt that fits, and how many examples and listed things had to go."""

    prompt: Prompt
    examples_cut: int = 0
    items_cut: int = 0


def fit_prompt(prompt: Prompt, most: int | None) -> Fitted:
    """The prompt with at most so many characters, or as it is where there is no limit."""
    if most is None:
        return Fitted(prompt)
    fitting, examples_cut, items_cut = prompt, 0, 0
    while fitting.length() > most:
        if fitting.shown:
            fitting, examples_cut = replace(fitting, shown=fitting.shown[:-1]), examples_cut + 1
            continue
        shorter = _shorter(fitting.question)
        if shorter is None:
            raise OptionError(
                f"the prompt of {prompt.question.id} has {fitting.length():,} characters without examples and schema",
                f"give a limit above {most:,}, or a shorter instruction",
            )
        fitting, items_cut = replace(fitting, question=shorter), items_cut + 1
    return Fitted(fitting, examples_cut, items_cut)


def _shorter(question: Question) -> Question | None:
    """The question without the last thing of its longest list that may be cut; none where there is no such list."""
    lengths = [0 if known.fixed else len(known.items) for known in question.known]
    if not any(lengths):
        return None
    longest = lengths.index(max(lengths))
    known = [each.shorter() if place == longest else each for place, each in enumerate(question.known)]
    return replace(question, known=tuple(known))
