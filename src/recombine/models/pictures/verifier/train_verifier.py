"""A verifier trained in folds by scene, one reader each, stacked (COVR, App. B)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.training.loop import Loop, train_stack
from recombine.models.pictures.training.schedule import Schedule
from recombine.models.pictures.training.stack import Replica, Stack
from recombine.models.pictures.verifier.verifier_arrays import FOLDS, LABELLED, LEARNED
from recombine.models.pictures.verifier.verifier_program import VerifierProgram

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.training.loop import Progress
    from recombine.models.pictures.verifier.verifier_arrays import VerifierArrays

SETTINGS = {
    "width": 128,
    "heads": 4,
    "text_layers": 2,
    "region_layers": 3,
    "filter_width": 256,
    "grounding_steps": 2400,
    "grounding_batch": 512,
    "grounding_rate": 1e-3,
    "curve": 200,
}
"""A reader half as wide as that of questions: a picture is judged for each sub-graph that is asked, often on a CPU."""


@dataclass
class TrainedFolds:
    """The readers of all folds, and what they make of pairs."""

    stack: Stack
    program: VerifierProgram
    progress: Progress

    def weights(self) -> list[dict[str, Tensor]]:
        """The weights of each fold's reader: (1, …) each."""
        return [self.stack.weights_of(fold) for fold in range(len(self.stack.replicas))]

    def judge(self, arrays: VerifierArrays) -> NDArray[np.float32]:
        """The presence that each pair gets from the reader that did not see its picture."""
        rows = [np.flatnonzero(arrays.folds == fold) for fold in range(len(self.stack.replicas))]
        given = np.zeros(len(arrays.texts), dtype=np.float32)
        for each, (_, presence) in zip(rows, self.program.judge(self.stack.parameters.weights, rows), strict=True):
            given[each] = presence
        return given


def fold_replicas(arrays: VerifierArrays, seed: int, folds: int = FOLDS) -> list[Replica]:
    """One reader a fold: it learns from pictures of all other folds, and stops by labelled pairs of its own."""
    return [
        Replica(
            f"fold{fold}",
            seed + fold,
            arrays.rows(LEARNED, fold=fold, other_folds=True),
            arrays.rows(LABELLED, fold=fold),
        )
        for fold in range(folds)
    ]


def train_verifier(
    features: NDArray[np.float16],
    arrays: VerifierArrays,
    *,
    settings: PictureSettings | None = None,
    seed: int = 0,
    device: str = "cpu",
    loop: Loop | None = None,
) -> TrainedFolds | None:
    """Train the readers of all folds; none where time was over."""
    settings = settings or PictureSettings.from_dict(SETTINGS)
    tables = PictureTables(features, arrays.pictures, device=device)
    program = VerifierProgram(settings, tables, arrays.texts, len(arrays.words), device)
    stack = Stack(program, Schedule.of_grounding(settings), fold_replicas(arrays, seed), device=device)
    progress = train_stack(loop or Loop(), "verifier", stack, curve=settings.curve, patience=settings.patience)
    return None if progress is None else TrainedFolds(stack, program, progress)
