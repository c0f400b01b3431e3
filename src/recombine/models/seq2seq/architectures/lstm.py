"""An LSTM encoder and decoder with Bahdanau attention of several heads, for K replicas at once.

The source is read backwards. The decoder's input is the last symbol beside the last attention vector; its output is the
attention vector. As in the framework the paper used, the heads share the projections of queries and memory, each has
its own vector of scores, and each makes its part of the attention vector from the cell's output beside its own context.
Dropout is on the inputs of every cell. Sizes in the margin: K replicas, B examples, S source and T target positions, H
features, A features of one head's part, V symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.architectures.attend_over_time import attend_over_time
from recombine.models.seq2seq.architectures.layers import by_example, embed
from recombine.models.seq2seq.architectures.over_time import over_time
from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.dropout import kept, row_codes
from recombine.models.seq2seq.kernels.bahdanau import fits
from recombine.models.seq2seq.kernels.cell import LstmCell
from recombine.models.seq2seq.kernels.cell import factors as fused_factors
from recombine.models.seq2seq.kernels.join import Join

if TYPE_CHECKING:
    from recombine.models.seq2seq.dropout import Drops
    from recombine.models.seq2seq.settings import Seq2SeqSettings

Weights = Mapping[str, Tensor]
Linear = Callable[[Tensor], Tensor]
_cell: Any = LstmCell.apply
_join: Any = Join.apply


def iter_parameters(settings: Seq2SeqSettings, symbols: int) -> Iterator[Parameter]:
    """The weights of one replica."""
    h, heads, a = settings.width, settings.heads, settings.attention_width
    for table in ("source", "target", "softmax"):
        yield Parameter(f"{table}.embedding", (symbols, h), "normal")
    for side, first in (("encoder", h), ("decoder", h + heads * a)):
        for layer in range(settings.layers):
            inputs = first if layer == 0 else h
            yield Parameter(f"{side}.{layer}.in", (inputs, 4 * h), fans=(inputs + h, 4 * h))
            yield Parameter(f"{side}.{layer}.state", (h, 4 * h), fans=(inputs + h, 4 * h))
            yield Parameter(f"{side}.{layer}.bias", (4 * h,), "zeros")
    yield Parameter("attention.memory", (h, h))
    yield Parameter("attention.query", (h, h))
    yield Parameter("attention.score", (h, heads), fans=(h, h))
    yield Parameter("attention.own", (h, heads * a), fans=(2 * h, a))
    yield Parameter("attention.context", (heads, h, a), fans=(2 * h, a))
    yield Parameter("output", (heads * a, h))
    yield Parameter("output_bias", (h,), "zeros")


def places(settings: Seq2SeqSettings) -> int:
    """How many places of the model drop."""
    return 2 * settings.layers + 1


def drop_factors(drops: Drops, examples: int, positions: int, columns: int, like: Tensor) -> Tensor | None:
    """What the inputs of one cell are multiplied with at each position: (T, K, B, columns)."""
    key = drops.next()
    if key is None:
        return None
    if kernels.use("cell", like):
        factors = fused_factors(key, examples, positions, columns, drops.rate, like.dtype)
    else:
        factors = kept(key, row_codes(examples, positions, key.device), columns, drops.rate).to(like.dtype)
        factors = factors / (1 - drops.rate)
    return by_example(factors, examples).permute(2, 0, 1, 3)


def run_cell(
    gates: Tensor, pre: Tensor, cell: Tensor, state: Tensor, lengths: Tensor | None, step: int
) -> tuple[Tensor, Tensor]:
    """One step: gates (K, B, 4H) plus pre (K, B, 4H) or (K, 4H) -> new state and cell (K, B, H).

    An example whose length is passed keeps its state.
    """
    if kernels.use("cell", gates):
        new_state, new_cell = _cell(gates, pre, cell, state, lengths, step)
        return new_state, new_cell
    gates = gates + (pre if pre.dim() == 3 else pre[:, None])
    i, j, f, o = gates.float().chunk(4, -1)
    new_cell = cell * torch.sigmoid(f + 1) + torch.sigmoid(i) * torch.tanh(j)
    new_state = (torch.tanh(new_cell) * torch.sigmoid(o)).to(state.dtype)
    if lengths is not None:
        alive = (step < lengths)[..., None]
        new_cell, new_state = torch.where(alive, new_cell, cell), torch.where(alive, new_state, state)
    return new_state, new_cell


def join(below: Tensor, factors: Tensor | None, state: Tensor) -> Tensor:
    """A cell's input (K, B, I) times its factors, beside its state (K, B, H): (K, B, I + H)."""
    if kernels.use("join", below):
        joined: Tensor = _join(below, factors, state)
        return joined
    return torch.cat([below if factors is None else below * factors, state], 2)


def reverse(source: Tensor, lengths: Tensor) -> Tensor:
    """Sources (K, B, S) backwards, padding still at the end."""
    at = lengths[..., None] - 1 - torch.arange(source.shape[2], device=source.device)
    return torch.where(at >= 0, source.gather(2, at.clamp(min=0)), torch.zeros_like(source))


def all_steps(y: Tensor, weight: Tensor, bias: Tensor, examples: int) -> tuple[Tensor, ...]:
    """The part of the gates that needs no recurrence: inputs (K, B·T, I) -> T times (K, B, 4H)."""
    pre = torch.baddbmm(bias[:, None], y, weight)
    return by_example(pre, examples).unbind(2)


def encode(
    weights: Weights, settings: Seq2SeqSettings, source: Tensor, lengths: Tensor, drops: Drops
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """Sources (K, B, S) of these lengths (K, B) -> outputs (K, B, S, H), and the last state and cell of each layer."""
    k, b, s = source.shape
    y = embed(weights["source.embedding"], reverse(source, lengths).flatten(1), settings.width**0.5, None)
    finals = []
    for layer in range(settings.layers):
        factors = drop_factors(drops, b, s, y.shape[2], y)
        if factors is not None:
            y = y * factors.permute(1, 2, 0, 3).flatten(1, 2)
        pre = all_steps(y, weights[f"encoder.{layer}.in"], weights[f"encoder.{layer}.bias"], b)
        linear = over_time(weights[f"encoder.{layer}.state"])
        state, cell = y.new_zeros(k, b, settings.width), y.new_zeros(k, b, settings.width, dtype=torch.float32)
        states = []
        for step in range(s):
            state, cell = run_cell(linear(state), pre[step], cell, state, lengths, step)
            states.append(state)
        y = torch.stack(states, 2).flatten(1, 2)  # (K, B·S, H)
        finals.append((state, cell))
    return by_example(y, b), finals


class Decoder:
    """The decoder, one position at a time; training walks over the known symbols, decoding over its own."""

    def __init__(
        self,
        weights: Weights,
        settings: Seq2SeqSettings,
        memory: tuple[Tensor, list[tuple[Tensor, Tensor]]],
        lengths: Tensor,
        longest: int,
        drops: Drops,
    ) -> None:
        self.weights, self.settings = weights, settings
        self.memory, finals = memory  # (K, B, S, H)
        self.states, self.cells = [state for state, _ in finals], [cell for _, cell in finals]
        k, b, s, h = self.memory.shape
        self.keys = by_example(torch.bmm(self.memory.flatten(1, 2), weights["attention.memory"]), b)
        self.seen = torch.arange(s, device=lengths.device) < lengths[..., None]  # (K, B, S)
        width = settings.heads * settings.attention_width
        self.attention = self.memory.new_zeros(k, b, width)
        self.position = 0
        self.symbol_factors = drop_factors(drops, b, longest, h, self.memory)
        self.factors = [
            drop_factors(drops, b, longest, width if n == 0 else h, self.memory) for n in range(settings.layers)
        ]
        self.first = weights["decoder.0.in"][:, :h]  # of the symbol; the rest is of the attention vector
        self.linears = [
            over_time(matrix, weights[f"decoder.{layer}.bias"] if layer else None)
            for layer, matrix in enumerate(self._matrices())
        ]
        both = torch.cat([weights["attention.query"], weights["attention.own"]], 2)
        context = weights["attention.context"].flatten(0, 1)
        self.fused: Linear | None = None
        if kernels.use("bahdanau", self.memory) and fits(s, h, settings.heads):
            self.fused = attend_over_time(self.keys, self.memory, lengths, weights["attention.score"], both, context)
        else:
            self.query, self.context = over_time(both), over_time(context)

    def _matrices(self) -> Iterator[Tensor]:
        """Of each layer: what its input and its own state are multiplied with, one above the other."""
        for layer in range(self.settings.layers):
            inputs = self.weights[f"decoder.{layer}.in"]
            inputs = inputs[:, self.settings.width :] if layer == 0 else inputs
            yield torch.cat([inputs, self.weights[f"decoder.{layer}.state"]], 1)

    def advance(self, pre: Tensor) -> Tensor:
        """From the symbol's part of the first gates (K, B, 4H) to the attention vector (K, B, heads·A)."""
        below = self.attention
        for layer, linear in enumerate(self.linears):
            factors = self.factors[layer]
            gates = linear(join(below, None if factors is None else factors[self.position], self.states[layer]))
            extra = pre if layer == 0 else self.weights[f"decoder.{layer}.bias"].detach()
            below, self.cells[layer] = run_cell(gates, extra, self.cells[layer], self.states[layer], None, 0)
            self.states[layer] = below
        self.position += 1
        self.attention = self.attend(below)
        return self.attention

    def attend(self, state: Tensor) -> Tensor:
        """The attention vector for a state (K, B, H)."""
        if self.fused is not None:
            return self.fused(state)
        h, heads = self.settings.width, self.settings.heads
        both = self.query(state)
        query, own = both[:, :, :h], both[:, :, h:]
        k, b, s, _ = self.keys.shape
        features = torch.tanh(self.keys + query[:, :, None])  # (K, B, S, H)
        scores = torch.bmm(features.flatten(1, 2), self.weights["attention.score"]).view(k, b, s, heads)
        weights = scores.float().masked_fill(~self.seen[..., None], -1e9).softmax(2).to(state.dtype)
        context = torch.matmul(weights.mT, self.memory)  # (K, B, heads, H)
        context = context.transpose(1, 2).flatten(0, 1)  # (K·heads, B, H)
        parts = self.context(context).view(k, heads, b, -1).transpose(1, 2).flatten(2)  # (K, B, heads·A)
        return own + parts

    def gates(self, y: Tensor, factors: Tensor | None) -> Tensor:
        """The symbols' part of the first gates: embedded symbols (K, N, H) -> (K, N, 4H)."""
        y = y if factors is None else y * factors
        return torch.baddbmm(self.weights["decoder.0.bias"][:, None], y, self.first)

    def logits(self, attention: Tensor) -> Tensor:
        """Attention vectors (K, N, heads·A) -> (K, N, V)."""
        out = torch.baddbmm(self.weights["output_bias"][:, None], attention, self.weights["output"])
        return torch.bmm(out, self.weights["softmax.embedding"].mT)

    def step(self, ids: Tensor) -> Tensor:
        """The last symbols (K, B) -> logits of the next (K, B, V)."""
        y = embed(self.weights["target.embedding"], ids, self.settings.width**0.5, None)
        return self.logits(self.advance(self.gates(y, None)))

    def reorder(self, rows: Tensor) -> None:
        """Go on with what was decoded of these examples (K, B), which have the same sources as those they replace."""
        replicas = torch.arange(len(rows), device=rows.device)[:, None]
        self.states = [state[replicas, rows] for state in self.states]
        self.cells = [cell[replicas, rows] for cell in self.cells]
        self.attention = self.attention[replicas, rows]


def decode(
    weights: Weights,
    settings: Seq2SeqSettings,
    target: Tensor,
    memory: tuple[Tensor, list[tuple[Tensor, Tensor]]],
    lengths: Tensor,
    drops: Drops,
) -> Tensor:
    """Symbols that come before (K, B, T) and the encoded source -> logits of what follows (K, B, T, V)."""
    k, b, t = target.shape
    decoder = Decoder(weights, settings, memory, lengths, t, drops)
    y = embed(weights["target.embedding"], target.flatten(1), settings.width**0.5, None)
    factors = decoder.symbol_factors
    if factors is not None:
        factors = factors.permute(1, 2, 0, 3).flatten(1, 2)  # (K, B·T, H)
    pre = by_example(decoder.gates(y, factors), b).unbind(2)
    attention = torch.stack([decoder.advance(part) for part in pre], 2)  # (K, B, T, heads·A)
    return decoder.logits(attention.flatten(1, 2)).view(k, b, t, -1)
