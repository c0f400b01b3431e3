"""Checkpoints from a directory on disk, with nothing fetched and nothing printed.

Weights are read from safetensors files only: other forms can hold code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging as python_logging
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKENIZERS = ("tokenizer.json", "spiece.model", "tokenizer.model", "vocab.txt", "vocab.json")


def check_installed() -> None:
    """Refuse where torch or transformers is not installed."""
    for name in ("torch", "transformers"):
        if importlib.util.find_spec(name) is None:
            raise RecombineError(
                f"pretrained models need {name}, which is not installed", "install recombine[pretrained]"
            )


def check_directory(path: Path | str) -> Path:
    """The path, when it is a directory with a configuration, a tokenizer and weights."""
    folder = Path(path)
    if not folder.is_dir():
        raise InputFileError(
            f"{path}: no such directory",
            "nothing is fetched here: download the checkpoint first, and give the directory it is in",
        )
    for wanted, present in (
        ("config.json", (folder / "config.json").is_file()),
        ("tokenizer", any((folder / name).is_file() for name in TOKENIZERS)),
        ("*.safetensors", any(folder.glob("*.safetensors"))),
    ):
        if not present:
            raise InputFileError(f"{folder}: has no {wanted}", "download the whole checkpoint into the directory")
    return folder


def checkpoint_digest(path: Path | str) -> str:
    """A digest of all files of a checkpoint: what decides the results besides the settings."""
    folder = check_directory(path)
    files = sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        stat = file.stat()
        digest.update(f"{file.name}\0{_file_digest(file, stat.st_mtime_ns, stat.st_size)}\0".encode())
    return digest.hexdigest()


@lru_cache(maxsize=256)
def _file_digest(path: Path, _changed: int, _size: int) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def find_kind(folder: Path) -> str:
    """The kind of model that a configuration describes."""
    try:
        config = json.loads(read_text(folder / "config.json"))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{folder / 'config.json'}: broken JSON ({error.msg})", "download it again") from None
    if config.get("is_encoder_decoder"):
        return "seq2seq"
    names = config.get("architectures") or []
    if any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in names):
        return "causal"
    if any(name.endswith(("ForMaskedLM", "ForPreTraining", "Model")) for name in names):
        return "copying"
    raise OptionError(f"{folder}: config.json does not tell what kind of model it is", "give the setting kind")


@contextmanager
def quiet() -> Iterator[None]:
    """Switch off the library's messages and progress bars for a while."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(python_logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def load_tokenizer(folder: Path, **options: Any) -> Any:
    """The tokenizer of a directory."""
    import transformers

    with quiet(), _named_errors(folder, "the tokenizer"):
        return transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False, **options
        )


def load_model(folder: Path, kind: str, *, random_weights: bool = False) -> Any:
    """The model of a directory with weights in fp32; weights that are missing are an error.

    With `random_weights` only its form is read, and they are drawn by torch's generator.
    """
    import transformers

    model_class = {
        "seq2seq": transformers.AutoModelForSeq2SeqLM,
        "causal": transformers.AutoModelForCausalLM,
        "copying": transformers.AutoModel,
    }[kind]
    if random_weights:
        with quiet(), _named_errors(folder, f"a {kind} model"):
            config = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True)
            return model_class.from_config(config).float()
    with quiet(), _named_errors(folder, f"a {kind} model"):
        model, loading_info = model_class.from_pretrained(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
        )
    missing = sorted(name for name in loading_info["missing_keys"] if not name.startswith("pooler."))
    if missing:
        raise InputFileError(
            f"{folder}: has no weights for {missing[0]} and {len(missing) - 1} others of a {kind} model",
            "give a checkpoint of that kind, or another setting kind",
        )
    return model.float()


@contextmanager
def _named_errors(folder: Path, what: str) -> Iterator[None]:
    """Turn whatever the library raises on a directory into one line that names it."""
    from safetensors import SafetensorError

    wrong = (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, RuntimeError, SafetensorError)
    try:
        yield
    except wrong as error:
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputFileError(f"{folder}: {what} cannot be loaded ({reason})", "check the directory") from error
