"""The encoder that settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.kbqa.kbqa_settings import PRETRAINED, SCRATCH
from recombine.models.kbqa.nets.pretrained_encoder import PretrainedEncoder
from recombine.models.kbqa.nets.read_vectors import read_vectors
from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder
from recombine.models.kbqa.nets.vectors_encoder import VectorsEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.models.kbqa.kbqa_settings import KbqaSettings


def make_encoder(
    settings: KbqaSettings, *, files: Path | str | None = None, words: Sequence[str] = ()
) -> ScratchEncoder | VectorsEncoder | PretrainedEncoder:
    """A new encoder, from `files` where the settings' own path is not where it lies.

    `words` are those that an encoder from scratch has vectors for.
    """
    if settings.encoder_kind == SCRATCH:
        return ScratchEncoder(words, settings.word_width)
    path = files or settings.encoder_path
    if settings.encoder_kind == PRETRAINED:
        return PretrainedEncoder.read(path, settings.chunk)
    return VectorsEncoder(read_vectors(path))
