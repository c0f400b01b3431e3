"""The neural scorer as files: weights as safetensors, and of a pretrained encoder its configuration and tokenizer."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

from recombine.errors import InputFileError
from recombine.models.nqg.scoring.encoders import PretrainedEncoder, SmallEncoder
from recombine.models.nqg.scoring.loglinear import LogLinear, surroundings
from recombine.models.nqg.scoring.neural import Neural
from recombine.models.nqg.scoring.scorer_training import find_device, make_network

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.models.nqg.rule import QcfgRule
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

WEIGHTS, ENCODER = "weights.safetensors", "encoder"
_TERMS = ("rules", "keys", "weights")


def to_files(scorer: Neural) -> dict[str, bytes]:
    """The files of a scorer by their names."""
    tensors = {f"network.{name}": part.cpu().contiguous() for name, part in scorer.network.state_dict().items()}
    tensors |= {f"terms.{name}": torch.tensor(getattr(scorer.terms, name)) for name in _TERMS}
    files = {WEIGHTS: save(tensors)}
    if isinstance(scorer.network.encoder, PretrainedEncoder):
        with tempfile.TemporaryDirectory() as folder:
            scorer.network.encoder.save_form(Path(folder))
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    files[f"{ENCODER}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    return files


def words_of(scorer: Neural) -> list[str]:
    """The words that the encoder knows, none where it is pretrained."""
    encoder = scorer.network.encoder
    return list(encoder.words) if isinstance(encoder, SmallEncoder) else []


def from_files(
    folder: Path,
    files: Mapping[str, bytes],
    settings: NeuralSettings,
    rules: Sequence[QcfgRule],
    words: Sequence[str],
    *,
    device: str = "cpu",
) -> Neural:
    """The scorer in a directory whose files have been read."""
    place = find_device(device)
    with torch.random.fork_rng(devices=[]):
        encoder = PretrainedEncoder.load_form(folder / ENCODER) if settings.encoder else None
        network = make_network(settings, len(rules), words, encoder)
    try:
        tensors = load(files[WEIGHTS])
        terms: dict[str, Any] = {name: tensors.pop(f"terms.{name}").numpy() for name in _TERMS}
        network.load_state_dict({name.removeprefix("network."): part for name, part in tensors.items()})
    except (SafetensorError, KeyError, RuntimeError) as error:
        raise InputFileError(
            f"{folder / WEIGHTS}: does not fit the scorer ({str(error).splitlines()[0]})", "save the parser again"
        ) from error
    return Neural(settings, network.to(place).eval(), LogLinear(surroundings(rules), **terms))
