"""A training whose weights are kept in a folder, so that what answers otherwise with them trains nothing again.

    FOLDER/weights.safetensors, trained.json    the network, and how it was trained
    FOLDER/work/                                checkpoints, while it is trained

Needs torch.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import make_folder, read_text, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings

WEIGHTS, RECORD, WORK = "weights.safetensors", "trained.json", "work"


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
            int(values["best_epoch"]),
            int(values["steps"]),
            int(values["added_items"]),
            int(values["left_out"]),
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
    start: Mapping[str, Any] | None = None
    """Weights to begin with."""


def kept_training(
    folder: Path,
    training: Training,
    *,
    deadline: float | None = None,
    pause: float = 60.0,
    say: Callable[[str], None] = lambda _: None,
    stepped: Callable[[int, int, int], None] = lambda *_: None,
) -> tuple[Any, TrainedRecord] | None:
    """The network of a folder, trained there where it is not; none where time was over, and the same call goes on.

    The folder is to be claimed by the caller.
    """
    if (folder / RECORD).is_file():
        return _load(folder, training)
    if not len(training.train) and training.start is not None:
        return _net(training.start, training), TrainedRecord((), 0, 0, 0, 0, 0.0)
    from recombine.models.kbqa.training.train import train

    made = train(
        training.schema,
        training.train,
        training.dev,
        training.settings,
        training.seed,
        training.device,
        encoder_files=training.encoder_files,
        start=training.start,
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
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    try:
        record = TrainedRecord.of(json.loads(read_text(folder / RECORD)))
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder / RECORD}: is not whole ({error})", "delete the folder") from None
    state, _ = load_checkpoint(folder / WEIGHTS)
    return _net(state, training), record


def _net(state: Mapping[str, Any], training: Training) -> Any:
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet

    return KbqaNet.load(state, training.settings, encoder_files=training.encoder_files).to(training.device)


@contextmanager
def kept_folder(folder: Path | None) -> Iterator[Path]:
    """A folder to train in: the one given, or one that is gone afterwards."""
    if folder is not None:
        yield make_folder(folder)
        return
    with tempfile.TemporaryDirectory(prefix="recombine-") as temporary:
        yield Path(temporary)
