"""The architectures behind one interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures import cgps, lstm, syntactic_attention, transformer, universal
from recombine.models.seq2seq.architectures.halting import ponder_cost
from recombine.models.seq2seq.architectures.layers import smoothed_loss
from recombine.models.seq2seq.dropout import Drops

if TYPE_CHECKING:
    from recombine.models.seq2seq.architectures.parameters import Parameter
    from recombine.models.seq2seq.architectures.transformer import Weights
    from recombine.models.seq2seq.settings import Seq2SeqSettings

PAD, END = 0, 1
"""The first two symbols of every vocabulary: padding, which also starts every target, and the end."""
_MODULES: dict[str, Any] = {
    "lstm": lstm,
    "transformer": transformer,
    "universal-transformer": universal,
    "syntactic-attention": syntactic_attention,
    "cgps": cgps,
}
_WHOLE = ("syntactic-attention", "cgps")
"""Small networks, whose steps on a GPU are many short ones: half precision would not make them faster."""


class StepDecoder(Protocol):
    """Decodes position by position."""

    def step(self, ids: Tensor) -> Tensor:
        """The last symbols (K, B) -> logits of the next (K, B, V)."""

    def reorder(self, rows: Tensor) -> None:
        """Go on with what was decoded of these examples (K, B), which have the same sources as those they replace."""


class Model:
    """An architecture with its settings and number of symbols; the weights are passed in.

    >>> from recombine.models.seq2seq.settings import Seq2SeqSettings
    >>> Model(Seq2SeqSettings(architecture="transformer", width=8, heads=2, filter_width=16), symbols=10).columns
    16
    """

    def __init__(self, settings: Seq2SeqSettings, symbols: int) -> None:
        self.settings, self.symbols = settings, symbols
        self.columns = -(-symbols // 8) * 8
        """Rows of the embedding: the symbols, and padding that matrix units want."""
        self.gpu_type = torch.float32 if settings.architecture in _WHOLE else torch.bfloat16
        """What a GPU computes with."""
        self._module = _MODULES[settings.architecture]

    def parameters(self) -> list[Parameter]:
        """The weights of one replica."""
        return list(self._module.iter_parameters(self.settings, self.columns))

    def places(self) -> int:
        """How many keys of dropout a step needs."""
        return int(self._module.places(self.settings))

    def loss(self, weights: Weights, source: Tensor, target: Tensor, drops: Drops) -> Tensor:
        """The loss of each replica (K,) on sources (K, B, S) and targets (K, B, T), ends included, padded with 0."""
        ponder: list[Tensor] = []
        logits = self.logits(weights, source, target, drops, ponder)
        smoothing = self.settings.label_smoothing
        loss = smoothed_loss(logits.flatten(1, 2), target.flatten(1), smoothing=smoothing, symbols=self.symbols)
        for cost, ids in zip(ponder, (source, target), strict=False):
            loss = loss + self.settings.ponder * ponder_cost(cost, ids)
        if not (self.settings.norm_cost or self.settings.summed):
            return loss
        symbols = (target > 0).sum((1, 2)).clamp(min=1)  # (K,)
        if self.settings.norm_cost:
            loss = loss + self.settings.norm_cost * cgps.squares(weights, source) / symbols
        if self.settings.summed:
            loss = loss * symbols / (target[:, :, 0] > 0).sum(1).clamp(min=1)
        return loss

    def logits(
        self, weights: Weights, source: Tensor, target: Tensor, drops: Drops, ponder: list[Tensor] | None = None
    ) -> Tensor:
        """Logits (K, B, T, columns) of each target symbol, given those before it.

        With halting, the costs of source and target positions are added to `ponder`.
        """
        lengths = (source != PAD).sum(2, dtype=torch.int32)  # (K, B)
        more = {"ponder": ponder} if self.settings.halting else {}
        memory = self._module.encode(weights, self.settings, source, lengths, drops, **more)
        before = torch.nn.functional.pad(target[:, :, :-1], (1, 0), value=PAD)
        logits: Tensor = self._module.decode(weights, self.settings, before, memory, lengths, drops, **more)
        return logits

    def decoder(self, weights: Weights, source: Tensor, longest: int) -> StepDecoder:
        """Encodes sources (K, B, S), then decodes position by position."""
        lengths = (source != PAD).sum(2, dtype=torch.int32)
        drops = Drops()
        memory = self._module.encode(weights, self.settings, source, lengths, drops)
        decoder: StepDecoder = self._module.Decoder(weights, self.settings, memory, lengths, longest, drops)
        return decoder
