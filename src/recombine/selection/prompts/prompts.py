"""Prompts for the questions of any data: what is known of them is what a function says.

Nothing here knows of knowledge bases: `of_example` and `of_question` give what is said beside a question that is
shown, or asked, and the data decides what those are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.selection.prompts.fit_prompt import Fitted, fit_prompt
from recombine.selection.prompts.prompt import BEST_LAST, TURNS, Prompt, check_form
from recombine.selection.prompts.question import Known, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

    Knows = Callable[[Example], Sequence[Known]]


def nothing(_: Example) -> tuple[Known, ...]:
    """What is known of questions of which nothing is known."""
    return ()


def iter_prompts(
    pool: Dataset,
    questions: Iterable[Example],
    shown: Mapping[str, Sequence[str]],
    *,
    instruction: str,
    answers: Mapping[str, str] | None = None,
    of_example: Knows = nothing,
    of_question: Knows = nothing,
    style: str = TURNS,
    order: str = BEST_LAST,
    most: int | None = None,
) -> Iterator[Fitted]:
    """A prompt for each question with the examples of the pool that are shown for it, the best first in `shown`.

    `answers` are those of examples, where they are not their targets; `most` is how many characters a prompt may have.

    >>> from recombine.workbench import load
    >>> pool = load([("jump", "JUMP"), ("run", "RUN")], language="actions")
    >>> asked = load([("jump twice", "JUMP JUMP")], language="actions")
    >>> (made,) = iter_prompts(pool, asked, {asked[0].id: pool.ids[:1]}, instruction="Translate.", style="text")
    >>> print(made.prompt.messages()[0]["content"])
    Translate.
    <BLANKLINE>
    Question: jump
    Answer: JUMP
    <BLANKLINE>
    Question: jump twice
    Answer:
    """
    check_form(style, order)
    made: dict[str, Question] = {}
    for asked in questions:
        for key in shown[asked.id]:
            if key not in made:
                example = pool[key]
                answer = example.target if answers is None else answers[key]
                made[key] = Question(key, example.source, tuple(of_example(example)), answer)
        examples = tuple(made[key] for key in shown[asked.id])
        question = Question(asked.id, asked.source, tuple(of_question(asked)))
        yield fit_prompt(Prompt(instruction, examples, question, style, order), most)
