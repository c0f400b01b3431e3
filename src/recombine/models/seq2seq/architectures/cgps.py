"""CGPS (Li et al., 2019, on primitive substitutions) for K replicas at once: two embeddings of each word.

The function of a word goes into an LSTM in each direction and from there, through a decoder with dot-product attention
(Luong's, its attention vector fed back), into one attention map over source positions per output. The meaning of a
word, which the paper calls its primitive, stays as it is: the output is a linear map of the meanings under the map.
Neither embedding is to know more than it needs: training adds noise to both, and their squares cost something in the
loss (`norm_cost` here; together they bound the entropy). The decoder does not read its own outputs.

A map has a column for each source position, counted from the start, so sources are at most `positions` long. Sizes in
the margin: K replicas, B examples, S source and T target positions, P columns of a map, H features, M of a meaning, F
of a function, V symbols.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures import both_ways as pair
from recombine.models.seq2seq.architectures.both_ways import both_ways
from recombine.models.seq2seq.architectures.layers import by_example
from recombine.models.seq2seq.architectures.lstm import join, run_cell
from recombine.models.seq2seq.architectures.over_time import over_time
from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.architectures.syntactic_attention import embed_words
from recombine.models.seq2seq.dropout import row_codes
from recombine.models.seq2seq.noise import add_noise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.seq2seq.architectures.lstm import Weights
    from recombine.models.seq2seq.dropout import Drops
    from recombine.models.seq2seq.settings import Seq2SeqSettings

Memory = tuple[Tensor, Tensor, Tensor, Tensor]
"""Meanings (K, B, S, M), encoded functions (K, B, S, H), and the first state and cell of the decoder (K, B, H)."""
TABLES = ("meaning", "function")


def iter_parameters(settings: Seq2SeqSettings, symbols: int) -> Iterator[Parameter]:
    """The weights of one replica."""
    h, m, f = settings.width, settings.meaning_width, settings.function_width
    for table, width in zip(TABLES, (m, f), strict=True):
        yield Parameter(f"{table}.embedding", (symbols, width), "uniform")
    yield from pair.iter_parameters("encoder", f, h // 2)
    for part in ("in", "state"):
        yield Parameter(f"decoder.{part}", (h, 4 * h), fans=(2 * h, 4 * h))
    yield Parameter("decoder.bias", (4 * h,), "zeros")
    yield Parameter("attention.keys", (h, h))
    yield Parameter("attention.context", (h, h), fans=(2 * h, h))
    yield Parameter("attention.own", (h, h), fans=(2 * h, h))
    yield Parameter("map", (h, settings.positions))
    yield Parameter("map_bias", (settings.positions,), "zeros")
    yield Parameter("output", (m, symbols))
    yield Parameter("output_bias", (symbols,), "zeros")


def places(settings: Seq2SeqSettings) -> int:
    """How many places of the model drop or get noise."""
    return 4 if settings.noise else 2


def embed_noisy(table: Tensor, source: Tensor, drops: Drops) -> Tensor:
    """Rows of a table for sources (K, B, S), with dropout and noise: (K, B, S, …)."""
    _, b, s = source.shape
    y = embed_words(table, source, drops)
    key = drops.next_noise()
    if key is None:
        return y
    return by_example(add_noise(y.flatten(1, 2), key, row_codes(b, s, y.device), drops.noise), b)


def encode(weights: Weights, settings: Seq2SeqSettings, source: Tensor, lengths: Tensor, drops: Drops) -> Memory:
    """Sources (K, B, S) of these lengths (K, B) -> meanings, encoded functions, the first state and cell."""
    del settings
    meanings, functions = (embed_noisy(weights[f"{table}.embedding"], source, drops) for table in TABLES)
    return meanings, *both_ways(weights, "encoder", functions, lengths)


def squares(weights: Weights, source: Tensor) -> Tensor:
    """The mean squares of both embeddings, added up over all words of sources (K, B, S): (K,)."""
    words = source.flatten(1)
    each = [weights[f"{table}.embedding"].float().square().mean(2) for table in TABLES]  # (K, V)
    counts = torch.zeros_like(each[0]).scatter_add_(1, words, (words > 0).to(each[0].dtype))
    return ((each[0] + each[1]) * counts).sum(1)


class Decoder:
    """The decoder, one position at a time, of which what it has said is no part."""

    def __init__(
        self,
        weights: Weights,
        settings: Seq2SeqSettings,
        memory: Memory,
        lengths: Tensor,
        longest: int,
        drops: Drops,
    ) -> None:
        del settings, longest, drops
        self.weights = weights
        self.meanings, self.memory, self.state, self.cell = memory
        b, s = self.memory.shape[1:3]
        self.keys = by_example(torch.bmm(self.memory.flatten(1, 2), weights["attention.keys"]), b)  # (K, B, S, H)
        self.unseen = torch.arange(s, device=lengths.device) >= lengths[..., None]  # (K, B, S)
        gates = torch.cat([weights["decoder.in"], weights["decoder.state"]], 1)
        self.gates = over_time(gates, weights["decoder.bias"])
        self.mix = over_time(torch.cat([weights["attention.context"], weights["attention.own"]], 1))
        self.attention = torch.zeros_like(self.state)

    def advance(self) -> Tensor:
        """The attention vector (K, B, H) of the next position."""
        gates = self.gates(join(self.attention, None, self.state))
        bias = self.weights["decoder.bias"].detach()  # its gradient is made with that of the gates' matrix
        self.state, self.cell = run_cell(gates, bias, self.cell, self.state, None, 0)
        scores = torch.matmul(self.keys, self.state[..., None])[..., 0].float()  # (K, B, S)
        weights = scores.masked_fill(self.unseen, -1e9).softmax(2).to(self.memory.dtype)
        context = torch.matmul(weights[:, :, None], self.memory)[:, :, 0]
        self.attention = self.mix(join(context, None, self.state))
        return self.attention

    def logits(self, attention: Tensor) -> Tensor:
        """Attention vectors (K, B, T, H) -> (K, B, T, V), by a map for each and the meanings under it."""
        k, b, t, _ = attention.shape
        s = self.meanings.shape[2]
        scores = torch.baddbmm(
            self.weights["map_bias"][:, None, :s], attention.flatten(1, 2), self.weights["map"][:, :, :s]
        )
        maps = scores.view(k, b, t, s).float().masked_fill(self.unseen[:, :, None], -1e9).softmax(3)
        meanings = torch.matmul(maps.to(self.meanings.dtype), self.meanings).flatten(1, 2)  # (K, B·T, M)
        logits = torch.baddbmm(self.weights["output_bias"][:, None], meanings, self.weights["output"])
        return logits.view(k, b, t, -1)

    def step(self, ids: Tensor) -> Tensor:
        """The last symbols (K, B), which change nothing -> logits of the next (K, B, V)."""
        del ids
        return self.logits(self.advance()[:, :, None])[:, :, 0]

    def reorder(self, rows: Tensor) -> None:
        """Nothing changes: examples of one source are in one state, whatever they have said."""


def decode(
    weights: Weights, settings: Seq2SeqSettings, target: Tensor, memory: Memory, lengths: Tensor, drops: Drops
) -> Tensor:
    """As many positions as symbols that come before (K, B, T) -> logits of what follows (K, B, T, V)."""
    decoder = Decoder(weights, settings, memory, lengths, target.shape[2], drops)
    return decoder.logits(torch.stack([decoder.advance() for _ in range(target.shape[2])], 2))
