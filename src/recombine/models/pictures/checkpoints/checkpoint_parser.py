"""A pretrained checkpoint as a picture model: `fit` tunes it and a classifier over all answers, `predict` answers.

`lxmert:DIR` takes one picture, and is run picture by picture under layers over pictures; `transformers:DIR` takes
several at once. Both read weights of local directories only. All settings of steps, batch and rate are those of the
third stage; a checkpoint wants a rate of about 0.00005 and small batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.device import choose_device
from recombine.models.pictures.arrays.question_arrays import NOT_AN_ANSWER
from recombine.models.pictures.making.question_rows import answer_of, answers_of, images_of, shown_scenes
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import IMAGES, PictureSettings
from recombine.progress import bar, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recombine.records.example import Example, Query
    from recombine.records.world import World

_JUDGED = 16
"""So many questions are answered at once."""


@dataclass
class CheckpointParser:
    """A checkpoint that is tuned; before `fit` it knows no answer."""

    settings: PictureSettings
    data: PictureData = field(default_factory=PictureData)
    seed: int = 0
    device: str = ""
    answers: list[str] = field(default_factory=list)
    net: Any = None
    learned: int = 0
    looker: PictureParser | None = None
    """What sees the regions of pictures, for a checkpoint that takes them."""

    @property
    def kind(self) -> str:
        """`lxmert` or `transformers`."""
        return self.settings.variant.partition(":")[0]

    @property
    def folder(self) -> Path:
        """The directory of the checkpoint."""
        return Path(self.settings.variant.partition(":")[2])

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Tune the checkpoint on questions with their answers."""
        import torch

        if self.data.dev_share:
            raise OptionError("dev_share is of models that are not tuned checkpoints", "leave it out")
        examples = list(examples)
        if not examples:
            raise OptionError("there are no questions to learn from", "give a part that is not empty")
        self.answers, self.learned = answers_of(examples), len(examples)
        numbers = {answer: place for place, answer in enumerate(self.answers)}
        gold = np.array([numbers.get(answer_of(each), NOT_AN_ANSWER) for each in examples], dtype=np.int64)
        device = choose_device(self.device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            sight = self._sight(examples, world, learning=True)
            self.net = self.new_net().to(device).train()
            self._tune(sight, gold, device)
        self.net.eval()
        return self

    def new_net(self) -> Any:
        """The checkpoint's weights under a new classifier."""
        from recombine.models.pictures.checkpoints.load_checkpoint import load_lxmert, load_several

        if self.kind == "lxmert":
            from recombine.models.pictures.checkpoints.lxmert_net import LxmertNet

            return LxmertNet(load_lxmert(self.folder), self.settings, len(self.answers))
        from recombine.models.pictures.checkpoints.chat_net import ChatNet

        return ChatNet(load_several(self.folder), len(self.answers))

    def _tune(self, sight: Any, gold: NDArray[np.int64], device: str) -> None:
        import torch
        from torch.nn import functional

        s = self.settings
        optimiser = torch.optim.AdamW(self.net.parameters(), lr=s.rate, betas=(s.beta1, s.beta2))
        batches = _batches(len(gold), s.batch, self.seed)
        with bar("tuning the checkpoint", counts="steps") as update:
            for step in range(1, s.steps + 1):
                rows = next(batches)
                warm = min(1.0, step / s.warmup) * max(0.0, 1 - step / (s.steps + 1))
                for group in optimiser.param_groups:
                    group["lr"] = s.rate * warm
                scores = self.net(*sight.batch(rows, device))
                loss = functional.cross_entropy(scores, torch.from_numpy(gold[rows]).to(device))
                if not torch.isfinite(loss):
                    raise RecombineError(f"the loss is not a number at step {step}", "give a lower rate")
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                if s.clip:
                    torch.nn.utils.clip_grad_norm_(self.net.parameters(), s.clip)
                optimiser.step()
                if update is not None:
                    update(step, s.steps, "")

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The answer to each question."""
        import torch

        if self.net is None:
            raise RecombineError("the model has learned nothing", "call `fit` first")
        device = choose_device(self.device)
        sight = self._sight(list(queries), world, learning=False)
        self.net.to(device).eval()
        answers: list[str | None] = []
        with torch.inference_mode():
            for start in range(0, len(queries), _JUDGED):
                rows = np.arange(start, min(len(queries), start + _JUDGED))
                answers += [self.answers[number] for number in self.net(*sight.batch(rows, device)).argmax(1).tolist()]
        return answers

    def _sight(self, questions: Sequence[Any], world: World | None, *, learning: bool) -> Any:
        """What the checkpoint is given of questions."""
        made = (
            self._regions(questions, world, learning=learning)
            if self.kind == "lxmert"
            else self._files(questions, world)
        )
        if made.cut:
            note(f"{made.cut:,} questions are longer than the checkpoint reads, and lose their end")
        return made

    def _regions(self, questions: Sequence[Any], world: World | None, *, learning: bool) -> Any:
        from recombine.models.pictures.checkpoints.load_checkpoint import load_words
        from recombine.models.pictures.checkpoints.lxmert_sight import LxmertSight

        if self.looker is None or learning:
            self.looker = PictureParser(
                replace(self.settings, variant="no-grounding"), self.data, self.seed, self.device
            )
            self.looker.prepare(questions, world)
        features, pictures = self.looker.see(questions, world)
        shown = np.full((len(questions), IMAGES), -1, dtype=np.int32)
        places = pictures.places
        for row, each in enumerate(questions):
            images = images_of(each)
            shown[row, : len(images)] = [places[image] for image in images]
        return LxmertSight(load_words(self.folder), [each.source for each in questions], shown, features, pictures)

    def _files(self, questions: Sequence[Any], world: World | None) -> Any:
        from recombine.models.pictures.checkpoints.chat_sight import ChatSight
        from recombine.models.pictures.checkpoints.load_checkpoint import load_processor
        from recombine.scenes.files.find_pictures import find_pictures
        from recombine.scenes.scene import Scenes

        if not isinstance(world, Scenes):
            raise InputFileError(
                "a picture model answers questions about scenes", "name their scenes with --world FILE"
            )
        folder = self.data.folder or world.pictures
        if folder is None:
            raise InputFileError("the questions have no pictures to look at", "name their folder: --set pictures=DIR")
        ids = shown_scenes(questions)
        missing = next((each for each in ids if each not in world.by_id), None)
        if missing is not None:
            raise InputFileError(f"the scene {missing!r} of a question is not among the scenes", "give its scenes")
        found = find_pictures([world.by_id[each] for each in ids], folder)
        images = [[found[image] for image in images_of(each)] for each in questions]
        return ChatSight(load_processor(self.folder), [each.source for each in questions], images)


def _batches(number: int, size: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Rows of batches without end: each round has every row once, in an order of its own."""
    draws = np.random.default_rng([seed, 0xC4])
    left = np.zeros(0, dtype=np.int64)
    while True:
        while len(left) < size:
            left = np.concatenate([left, draws.permutation(number)])
        yield left[:size]
        left = left[size:]
