"""Stored stages: weights in the safetensors format, under a key of all that decides them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import torch

from recombine.errors import InputFileError
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor


def stage_key(*parts: Any) -> str:
    """A digest of what decides a stage: digests of arrays, settings, seeds.

    >>> stage_key("a", {"x": 1}) == stage_key("a", {"x": 1}), stage_key("a", 1) == stage_key("a", 2)
    (True, False)
    """
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def save_stage(
    path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None, *, half: bool = False
) -> None:
    """Write the weights of a stage, in 16 bits where `half`: what a GPU trained has no more."""
    kept = {
        name: value.to(torch.float16) if half and value.is_floating_point() else value.float()
        for name, value in tensors.items()
    }
    save_checkpoint(path, kept, metadata)


def load_stage(path: Path, key: str | None = None) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The weights of a stored stage in 32 bits, which must be of this key, and what was noted with them."""
    tensors, metadata = load_checkpoint(path)
    if key is not None and metadata.get("key") != key:
        raise InputFileError(f"{path}: is a stage of other data or settings", "train the stages before it again")
    return {name: value.float() for name, value in tensors.items()}, metadata
