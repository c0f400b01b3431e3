"""A training whose weights are kept in a folder, so that what answers otherwise with them trains nothing again.

    FOLDER/weights.safetensors, trained.json    the network, and how it was trained
    FOLDER/work/                                checkpoints, while it is trained
    FOLDER/lock                                 held by who trains; the lock goes with the process, however it ends

Needs torch.
"""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import make_folder, read_text, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings

WEIGHTS, RECORD, WORK, LOCK = "weights.safetensors", "trained.json", "work", "lock"
LOOK = 2.0
"""Seconds between two looks at a lock that another process holds."""


@dataclass(frozen=True)
class TrainedRecord:
    """How a network was trained."""

    curve: tuple[tuple[int, float, float], ...]
    """Passes, mean loss, and exact match on dev."""
    best_epoch: int
    steps: int
    added_items: int
    """Items of gold forms that a pruned vocabulary lacked, and that training added."""
    left_out: int
    """Training questions without a target that can be learned."""
    seconds: float

    @classmethod
    def of(cls, values: Any) -> TrainedRecord:
        """The record of what a JSON file or `train` says."""
        return cls(
            tuple((int(epoch), float(loss), float(share)) for epoch, loss, share in values["curve"]),
            *(int(values[name]) for name in ("best_epoch", "steps", "added_items", "left_out")),
            float(values["seconds"]),
        )


@dataclass(frozen=True)
class Training:
    """What is trained on what, and where."""

    schema: SchemaArrays
    train: QuestionArrays
    dev: QuestionArrays
    settings: KbqaSettings
    seed: int
    device: str
    encoder_files: Path | None = None


def kept_training(
    folder: Path,
    training: Training,
    *,
    deadline: float | None = None,
    pause: float = 60.0,
    say: Callable[[str], None] = lambda _: None,
    stepped: Callable[[int, int, int], None] = lambda *_: None,
    wait: bool = True,
) -> tuple[Any, TrainedRecord] | None:
    """The network of a folder, trained there where it is not; none where time was over, and the same call goes on.

    Where another process trains it, it is waited for; without `wait`, that is none too.
    """
    with _locked(make_folder(folder), deadline if wait else 0.0) as held:
        if not held:
            return None
        if (folder / RECORD).is_file():
            return _load(folder, training)
        from recombine.models.kbqa.training.train import train

        made = train(
            training.schema,
            training.train,
            training.dev,
            training.settings,
            training.seed,
            training.device,
            encoder_files=training.encoder_files,
            work=make_folder(folder / WORK),
            deadline=deadline,
            pause=pause,
            say=say,
            stepped=stepped,
        )
        if made is None:
            return None
        record = TrainedRecord.of({name: getattr(made, name) for name in TrainedRecord.__dataclass_fields__})
        _keep(folder, made.net, record)
        return made.net, record


def _keep(folder: Path, net: Any, record: TrainedRecord) -> None:
    """Write the weights; the record comes last, so that a folder with one is whole."""
    from recombine.models.seq2seq.training.checkpoint import save_checkpoint

    save_checkpoint(folder / WEIGHTS, net.state())
    write_whole(folder / RECORD, json.dumps(asdict(record)).encode() + b"\n")
    shutil.rmtree(folder / WORK, ignore_errors=True)


def _load(folder: Path, training: Training) -> tuple[Any, TrainedRecord]:
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    try:
        record = TrainedRecord.of(json.loads(read_text(folder / RECORD)))
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder / RECORD}: is not whole ({error})", "delete the folder") from None
    state, _ = load_checkpoint(folder / WEIGHTS)
    net = KbqaNet.load(state, training.settings, encoder_files=training.encoder_files)
    return net.to(training.device), record


@contextmanager
def _locked(folder: Path, deadline: float | None) -> Iterator[bool]:
    """Wait for who trains here; false where time was over before."""
    try:
        import fcntl
    except ImportError:  # not a Unix: nothing guards against a second one
        yield True
        return
    with (folder / LOCK).open("wb") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if deadline is not None and time.monotonic() > deadline:
                    yield False
                    return
                time.sleep(LOOK)
        yield True
