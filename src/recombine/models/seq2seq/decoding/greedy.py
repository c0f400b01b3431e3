"""Greedy decoding, batched over examples and replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.architecture import END, PAD, Model

if TYPE_CHECKING:
    from recombine.models.seq2seq.architectures.transformer import Weights


@torch.no_grad()
def greedy(model: Model, weights: Weights, source: Tensor, longest: int) -> Tensor:
    """The likeliest symbol at each position: sources (K, B, S) -> (K, B, longest), 0 after the end symbol."""
    decoder = model.decoder(weights, source, longest)
    last = torch.full_like(source[:, :, 0], PAD)  # (K, B)
    out = torch.full((*last.shape, longest), PAD, dtype=source.dtype, device=source.device)
    running = torch.ones_like(last, dtype=torch.bool)
    for position in range(longest):
        logits = decoder.step(last)[:, :, : model.symbols]
        logits[:, :, PAD] = float("-inf")
        last = torch.where(running, logits.argmax(2), PAD)
        out[:, :, position] = last
        running &= last != END
        if position % 8 == 7 and not bool(running.any()):
            break
    return out
