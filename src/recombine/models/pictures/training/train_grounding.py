"""The second stage trained: one reader, or several of a stack, such as one for each fold of scenes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.training.grounding_program import GroundingProgram
from recombine.models.pictures.training.loop import Loop, Progress, train_stack
from recombine.models.pictures.training.schedule import Schedule
from recombine.models.pictures.training.stack import Replica, Stack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.picture_settings import PictureSettings

    Ints = NDArray[np.int64]


@dataclass
class Grounding:
    """Trained readers, and what they make of descriptions."""

    stack: Stack
    program: GroundingProgram
    progress: Progress

    def weights_of(self, replica: int = 0) -> dict[str, Tensor]:
        """The weights of one reader, in 32 bits: (1, …) each."""
        return self.stack.weights_of(replica)

    def judge(self, rows: Sequence[Ints]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """For the rows of each reader: probabilities of nouns and regions (n, P, R), and of presence (n,)."""
        return self.program.judge(self.stack.parameters.weights, rows)


def train_grounding(
    features: NDArray[np.float16],
    pictures: PictureArrays,
    grounding: GroundingArrays,
    settings: PictureSettings,
    *,
    words: int,
    replicas: Sequence[Replica] | None = None,
    seed: int = 0,
    device: str = "cpu",
    loop: Loop | None = None,
    name: str = "grounding",
) -> Grounding | None:
    """Train readers on descriptions of pictures with these features; none where time was over.

    Without replicas there is one of this seed, whose dev part is the descriptions of one picture of fifty.
    """
    program = GroundingProgram(settings, PictureTables(features, pictures, device=device), grounding, words, device)
    made = replicas or [one_reader(grounding, seed)]
    stack = Stack(program, Schedule.of_grounding(settings), made, device=device)
    progress = train_stack(loop or Loop(), name, stack, curve=settings.curve, patience=settings.patience)
    return None if progress is None else Grounding(stack, program, progress)


def one_reader(grounding: GroundingArrays, seed: int) -> Replica:
    """A replica whose dev part has pictures of its own: every fiftieth."""
    dev = grounding.picture % 50 == 49
    return Replica("grounding", seed, np.flatnonzero(~dev), np.flatnonzero(dev))
