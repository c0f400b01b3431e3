"""A picture model as a parser: `fit` learns from questions about scenes, `predict` answers others.

What enters it of a scene are boxes and the pixels of its picture. No name, attribute or relation does: scenes of the
same boxes and pictures with other names are answered alike, to the byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.device import choose_device
from recombine.models.pictures.arrays.other_world import OtherWorld
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.question_rows import answers_of, images_of, question_rows, shown_scenes
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.seen_pictures import SeenPictures
from recombine.models.pictures.stages import Stages, telling
from recombine.progress import bar, note, working
from recombine.scenes.files.read_scenes import read_scenes
from recombine.scenes.scene import Scenes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.records.example import Example, Query
    from recombine.records.world import World

TEXT, RANDNEG = "text", "randneg"


@dataclass
class PictureParser:
    """A picture model; before `fit` it knows nothing."""

    settings: PictureSettings
    data: PictureData = field(default_factory=PictureData)
    seed: int = 0
    device: str = ""
    words: Words | None = None
    answers: list[str] = field(default_factory=list)
    weights: dict[str, Tensor] = field(default_factory=dict)
    detector: Detector | None = None
    used_again: list[str] = field(default_factory=list)
    """The stages that were found in the cache."""
    learned: int = 0
    """How many questions it learned from."""
    _seen: SeenPictures | None = field(default=None, repr=False)

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Train the three stages, or those of them that are not kept from before."""
        scenes = self._scenes(world)
        device = choose_device(self.device)
        examples = self._examples(list(examples), scenes)
        self.answers, start, words = answers_of(examples), None, None
        shown = shown_scenes(examples)
        if self.settings.looks:
            self._check_pictures(scenes)
            stages = Stages(self.settings, OtherWorld(self.data.arrays, than=scenes, own=self._own()), device)
            self.detector = stages.detector
            if self.settings.grounds:
                start, words = stages.grounding
            self.used_again = stages.used_again
        texts = (each.source for each in examples)
        self.words = Words.of(texts) if words is None else words.with_more(texts)
        with working("looking at pictures"):
            features, pictures = self._look(shown, scenes)
        questions = question_rows(examples, words=self.words, answers=self.answers, places=pictures.places)
        self.learned = len(questions)
        self.weights = self._train(features, pictures, questions, start, device)
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The answer to each question."""
        answers, _ = self.answer(queries, world)
        return [self.answers[number] for number in answers.tolist()]

    def answer(self, queries: Sequence[Query], world: World | None) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """The number of the answer to each question, and its probability."""
        from recombine.models.pictures.nets.answering import Answering

        if self.words is None:
            raise RecombineError("the model has learned nothing", "call `fit` first")
        scenes = self._scenes(world)
        if self.settings.looks:
            self._check_pictures(scenes)
        features, pictures = self._look(shown_scenes(queries), scenes)
        questions = question_rows(queries, words=self.words, answers=self.answers, places=pictures.places)
        model = Answering(self.settings, len(self.words), len(self.answers), self.weights)
        return model.answer(features, pictures, questions, device=choose_device(self.device))

    # -- what it is about -----------------------------------------------------------------------------------------

    def _scenes(self, world: World | None) -> Scenes:
        if isinstance(world, Scenes):
            return world
        kind = "none" if world is None else f"one of the kind {world.kind}"
        remedy = "name their scenes with --world FILE"
        raise InputFileError(f"a picture model answers questions about scenes, and the data's world is {kind}", remedy)

    def _folder(self, scenes: Scenes) -> Path | None:
        return self.data.folder or scenes.pictures

    def _check_pictures(self, scenes: Scenes) -> None:
        if self._folder(scenes) is None:
            remedy = "put them into NAME.pictures beside NAME.scenes.json, or name their folder: --set pictures=DIR"
            raise InputFileError("the questions have no pictures to look at", remedy)

    def _own(self) -> Scenes | None:
        """Other scenes of one's own."""
        if not self.data.other:
            return None
        from recombine.records.world import make_reference

        found = make_reference(self.data.other, Scenes.kind).open()
        assert isinstance(found, Scenes)  # noqa: S101  # worlds of this kind are
        return found

    def _examples(self, examples: list[Example], scenes: Scenes) -> list[Example]:
        """The questions to learn from: those given or, of `randneg`, those about the same scenes in its file."""
        if not examples:
            raise OptionError("there are no questions to learn from", "give a part that is not empty")
        if self.settings.variant != RANDNEG:
            if self.data.randneg:
                raise OptionError(f"randneg is a file, and the variant is {self.settings.variant}", "leave one out")
            return examples
        if not self.data.randneg:
            remedy = "make them with generate scenes --random-distractors, and name the file: --set randneg=FILE"
            raise OptionError("variant=randneg learns from questions with random distractors, and none are named", remedy)
        from recombine.datasets.files.tables import read_table
        from recombine.languages.scenes import SCENES

        shown = set(shown_scenes(examples))
        read = list(read_table(Path(self.data.randneg), language=SCENES))
        kept = [each for each in read if shown.issuperset(images_of(each))]
        if not kept:
            problem = f"{self.data.randneg}: no question is about the scenes that the model may learn from"
            raise InputFileError(problem, "make it with the number of scenes and the seed of the data")
        if len(kept) < len(read):
            note(f"{self.data.randneg}: {len(read) - len(kept):,} of {len(read):,} questions are about other scenes")
        del scenes
        return kept

    # -- looking and training -------------------------------------------------------------------------------------

    def _look(self, ids: Sequence[str], scenes: Scenes) -> tuple[NDArray[np.float16], PictureArrays]:
        """Features and boxes of pictures; of a model that sees none, nothing for each."""
        if not self.settings.looks:
            missing = next((each for each in ids if each not in scenes.by_id), None)
            if missing is not None:
                raise InputFileError(f"the scene {missing!r} of a question is not among the scenes", "give its scenes")
            return _nothing(ids, self.settings.features)
        seen, folder = self._seen, self._folder(scenes)
        if seen is None or seen.scenes is not scenes or seen.folder != folder:
            seen = self._seen = SeenPictures(scenes, folder, self.data.arrays, self._see)
        return seen.look(ids)

    def _see(self, pictures: PictureArrays) -> tuple[PictureArrays, NDArray[np.float16]]:
        assert self.detector is not None  # noqa: S101  # it was trained or read before
        return pictures, self.detector.features(pictures, device=choose_device(self.device))

    def _train(
        self,
        features: NDArray[np.float16],
        pictures: PictureArrays,
        questions: Any,
        start: Any,
        device: str,
    ) -> dict[str, Tensor]:
        from recombine.models.pictures.training.stack import Replica
        from recombine.models.pictures.training.train_questions import train_questions

        assert self.words is not None  # noqa: S101  # they were made before
        train, dev = _kept_aside(questions.pair, self.data.dev_share, self.seed)
        with bar("training", counts="steps") as update:
            made = train_questions(
                features,
                pictures,
                questions,
                self.settings,
                replicas=[Replica("questions", self.seed, train, dev)],
                start=None if start is None else with_more_words(start, len(self.words), self.seed),
                words=len(self.words),
                answers=len(self.answers),
                device=device,
                loop=telling(update),
            )
        return {name: value.float().cpu() for name, value in made.state(0).items()}


def with_more_words(start: Any, words: int, seed: int) -> dict[str, Tensor]:
    """Weights of a reader with rows for words that descriptions do not have."""
    import torch

    table = start["words"]
    more = words - table.shape[1]
    if not more:
        return dict(start)
    drawn = np.random.default_rng([seed, 0x3C]).standard_normal((table.shape[0], more, table.shape[2]))
    scale = table.float().std().item()
    added = torch.from_numpy(drawn.astype(np.float32) * scale)
    return {**start, "words": torch.cat([table.float(), added], 1)}


def _kept_aside(pair: NDArray[np.int32], share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows to learn from and rows kept aside; twins are on one side."""
    rows = np.arange(len(pair), dtype=np.int64)
    group = np.where(pair >= 0, pair, len(pair) + rows)
    names, group = np.unique(group, return_inverse=True)
    aside = np.zeros(len(names), dtype=bool)
    aside[np.random.default_rng([seed, 0xDE]).permutation(len(names))[: int(len(names) * share)]] = True
    return rows[~aside[group]], rows[aside[group]]


def _nothing(ids: Sequence[str], width: int) -> tuple[NDArray[np.float16], PictureArrays]:
    """Pictures of which nothing is seen."""
    number = len(ids)
    arrays = PictureArrays(
        list(ids),
        np.zeros((number, 0, 0, 3), dtype=np.uint8),
        np.zeros((number, 1, 4), dtype=np.float32),
        np.ones(number, dtype=np.int16),
    )
    return np.zeros((number, 1, width), dtype=np.float16), arrays
