"""A network trained on questions with their forms, until dev gets no better (GrailQA, App. D.2).

The network of the pass with the highest exact match on dev is kept. A training that is stopped at a deadline, or
killed, goes on from its last checkpoint; on a CPU with one thread it ends with the same bytes as one that never was.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from recombine.errors import InputFileError, OptionError
from recombine.models.kbqa.kbqa_settings import AFTER_TRAINING, SCRATCH, STEADY
from recombine.models.kbqa.nets.kbqa_net import KbqaNet, words_in
from recombine.models.kbqa.nets.make_encoder import make_encoder
from recombine.models.kbqa.nets.quick_sums import quick_sums
from recombine.models.kbqa.nets.scratch_encoder import known_words
from recombine.models.kbqa.training.epoch_batches import epoch_batches
from recombine.models.kbqa.training.exact_share import exact_share
from recombine.models.kbqa.training.trainer import Trainer
from recombine.models.kbqa.training.training_vocabulary import TrainingVocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings

CHECKPOINT, BEFORE = "training.safetensors", "training.before.safetensors"


def _ignore(*_: Any) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained network and how it came about."""

    net: KbqaNet
    curve: list[tuple[int, float, float]]
    """Of each pass its number, the mean loss of a word, and the exact match on dev."""
    best_epoch: int
    steps: int
    added_items: int
    """Items of targets that were not in the pruned vocabulary of their question, and were added to it in training."""
    left_out: int
    """Training questions without a target, or whose target names something that is not linked."""
    parts: int
    """In how many parts the questions of a step were read, for want of memory."""
    seconds: float
    """Of this call."""


def train(
    schema: SchemaArrays,
    train: QuestionArrays,
    dev: QuestionArrays,
    settings: KbqaSettings,
    seed: int,
    device: str,
    *,
    encoder_files: Path | str | None = None,
    start: Mapping[str, Tensor] | None = None,
    work: Path | None = None,
    deadline: float | None = None,
    pause: float = 60.0,
    say: Callable[[str], None] = _ignore,
    stepped: Callable[[int, int, int], None] = _ignore,
) -> Trained | None:
    """The trained network; none where the deadline (of `time.monotonic`) came first.

    With `work`, a folder of this training alone, a checkpoint is written every `pause` seconds and at the deadline, and
    the same call goes on from it. `start` are weights to begin with. `stepped` gets the pass, the steps done of it and
    its steps. Without questions in `dev`, all passes are made and the last one counts.
    """
    began = time.monotonic()
    rows = np.flatnonzero(train.targets.sizes > 0)
    if not len(rows):
        raise OptionError("no training question has a form over its links", "give questions with forms and their links")
    with quick_sums(), torch.random.fork_rng([device] if device.startswith("cuda") else []):
        torch.manual_seed(seed)
        net = _make_net(schema, train, settings, encoder_files, start).to(device).train()
        prepared, prepared_dev = net.prepare(schema, train), net.prepare(schema, dev)
        vocabulary = TrainingVocabulary(schema, train, settings)
        steps = settings.epochs * math.ceil(len(rows) / settings.batch)
        trainer = Trainer(net, prepared, vocabulary, settings, seed, steps)
        checkpoints = _Checkpoints(work, _identity(schema, train, dev, settings, seed, start), pause)
        checkpoints.resume(trainer, say)
        sizes = prepared.question_pieces.sizes[rows]
        while not _finished(trainer, settings, bool(len(dev))):
            epoch = len(trainer.curve) + 1
            batches = epoch_batches(rows, sizes, settings.batch, seed, epoch)
            for number in range(trainer.step - (epoch - 1) * len(batches), len(batches)):
                if deadline is not None and time.monotonic() > deadline:
                    checkpoints.save(trainer)
                    say(f"stopped at step {trainer.step}")
                    return None
                checkpoints.save_if_due(trainer)
                trainer.train(batches[number], say)
                stepped(epoch, number + 1, len(batches))
            exact = exact_share(net, prepared_dev, batch=2 * settings.batch) if len(dev) else None
            trainer.note(epoch, trainer.take_loss(), exact)
            say(_line(trainer, began))
    net.load_state_dict(trainer.best)
    return Trained(
        net.eval(),
        trainer.curve,
        trainer.best_epoch if len(dev) else len(trainer.curve),
        trainer.step,
        sum(vocabulary.added(int(row)) for row in rows),
        len(train) - len(rows),
        trainer.parts,
        time.monotonic() - began,
    )


def _make_net(
    schema: SchemaArrays,
    questions: QuestionArrays,
    settings: KbqaSettings,
    files: Path | str | None,
    start: Mapping[str, Tensor] | None,
) -> KbqaNet:
    words: tuple[str, ...] = words_in(start)
    if start is None and settings.encoder_kind == SCRATCH:
        words = known_words([*questions.texts, *questions.link_texts, *schema.texts])
    net = KbqaNet(make_encoder(settings, files=files, words=words), settings)
    if start is not None:
        net.take(start, settings)
    return net


def _finished(trainer: Trainer, settings: KbqaSettings, dev: bool) -> bool:
    """Whether all passes are made, or dev got no better for a while and rates do not fall."""
    done = len(trainer.curve)
    waits = dev and settings.decay == STEADY
    return done >= settings.epochs or (waits and done - trainer.best_epoch >= settings.patience)


def _line(trainer: Trainer, began: float) -> str:
    epoch, loss, exact = trainer.curve[-1]
    return f"pass {epoch}: loss {loss:.4f}, dev {100 * exact:.1f}, {time.monotonic() - began:.0f} s"


def _identity(
    schema: SchemaArrays,
    train: QuestionArrays,
    dev: QuestionArrays,
    settings: KbqaSettings,
    seed: int,
    start: Mapping[str, Tensor] | None,
) -> str:
    """A digest of what decides a training."""
    digest = hashlib.blake2b(digest_size=16)
    kept = {name: value for name, value in settings.to_dict().items() if name not in AFTER_TRAINING}
    digest.update(json.dumps([kept, seed, schema.words, schema.texts], sort_keys=True).encode())
    for questions in (train, dev):
        digest.update(json.dumps([questions.ids, questions.texts, questions.link_texts]).encode())
        for array in (questions.targets.values, questions.vocabulary.values, questions.vocabulary.begins):
            digest.update(_bytes(array))
    for name, value in (start or {}).items():
        digest.update(name.encode() + _bytes(value.detach().cpu().numpy()))
    return digest.hexdigest()


def _bytes(array: NDArray[Any]) -> bytes:
    return np.ascontiguousarray(array).tobytes()


class _Checkpoints:
    """The last checkpoint of a training, and the one before."""

    def __init__(self, work: Path | None, identity: str, pause: float) -> None:
        self._work, self._identity, self._pause, self._saved = work, identity, pause, time.monotonic()

    def resume(self, trainer: Trainer, say: Callable[[str], None]) -> None:
        """Bring a trainer to the last whole checkpoint, if there is one."""
        problem: InputFileError | None = None
        for path in [self._work / CHECKPOINT, self._work / BEFORE] if self._work is not None else []:
            if not path.exists():
                continue
            try:
                trainer.load(path, self._identity)
            except InputFileError as error:
                problem = error
                continue
            say(f"going on from step {trainer.step}")
            return
        if problem is not None:
            raise problem

    def save_if_due(self, trainer: Trainer) -> None:
        """Write a checkpoint where the last one is a while ago."""
        if time.monotonic() - self._saved >= self._pause:
            self.save(trainer)

    def save(self, trainer: Trainer) -> None:
        """Write a checkpoint; the last one becomes the one before."""
        if self._work is None:
            return
        self._work.mkdir(parents=True, exist_ok=True)
        last = self._work / CHECKPOINT
        if last.exists():
            last.replace(self._work / BEFORE)
        trainer.save(last, self._identity)
        self._saved = time.monotonic()
