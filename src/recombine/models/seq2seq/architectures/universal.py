"""The Universal Transformer (Dehghani et al., 2018) for K replicas at once: one layer, applied again and again.

In front of each step the state gets the sinusoidal signal of its position and a learned signal of the step. Everything
else is as in `transformer`, of which this takes the parts. All positions take the same number of steps, unless
`halting` is on (see there): then each has its own, and the number is the most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures import halting, transformer
from recombine.models.seq2seq.architectures.halting import Halting
from recombine.models.seq2seq.architectures.layers import embed, timing_signal
from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.architectures.transformer import Attend, Weights, attend_source, attend_target, run_layers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.seq2seq.dropout import Drops
    from recombine.models.seq2seq.settings import Seq2SeqSettings


def iter_parameters(settings: Seq2SeqSettings, symbols: int) -> Iterator[Parameter]:
    """The weights of one replica."""
    yield Parameter("embedding", (symbols, settings.width), "normal")
    for side in ("encoder", "decoder"):
        yield Parameter(f"{side}.steps", (settings.layers, settings.width), "normal")
        yield from transformer.iter_layer(f"{side}.layer", settings, cross=side == "decoder")
        yield from transformer.iter_norm(side, settings.width)
    if settings.halting:
        yield from halting.iter_parameters(settings)


places = transformer.places


def layer_names(side: str, settings: Seq2SeqSettings) -> list[str]:
    """The weights of each step of a side: the same every time."""
    return [f"{side}.layer"] * settings.layers


def run_steps(
    weights: Weights,
    settings: Seq2SeqSettings,
    y: Tensor,
    side: str,
    attend: Attend,
    drops: Drops,
    positions: int,
    signals: tuple[Tensor, Tensor],
    ponder: list[Tensor] | None = None,
) -> Tensor:
    """All steps of one side: embedded input (K, N, D) -> normed output (K, N, D).

    With halting, the costs of positions (K, N) are added to `ponder`.
    """
    names = layer_names(side, settings)
    if not settings.halting:
        return run_layers(weights, y, side, names, attend, drops, positions, signals)
    watcher = Halting(weights, settings, side, signals)
    run_layers(weights, y, side, names, attend, drops, positions, signals, watcher.see)
    if ponder is not None:
        ponder.append(watcher.cost)
    return watcher.output(y.dtype)


def encode(
    weights: Weights,
    settings: Seq2SeqSettings,
    source: Tensor,
    lengths: Tensor,
    drops: Drops,
    ponder: list[Tensor] | None = None,
) -> Tensor:
    """Source symbols (K, B, S) of these lengths (K, B) -> (K, B, S, D)."""
    k, b, s = source.shape
    attend = attend_source(weights, settings, lengths, drops, b)
    y = embed(weights["embedding"], source.flatten(1), settings.width**0.5, None)
    signals = step_signals(weights, settings, "encoder", s)
    n = run_steps(weights, settings, y, "encoder", attend, drops, s, signals, ponder)
    return n.view(k, b, s, -1)


def decode(
    weights: Weights,
    settings: Seq2SeqSettings,
    target: Tensor,
    memory: Tensor,
    lengths: Tensor,
    drops: Drops,
    ponder: list[Tensor] | None = None,
) -> Tensor:
    """Symbols that come before (K, B, T) and the encoded source (K, B, S, D) -> logits of what follows (K, B, T, V)."""
    k, b, t = target.shape
    attend = attend_target(weights, settings, memory, lengths, drops)
    y = embed(weights["embedding"], target.flatten(1), settings.width**0.5, None)
    signals = step_signals(weights, settings, "decoder", t)
    n = run_steps(weights, settings, y, "decoder", attend, drops, t, signals, ponder)
    return torch.bmm(n, weights["embedding"].mT).view(k, b, t, -1)


def step_signals(weights: Weights, settings: Seq2SeqSettings, side: str, positions: int) -> tuple[Tensor, Tensor]:
    """What is added in front of each step: rows of positions (positions, D) and of steps (K, steps, D)."""
    steps = weights[f"{side}.steps"].float() * settings.width**0.5
    return timing_signal(positions, settings.width, steps.device), steps


class Decoder(transformer.Decoder):
    """Decoding position by position, with keys and values kept for each step."""

    def layer_names(self, settings: Seq2SeqSettings) -> list[str]:
        """The weights of each step."""
        return layer_names("decoder", settings)

    def embed(self, ids: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor] | None]:
        """Symbols (K, B) -> (K, B, D), and the signals of the current position and of each step."""
        _, steps = step_signals(self.weights, self.settings, "decoder", 1)
        signal = self.signal[self.position : self.position + 1]
        return embed(self.weights["embedding"], ids, self.settings.width**0.5, None), (signal, steps)

    def run(self, y: Tensor, signals: tuple[Tensor, Tensor] | None) -> Tensor:
        """All steps at one position: (K, B, D) -> (K, B, D)."""
        if signals is None:
            signals = step_signals(self.weights, self.settings, "decoder", 1)
        return run_steps(self.weights, self.settings, y, "decoder", self.attend, self.drops, 1, signals)
