"""A picture model as a folder: weights and detector in the safetensors format, the rest in `model.json`.

`model.json` has the words, the answers, all settings, and the digests of the other files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecombineError
from recombine.files import make_folder
from recombine.models.model_file import MODEL, file_digest, read_model_file, write_model_file
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings

if TYPE_CHECKING:
    from torch import Tensor

FORM = "recombine-pictures-parser/1"
WEIGHTS, DETECTOR = "weights.safetensors", "detector.safetensors"
_AGAIN = "train the model again"


def save(parser: PictureParser, folder: Path, signature: str) -> None:
    """Write a fitted parser to a folder, which is made where it is missing; `model.json` comes last."""
    from recombine.models.seq2seq.training.checkpoint import save_checkpoint

    if parser.words is None:
        raise RecombineError("the model has learned nothing", "call `fit` first")
    folder = make_folder(folder)
    save_checkpoint(folder / WEIGHTS, parser.weights)
    files = {WEIGHTS: file_digest(folder / WEIGHTS)}
    seen: dict[str, Any] = {}
    (folder / DETECTOR).unlink(missing_ok=True)  # that of a model that was here before
    if parser.detector is not None:
        save_checkpoint(folder / DETECTOR, parser.detector.state())
        files[DETECTOR] = file_digest(folder / DETECTOR)
        seen = {"names": list(parser.detector.names), "attributes": list(parser.detector.attributes)}
    write_model_file(
        folder,
        FORM,
        signature,
        settings=parser.settings.to_dict(),
        data=parser.data.to_dict(),
        seed=parser.seed,
        learned=parser.learned,
        world=parser.world,
        words=list(parser.words.listed),
        answers=parser.answers,
        detector=seen,
        files=files,
    )


def load(folder: Path | str, device: str = "") -> PictureParser:
    """The parser in a folder; files that are not those that were written with it are refused."""
    folder = Path(folder)
    record = read_model_file(folder)
    kinds = {
        "settings": dict,
        "data": dict,
        "seed": int,
        "words": list,
        "answers": list,
        "detector": dict,
        "files": dict,
    }
    if any(not isinstance(record.get(name), kind) for name, kind in kinds.items()):
        raise InputFileError(f"{folder / MODEL}: does not say what a picture model needs", _AGAIN)
    settings = PictureSettings.from_dict(record["settings"])
    parser = PictureParser(settings, PictureData.of(record["data"]), record["seed"], device)
    parser.words, parser.answers = Words(tuple(record["words"])), list(record["answers"])
    parser.learned, parser.world = int(record.get("learned") or 0), str(record.get("world") or "")
    parser.weights = _tensors(folder, WEIGHTS, record["files"])
    check_vocabulary(parser, folder)
    if settings.looks:
        from recombine.models.pictures.nets.detector import Detector

        seen = record["detector"]
        state = _tensors(folder, DETECTOR, record["files"])
        parser.detector = Detector.from_state(settings, seen.get("names", []), seen.get("attributes", []), state)
    return parser


def _tensors(folder: Path, name: str, files: dict[str, str]) -> dict[str, Tensor]:
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    path = folder / name
    if not path.is_file():
        raise InputFileError(f"{path}: is missing", _AGAIN)
    if file_digest(path) != files.get(name):
        raise InputFileError(f"{path}: is not the file that {MODEL} was written with", _AGAIN)
    return load_checkpoint(path)[0]


def check_vocabulary(parser: PictureParser, folder: Path) -> None:
    """Refuse weights for other words or answers than those of `model.json`."""
    assert parser.words is not None  # noqa: S101  # they were just read
    for name, axis, wanted in (("words", 1, len(parser.words)), ("answers", 2, len(parser.answers))):
        held = parser.weights[name].shape[axis] if name in parser.weights else 0
        if held != wanted:
            problem = f"{folder}: the weights are for {held} {name}, and {MODEL} has {wanted}: of another vocabulary"
            raise InputFileError(problem, _AGAIN)
