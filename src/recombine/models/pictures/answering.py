"""A trained model at work: answers to questions, and which regions each word of a text means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.errors import OptionError
from recombine.models.pictures.nets.grounding_head import word_scores
from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.nets.region_reader import read_regions
from recombine.models.pictures.nets.text_encoder import read_text
from recombine.models.pictures.training.question_program import QuestionProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.arrays.question_arrays import QuestionArrays
    from recombine.models.pictures.picture_settings import PictureSettings


class Answering:
    """One model; its weights are (1, …) by name, as `weights_of` gives them."""

    def __init__(self, settings: PictureSettings, words: int, answers: int, weights: Mapping[str, Tensor]) -> None:
        self.settings, self.words, self.answers, self.weights = settings, words, answers, dict(weights)
        for name, wanted in (("words", words), ("answers", answers)):
            held = self.weights[name].shape[1 if name == "words" else 2]
            if held != wanted:
                raise OptionError(
                    f"the model has {held} {name}, the data {wanted}", "give the vocabulary that it was trained with"
                )

    def answer(
        self,
        features: NDArray[np.float16],
        pictures: PictureArrays,
        questions: QuestionArrays,
        *,
        device: str = "cpu",
    ) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """The answer to every question, and its probability."""
        tables = PictureTables(features, pictures, device=device, looks=self.settings.looks)
        program = QuestionProgram(self.settings, tables, questions, self.words, self.answers, device)
        every = program.probabilities(self._on(device), [np.arange(len(questions.tokens))])[0]
        return every.argmax(1).astype(np.int16), every.max(1)

    @torch.no_grad()
    def grounding(
        self,
        features: NDArray[np.float16],
        pictures: PictureArrays,
        tokens: NDArray[np.int16],
        picture: NDArray[np.int32],
        *,
        device: str = "cpu",
    ) -> NDArray[np.float32]:
        """The probability that each word of texts (n, L) means each region of a picture: (n, L, R).

        It was learned for nouns; what it says of other words is theirs to use.
        """
        w = self._on(device)
        tables = PictureTables(features, pictures, device=device)
        words = torch.from_numpy(tokens.astype(np.int64)).to(device)[None]
        at = torch.from_numpy(picture.astype(np.int64)).to(device)[None, :, None]
        seen, places, regions = tables.take(at)
        text = read_text(self.settings, w, words)
        read = read_regions(self.settings, w, text, (words != 0).sum(2), seen, places, regions)
        scores = word_scores(w, text, read[:, :, :, 1:])[0, :, 0].sigmoid()
        there = torch.arange(scores.shape[2], device=device) < regions[0]
        return (scores * there[:, None]).float().cpu().numpy()

    def _on(self, device: str) -> dict[str, Tensor]:
        dtype = torch.bfloat16 if device.startswith("cuda") else torch.float32
        return {name: value.to(device, dtype) for name, value in self.weights.items()}
