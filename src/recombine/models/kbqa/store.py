"""A parser of questions over a knowledge base as a folder.

model.json             settings, how it was trained, and the digests of the other files; it comes last
weights.safetensors    the network, a pretrained transformer that was tuned among it
encoder/               of a pretrained transformer what is needed besides: configuration and tokenizer
vectors.npy, .txt      fixed vectors with their words, so that the folder answers over any graph by itself
"""

from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, RecombineError
from recombine.files import make_folder, read_bytes, write_whole
from recombine.kb.linking.tagger import Tagger
from recombine.models.kbqa.encoder_files import check_encoder
from recombine.models.kbqa.kbqa_settings import PRETRAINED, VECTORS, KbqaSettings
from recombine.models.kbqa.kept_training import TrainedRecord
from recombine.models.kbqa.parser import KbqaParser
from recombine.models.model_file import MODEL, file_digest, read_model_file, write_model_file

if TYPE_CHECKING:
    from torch import Tensor

FORM = "recombine-kbqa-parser/1"
WEIGHTS, ENCODER, ARRAY, WORDS, TAGGER = "weights.safetensors", "encoder", "vectors.npy", "vectors.txt", "tagger.npz"
WEIGHTS_OF_OTHERS = (".safetensors", ".bin", ".pt", ".pth", ".h5", ".msgpack", ".onnx", ".ot")
"""Files of a pretrained transformer that are not copied: its weights, in whatever form."""
LARGEST = 64 * 2**20
"""Bytes of the largest file of a tokenizer that is copied."""
_AGAIN = "train the parser again"


def save(parser: KbqaParser, folder: Path, signature: str) -> None:
    """Write a fitted parser to a folder, which is made where it is missing; `model.json` comes last."""
    from recombine.models.seq2seq.training.checkpoint import save_checkpoint

    if parser.net is None or parser.record is None:
        raise RecombineError("the parser has learned nothing", "call `fit` first")
    folder = make_folder(folder)
    (folder / MODEL).unlink(missing_ok=True)
    for name in (ARRAY, WORDS, TAGGER):
        (folder / name).unlink(missing_ok=True)  # those of a parser that was here before
    shutil.rmtree(folder / ENCODER, ignore_errors=True)
    save_checkpoint(folder / WEIGHTS, parser.net.state())
    _save_encoder(parser, folder)
    if parser.tagger is not None:
        parser.tagger.save(folder / TAGGER)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_model_file(
        folder,
        FORM,
        signature,
        settings=parser.settings.to_dict(),
        language=parser.language,
        seed=parser.seed,
        learned=parser.learned,
        trained=asdict(parser.record),
        files={path.relative_to(folder).as_posix(): file_digest(path) for path in files},
    )


def _save_encoder(parser: KbqaParser, folder: Path) -> None:
    """Copy what is needed of the encoder besides the weights of the network."""
    path = parser.encoder_files or check_encoder(parser.settings)
    if path is None:
        return
    if parser.settings.encoder_kind == PRETRAINED:
        for file in sorted(path.iterdir()):
            small = file.is_file() and file.stat().st_size <= LARGEST
            if small and not file.name.startswith(".") and file.suffix not in WEIGHTS_OF_OTHERS:
                write_whole(make_folder(folder / ENCODER) / file.name, read_bytes(file))
        return
    import io

    import numpy as np

    from recombine.models.kbqa.nets.read_vectors import read_vectors

    read, stream = read_vectors(path), io.BytesIO()
    np.save(stream, read.vectors, allow_pickle=False)
    write_whole(folder / ARRAY, stream.getvalue())
    write_whole(folder / WORDS, "".join(f"{word}\n" for word in read.words).encode())


def load(folder: Path | str, device: str = "") -> KbqaParser:
    """The parser in a folder; files that are not those that were written with it are refused."""
    from recombine.models.device import choose_device
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet

    folder = Path(folder)
    record = read_model_file(folder)
    kinds = {"settings": dict, "language": str, "seed": int, "learned": int, "trained": dict, "files": dict}
    if any(not isinstance(record.get(name), kind) for name, kind in kinds.items()):
        raise InputFileError(f"{folder / MODEL}: does not say what a parser of this family needs", _AGAIN)
    state = _read_files(folder, record["files"])
    settings = KbqaSettings.from_dict(record["settings"])
    files = {PRETRAINED: folder / ENCODER, VECTORS: folder / ARRAY}.get(settings.encoder_kind)
    try:
        trained = TrainedRecord.of(record["trained"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputFileError(f"{folder / MODEL}: does not say how it was trained ({error})", _AGAIN) from None
    parser = KbqaParser(settings, record["seed"], device, record["language"], encoder_files=files, record=trained)
    parser.learned = record["learned"]
    parser.tagger = Tagger.load(folder / TAGGER) if TAGGER in record["files"] else None
    parser.net = KbqaNet.load(state, settings, encoder_files=files).to(choose_device(device))
    return parser


def _read_files(folder: Path, files: dict[str, Any]) -> dict[str, Tensor]:
    """The tensors of a folder, when all of its files are those of `model.json`."""
    from recombine.models.seq2seq.training.checkpoint import load_checkpoint

    for name, digest in files.items():
        path = folder / name
        if ".." in Path(name).parts or not path.is_file():
            raise InputFileError(f"{path}: is missing", _AGAIN)
        if file_digest(path) != digest:
            raise InputFileError(f"{path}: is not the file that {MODEL} was written with", _AGAIN)
    if WEIGHTS not in files:
        raise InputFileError(f"{folder / WEIGHTS}: is missing", _AGAIN)
    return load_checkpoint(folder / WEIGHTS)[0]
