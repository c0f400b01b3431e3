"""The third stage trained: a stack of models that answer questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.training.loop import Loop, Progress, train_stack
from recombine.models.pictures.training.question_program import QuestionProgram
from recombine.models.pictures.training.schedule import Schedule
from recombine.models.pictures.training.stack import Replica, Stack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.arrays.question_arrays import QuestionArrays
    from recombine.models.pictures.picture_settings import PictureSettings

    Ints = NDArray[np.int64]


@dataclass
class QuestionStack:
    """Trained models of one stack."""

    stack: Stack
    program: QuestionProgram
    progress: Progress
    outside: list[int]
    """Of each replica: train questions whose answer the classifier does not have; they were left out."""

    def answer(self, rows: Sequence[Ints]) -> list[NDArray[np.int16]]:
        """The answer of each replica to each of its rows."""
        return self.program.answers_to(self.stack.parameters.weights, rows)

    def weights_of(self, replica: int = 0) -> dict[str, Tensor]:
        """The weights of one model, in 32 bits: (1, …) each."""
        return self.stack.weights_of(replica)


def train_questions(
    features: NDArray[np.float16],
    pictures: PictureArrays,
    questions: QuestionArrays,
    settings: PictureSettings,
    *,
    words: int,
    answers: int,
    replicas: Sequence[Replica],
    start: Mapping[str, Tensor] | None = None,
    device: str = "cpu",
    loop: Loop | None = None,
    name: str = "questions",
) -> QuestionStack | None:
    """Train models on their rows of the questions, from the weights of a reader; none where time was over."""
    if settings.grounds and start is None:
        raise OptionError(f"the variant {settings.variant} without grounding", "train the second stage first")
    tables = PictureTables(features, pictures, device=device, looks=settings.looks)
    program = QuestionProgram(settings, tables, questions, words, answers, device)
    known = [each.train[program.answer[each.train] >= 0] for each in replicas]
    made = [Replica(each.name, each.seed, rows, each.dev) for each, rows in zip(replicas, known, strict=True)]
    begin = start if settings.grounds else None
    stack = Stack(program, Schedule.of_questions(settings), made, device=device, start=begin)
    progress = train_stack(loop or Loop(), name, stack, curve=settings.curve, patience=settings.patience)
    if progress is None:
        return None
    outside = [len(each.train) - len(rows) for each, rows in zip(replicas, known, strict=True)]
    return QuestionStack(stack, program, progress, outside)
