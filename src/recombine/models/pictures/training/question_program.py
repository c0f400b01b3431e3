"""The third stage: a question about up to five pictures, and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recombine.models.pictures.nets.grounding_head import grounding_parameters, picture_vectors
from recombine.models.pictures.nets.question_head import answer_scores, question_parameters
from recombine.models.pictures.nets.region_reader import read_regions, region_parameters
from recombine.models.pictures.nets.text_encoder import read_text, text_parameters
from recombine.models.pictures.training.grounding_program import over_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.question_arrays import QuestionArrays
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.nets.picture_tables import PictureTables
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.pictures.training.grounding_program import Compute
    from recombine.models.seq2seq.architectures.parameters import Parameter

    Ints = NDArray[np.int64]

BATCH = {"cuda": 4096, "cpu": 64}
"""Questions answered at once, of all replicas together."""


class QuestionProgram:
    """Questions on the device, and what replicas compute of them."""

    def __init__(
        self,
        settings: PictureSettings,
        tables: PictureTables,
        questions: QuestionArrays,
        words: int,
        answers: int,
        device: str,
    ) -> None:
        self.settings, self.tables, self.words, self.answers = settings, tables, words, answers
        self.device = device
        pictures = np.where(questions.pictures < 0, tables.missing, questions.pictures)
        self._pair = questions.pair.astype(np.int64)
        self.answer = questions.answer.astype(np.int64)
        self._tokens = torch.from_numpy(questions.tokens.astype(np.int64)).to(device)
        self.pictures = torch.from_numpy(pictures.astype(np.int64)).to(device)
        self._number = torch.from_numpy((questions.pictures >= 0).sum(1).astype(np.int64)).to(device)
        self._answer = torch.from_numpy(self.answer).to(device)

    def pair_of(self, rows: Ints) -> Ints | None:
        """Which of the rows are twins."""
        return self._pair[rows]

    def parameters(self) -> list[Parameter]:
        """The weights of one replica; those of the second stage come first."""
        s = self.settings
        before = [*text_parameters(s, self.words), *region_parameters(s), *grounding_parameters(s)]
        return [*before, *question_parameters(s, self.answers)]

    def scores(self, w: Weights, rows: Tensor) -> Tensor:
        """The scores of answers (K, B, A) to the questions of rows (K, B)."""
        s = self.settings
        tokens = self._tokens[rows]
        lengths = (tokens != 0).sum(2)
        features, places, regions = self.tables.take(self.pictures[rows])
        text = read_text(s, w, tokens)
        read = read_regions(s, w, text, lengths, features, places, regions)
        pictures = picture_vectors(s, w, text, lengths, read, regions)
        return answer_scores(s, w, pictures, self._number[rows])

    def loss(self, weights: Weights, rows: Tensor) -> Tensor:
        """The loss of each replica (K,) on its rows (K, B)."""
        scores = self.scores(weights, rows)
        gold = self._answer[rows]
        return functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), reduction="none").view(gold.shape).mean(1)

    @torch.no_grad()
    def measure(self, weights: Weights, rows: Sequence[Ints]) -> list[float]:
        """The share of each replica's questions that it answers rightly."""
        given = self.answers_to(weights, rows)
        return [
            float((each == self.answer[at]).mean()) if len(at) else 0.0 for each, at in zip(given, rows, strict=True)
        ]

    @torch.no_grad()
    def answers_to(self, weights: Weights, rows: Sequence[Ints]) -> list[NDArray[np.int16]]:
        """The answer of each replica to each of its rows."""
        return [each.astype(np.int16) for each in self._over(weights, rows, lambda w, at: self.scores(w, at).argmax(2))]

    @torch.no_grad()
    def probabilities(self, weights: Weights, rows: Sequence[Ints]) -> list[NDArray[np.float32]]:
        """The probability of every answer to each row: (rows, answers) for each replica."""
        return self._over(weights, rows, lambda w, at: self.scores(w, at).softmax(2))

    def _over(self, w: Weights, rows: Sequence[Ints], compute: Compute) -> list[NDArray[np.float32]]:
        return over_batches(w, rows, compute, self.device, BATCH["cuda" if self.device.startswith("cuda") else "cpu"])
