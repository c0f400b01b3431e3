"""A tuned checkpoint as a folder: all weights, the detector where it has one, and which directory it came from.

The configuration, tokenizer and processor stay in that directory, which must be there, as it was, to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecombineError
from recombine.files import make_folder
from recombine.models.model_file import MODEL, file_digest, read_model_file, write_model_file
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.checkpoints.checkpoint_parser import CheckpointParser
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pretrained.local_checkpoint import checkpoint_digest

if TYPE_CHECKING:
    from pathlib import Path

WEIGHTS, DETECTOR = "weights.safetensors", "detector.safetensors"
_AGAIN = "train the model again"


def save(parser: CheckpointParser, folder: Path, form: str, signature: str) -> None:
    """Write a tuned checkpoint; `model.json` comes last."""
    from recombine.models.seq2seq.training.checkpoint import save_checkpoint

    if parser.net is None:
        raise RecombineError("the model has learned nothing", "call `fit` first")
    folder = make_folder(folder)
    state = {name: value.detach().float().cpu().contiguous() for name, value in parser.net.state_dict().items()}
    save_checkpoint(folder / WEIGHTS, {name: value.clone() for name, value in state.items()})
    files, seen = {WEIGHTS: file_digest(folder / WEIGHTS)}, {}
    detector = None if parser.looker is None else parser.looker.detector
    (folder / DETECTOR).unlink(missing_ok=True)
    if detector is not None:
        save_checkpoint(folder / DETECTOR, detector.state())
        files[DETECTOR] = file_digest(folder / DETECTOR)
        seen = {"names": list(detector.names), "attributes": list(detector.attributes)}
    write_model_file(
        folder,
        form,
        signature,
        checkpoint=checkpoint_digest(parser.folder),
        settings=parser.settings.to_dict(),
        data=parser.data.to_dict(),
        seed=parser.seed,
        learned=parser.learned,
        answers=parser.answers,
        detector=seen,
        files=files,
    )


def load(folder: Path, device: str) -> CheckpointParser:
    """The tuned checkpoint in a folder."""
    record = read_model_file(folder)
    settings = PictureSettings.from_dict(record["settings"])
    parser = CheckpointParser(settings, PictureData.of(record["data"]), record["seed"], device)
    if checkpoint_digest(parser.folder) != record["checkpoint"]:
        raise InputFileError(f"{parser.folder}: is not the checkpoint that {folder} was tuned from", _AGAIN)
    parser.answers, parser.learned = list(record["answers"]), int(record["learned"])
    parser.net = parser.new_net()
    state = _tensors(folder, WEIGHTS, record["files"])
    problem = parser.net.load_state_dict(state, strict=False)
    if problem.missing_keys or problem.unexpected_keys:
        raise InputFileError(f"{folder / WEIGHTS}: has other weights than the checkpoint", _AGAIN)
    if record["detector"]:
        from recombine.models.pictures.nets.detector import Detector

        parser.looker = PictureParser(_looking(settings), parser.data, parser.seed, device, words=Words(()))
        seen = record["detector"]
        parser.looker.detector = Detector.from_state(
            settings, seen["names"], seen["attributes"], _tensors(folder, DETECTOR, record["files"])
        )
    return parser


def _looking(settings: PictureSettings) -> PictureSettings:
    return PictureSettings.from_dict({**settings.to_dict(), "variant": "no-grounding"})


def _tensors(folder: Path, name: str, files: dict[str, str]) -> dict[str, Any]:
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    path = folder / name
    if not path.is_file() or file_digest(path) != files.get(name):
        raise InputFileError(f"{path}: is missing, or not the file that {MODEL} was written with", _AGAIN)
    return load_checkpoint(path)[0]
