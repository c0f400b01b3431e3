"""A picture model as a parser: `fit` learns from questions about scenes, `predict` answers others.

What enters it of a scene are boxes and the pixels of its picture. No name, attribute or relation does: scenes of the
same boxes and pictures with other names are answered alike, to the byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.device import choose_device
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.kept_stages import PIXELS, KeptStages, telling
from recombine.models.pictures.making.other_world import OtherWorld
from recombine.models.pictures.making.question_rows import answers_of, images_of, question_rows, shown_scenes
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.seen_pictures import SeenPictures
from recombine.progress import bar, note
from recombine.scenes.scene import Scenes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.pictures.arrays.question_arrays import QuestionArrays
    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.pictures.training.loop import Loop
    from recombine.models.pictures.training.stack import Replica
    from recombine.models.pictures.training.train_questions import QuestionStack
    from recombine.records.example import Example, Query
    from recombine.records.world import World

RANDNEG = "randneg"


class Ready(NamedTuple):
    """What the third stage is trained with."""

    features: NDArray[np.float16]
    pictures: PictureArrays
    questions: QuestionArrays
    start: Mapping[str, Tensor] | None


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
    world: str = ""
    """The digest of the scenes that these are about; the folder `pictures` is theirs."""
    _seen: SeenPictures | None = field(default=None, repr=False)

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Train the three stages, or those of them that are not kept from before."""
        from recombine.models.pictures.training.stack import Replica

        examples = self._examples(list(examples))
        ready = self.prepare(examples, world)
        self.learned, self.world = len(examples), self._scenes(world).digest
        train, dev = _kept_aside(ready.questions.pair, self.data.dev_share, self.seed)
        with bar("training", counts="steps") as update:
            made = self.train_replicas(ready, [Replica("questions", self.seed, train, dev)], telling(update))
        self.weights = {name: value.cpu() for name, value in made.weights_of(0).items()}
        return self

    def prepare(self, examples: Sequence[Example], world: World | None, train: Sequence[int] | None = None) -> Ready:
        """All that the third stage needs: the first two, words and answers of the rows `train`, and what is seen."""
        scenes = self._scenes(world)
        learned = examples if train is None else [examples[row] for row in train]
        self.answers, start, words = answers_of(learned), None, None
        if self.settings.looks:
            self._check_pictures(scenes)
            stages = KeptStages(
                self.settings, OtherWorld(self.data.arrays, than=scenes, own=self._own()), choose_device(self.device)
            )
            self.detector = stages.detector
            if self.settings.grounds:
                start, words = stages.grounding
            self.used_again = stages.used_again
        texts = (each.source for each in learned)
        self.words = Words.of(texts) if words is None else words.with_more(texts)
        features, pictures = self._look(shown_scenes(examples), scenes)
        questions = question_rows(examples, words=self.words, answers=self.answers, places=pictures.places)
        return Ready(features, pictures, questions, start)

    def train_replicas(
        self, ready: Ready, replicas: Sequence[Replica], loop: Loop, *, name: str = "questions"
    ) -> QuestionStack:
        """Train models of one stack on questions."""
        from recombine.models.pictures.training.train_questions import train_questions

        assert self.words is not None  # noqa: S101  # they were made before
        start = None if ready.start is None else with_more_words(ready.start, len(self.words))
        made = train_questions(
            ready.features,
            ready.pictures,
            ready.questions,
            self.settings,
            replicas=replicas,
            start=start,
            words=len(self.words),
            answers=len(self.answers),
            device=choose_device(self.device),
            loop=loop,
            name=name,
        )
        assert made is not None  # noqa: S101  # there is no deadline
        return made

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The answer to each question."""
        answers, _ = self.answer(queries, world)
        return [self.answers[number] for number in answers.tolist()]

    def answer(self, queries: Sequence[Query], world: World | None) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """The number of the answer to each question, and its probability."""
        from recombine.models.pictures.answering import Answering

        features, pictures, questions = self.seen(queries, world)
        model = Answering(self.settings, len(self.words or ()), len(self.answers), self.weights)
        return model.answer(features, pictures, questions, device=choose_device(self.device))

    def seen(
        self, queries: Sequence[Query], world: World | None
    ) -> tuple[NDArray[np.float16], PictureArrays, QuestionArrays]:
        """What it sees of questions: features and boxes of their pictures, and their words."""
        if self.words is None:
            raise RecombineError("the model has learned nothing", "call `fit` first")
        features, pictures = self.see(queries, world)
        questions = question_rows(queries, words=self.words, answers=self.answers, places=pictures.places)
        return features, pictures, questions

    def see(
        self, questions: Sequence[Example | Query], world: World | None
    ) -> tuple[NDArray[np.float16], PictureArrays]:
        """Features and boxes of the pictures that questions are about."""
        scenes = self._scenes(world)
        if self.settings.looks:
            self._check_pictures(scenes)
        return self._look(shown_scenes(questions), scenes)

    # -- what it is about -----------------------------------------------------------------------------------------

    def _scenes(self, world: World | None) -> Scenes:
        if isinstance(world, Scenes):
            return world
        kind = "none" if world is None else f"one of the kind {world.kind}"
        remedy = "name their scenes with --world FILE"
        raise InputFileError(f"a picture model answers questions about scenes, and the data's world is {kind}", remedy)

    def _folder(self, scenes: Scenes) -> Path | None:
        """The folder of pictures: of the scenes that it learned from that of the settings, else what stands beside."""
        named = self.data.folder if self.world in ("", scenes.digest) else None
        return named or scenes.pictures

    def _check_pictures(self, scenes: Scenes) -> None:
        if self._folder(scenes) is None:
            remedy = "put them into NAME.pictures beside NAME.scenes.json, or train with --set pictures=DIR"
            raise InputFileError("the questions have no pictures to look at", remedy)

    def _own(self) -> Scenes | None:
        """Other scenes of one's own."""
        if not self.data.other:
            return None
        from recombine.records.world import make_reference

        found = make_reference(self.data.other, Scenes.kind).open()
        assert isinstance(found, Scenes)  # noqa: S101  # worlds of this kind are
        return found

    def _examples(self, examples: list[Example]) -> list[Example]:
        """The questions to learn from: those given or, of `randneg`, those about the same scenes in its file."""
        if not examples:
            raise OptionError("there are no questions to learn from", "give a part that is not empty")
        if self.settings.variant != RANDNEG:
            if self.data.randneg:
                raise OptionError(f"randneg is a file, and the variant is {self.settings.variant}", "leave one out")
            return examples
        if not self.data.randneg:
            remedy = "make them with generate scenes --random-distractors, and name the file: --set randneg=FILE"
            raise OptionError("variant=randneg learns from questions of random distractors, and names none", remedy)
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
        if self.settings.variant == PIXELS:
            from recombine.models.pictures.training.windows import as_windows

            pictures = as_windows(pictures)
        return pictures, self.detector.features(pictures, device=choose_device(self.device))


def with_more_words(start: Mapping[str, Tensor], words: int) -> dict[str, Tensor]:
    """Weights of a reader with rows for words that descriptions do not have, as far apart as those of the others."""
    import torch

    table = start["words"]
    more = words - table.shape[1]
    if not more:
        return dict(start)
    drawn = np.random.default_rng(0x3C).standard_normal((table.shape[0], more, table.shape[2]))
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
