"""Vision-language checkpoints from local directories: nothing is fetched, weights are safetensors, no code is run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.files import read_text
from recombine.models.pretrained.local_checkpoint import check_directory, check_installed, load_tokenizer, quiet

if TYPE_CHECKING:
    from pathlib import Path

_LOCAL = {"local_files_only": True, "trust_remote_code": False}


def load_lxmert(folder: Path) -> Any:
    """The model of a directory of LXMERT."""
    import transformers

    if _model_type(folder) != "lxmert":
        said = f"is a checkpoint of the kind {_model_type(folder)!r}, not of lxmert"
        raise InputFileError(f"{folder}: {said}", "name it transformers:DIR where it takes several pictures")
    return _loaded(folder, transformers.LxmertModel)


def load_several(folder: Path) -> Any:
    """The model of a directory that takes pictures and a text."""
    import transformers

    _model_type(folder)
    return _loaded(folder, transformers.AutoModelForImageTextToText)


def load_words(folder: Path) -> Any:
    """The tokenizer of a directory."""
    _model_type(folder)
    return load_tokenizer(folder)


def load_processor(folder: Path) -> Any:
    """What brings pictures and texts into the checkpoint's form."""
    import transformers

    _model_type(folder)
    return _asked(folder, "the processor", lambda: transformers.AutoProcessor.from_pretrained(str(folder), **_LOCAL))


def _loaded(folder: Path, model_class: Any) -> Any:
    def load() -> Any:
        return model_class.from_pretrained(str(folder), use_safetensors=True, output_loading_info=True, **_LOCAL)

    model, information = _asked(folder, "the model", load)
    missing = sorted(information["missing_keys"])
    if missing:
        raise InputFileError(
            f"{folder}: has no weights for {missing[0]} and {len(missing) - 1} others", "give a whole checkpoint"
        )
    return model.float()


def _asked(folder: Path, what: str, load: Any) -> Any:
    """What the library gives; whatever it raises of a directory is one line."""
    from safetensors import SafetensorError

    wrong = (OSError, ValueError, KeyError, TypeError, AttributeError, ImportError, RuntimeError, SafetensorError)
    with quiet():
        try:
            return load()
        except wrong as error:
            reason = str(error).strip().split("\n")[0] or type(error).__name__
            raise InputFileError(f"{folder}: {what} cannot be loaded ({reason})", "check the directory") from error


def _model_type(folder: Path) -> str:
    check_installed()
    check_directory(folder)
    try:
        return str(json.loads(read_text(folder / "config.json")).get("model_type", ""))
    except json.JSONDecodeError as error:
        raise InputFileError(f"{folder / 'config.json'}: broken JSON ({error.msg})", "download it again") from None
