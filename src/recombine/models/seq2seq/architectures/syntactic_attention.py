"""Syntactic Attention (Russin et al., 2019) for K replicas at once: syntax says where to look, meanings what to say.

Each word has a meaning, an embedding on its own, and a role, which comes of the words around it: one LSTM in each
direction reads the words, and the role of a position is the state before it, from both sides, so that a word is not in
its own role. A second pair of LSTMs reads the roles. The decoder is an LSTM over attended roles alone: it reads neither
meanings nor its own outputs. At each position its state gives attention by dot products, and the output is a
linear map of the attended meanings. Dropout is on both embeddings.

The end symbol of a source has a learned role, and so has what stands before the first word. Not here: the published
start symbol, which attention could also point to, and layers over the first. Sizes in the margin: K replicas, B
examples, S source and T target positions, H features of the syntax, M of a meaning, V symbols.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures import both_ways as pair
from recombine.models.seq2seq.architectures.both_ways import both_ways
from recombine.models.seq2seq.architectures.dot_over_time import dot_over_time
from recombine.models.seq2seq.architectures.layers import by_example, embed
from recombine.models.seq2seq.architectures.lstm import run_cell
from recombine.models.seq2seq.architectures.over_time import over_time
from recombine.models.seq2seq.architectures.parameters import Parameter
from recombine.models.seq2seq.dropout import dropout, row_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.seq2seq.architectures.lstm import Weights
    from recombine.models.seq2seq.dropout import Drops
    from recombine.models.seq2seq.settings import Seq2SeqSettings

Memory = tuple[Tensor, Tensor, Tensor]
"""Meanings (K, B, S, M), encoded roles (K, B, S, 2H), and the first signal of the decoder (K, B, 2H)."""


def iter_parameters(settings: Seq2SeqSettings, symbols: int) -> Iterator[Parameter]:
    """The weights of one replica."""
    h, m = settings.width, settings.meaning_width
    yield Parameter("meaning.embedding", (symbols, m), "unit")
    yield Parameter("word.embedding", (symbols, h // 2), "unit")
    yield from pair.iter_parameters("words", h // 2, h // 2, "open")
    yield Parameter("roles.start", (h // 2,), "unit")
    yield Parameter("roles.end", (h,), "unit", scale=settings.end_scale)
    yield from pair.iter_parameters("roles", h, h, "open")
    yield Parameter("signal", (2 * h, 2 * h))
    yield Parameter("signal_bias", (2 * h,), "zeros")
    for part in ("in", "state"):
        yield Parameter(f"decoder.{part}", (2 * h, 8 * h), fans=(4 * h, 8 * h))
    yield Parameter("decoder.bias", (8 * h,), "open")
    yield Parameter("output", (m, symbols))
    yield Parameter("output_bias", (symbols,), "zeros")


def places(settings: Seq2SeqSettings) -> int:
    """How many places of the model drop."""
    del settings
    return 2


def embed_words(table: Tensor, source: Tensor, drops: Drops) -> Tensor:
    """Rows of a table for sources (K, B, S), with dropout: (K, B, S, …)."""
    _, b, s = source.shape
    y = embed(table, source.flatten(1), 1.0, None)
    key = drops.next()
    if key is not None:
        y = dropout(y, key, row_codes(b, s, y.device), drops.rate)
    return by_example(y, b)


def roles_of(states: Tensor, lengths: Tensor, start: Tensor, end: Tensor) -> Tensor:
    """From the states at each word (K, B, S, H) to what the words around it say (K, B, S, H).

    Forwards it is the state of the word before, `start` (K, H/2) at the first; backwards that of the word after. The
    end symbol has the role `end` (K, H).
    """
    k, b, s, h = states.shape
    ahead, back = states.chunk(2, 3)
    first = start[:, None, None].expand(k, b, 1, h // 2)
    before = torch.cat([first, ahead[:, :, :-1]], 2)
    after = torch.cat([back[:, :, 1:], torch.zeros_like(back[:, :, :1])], 2)
    last = torch.arange(s, device=states.device) == lengths[..., None] - 1  # (K, B, S)
    return torch.where(last[..., None], end[:, None, None], torch.cat([before, after], 3))


def encode(weights: Weights, settings: Seq2SeqSettings, source: Tensor, lengths: Tensor, drops: Drops) -> Memory:
    """Sources (K, B, S) of these lengths (K, B) -> meanings, encoded roles and the first signal."""
    del settings
    meanings = embed_words(weights["meaning.embedding"], source, drops)
    words = embed_words(weights["word.embedding"], source, drops)
    states, _, _ = both_ways(weights, "words", words, lengths)
    roles = roles_of(states, lengths, weights["roles.start"], weights["roles.end"])
    memory, last, _ = both_ways(weights, "roles", roles, lengths)
    signal = torch.relu(torch.baddbmm(weights["signal_bias"][:, None], last, weights["signal"]))
    return meanings, memory, signal


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
        self.meanings, roles, self.signal = memory
        k, b, s, h = roles.shape
        # Weights of attention sum to 1: the part of the gates that attended roles give, bias included, is a mean too.
        pre = torch.baddbmm(weights["decoder.bias"][:, None], roles.flatten(1, 2), weights["decoder.in"])
        unseen = torch.arange(s, device=lengths.device) >= lengths[..., None]  # (K, B, S)
        self.attend = dot_over_time(roles, by_example(pre, b), unseen)
        self.linear = over_time(weights["decoder.state"])
        self.state = roles.new_zeros(k, b, h)
        self.cell = roles.new_zeros(k, b, h, dtype=torch.float32)

    def advance(self) -> Tensor:
        """The weights (K, B, S) that the next position gives to the places of the source."""
        attention, pre = self.attend(self.signal)
        self.state, self.cell = run_cell(self.linear(self.state), pre, self.cell, self.state, None, 0)
        self.signal = self.state
        return attention

    def attended(self, attention: Tensor) -> Tensor:
        """Weights of attention (K, B, T, S) -> attended meanings (K, B·T, M)."""
        return torch.matmul(attention, self.meanings).flatten(1, 2)

    def logits(self, meanings: Tensor) -> Tensor:
        """Attended meanings (K, N, M) -> (K, N, V)."""
        return torch.baddbmm(self.weights["output_bias"][:, None], meanings, self.weights["output"])

    def step(self, ids: Tensor) -> Tensor:
        """The last symbols (K, B), which change nothing -> logits of the next (K, B, V)."""
        del ids
        return self.logits(self.attended(self.advance()[:, :, None]))

    def reorder(self, rows: Tensor) -> None:
        """Nothing changes: examples of one source are in one state, whatever they have said."""


def decode(
    weights: Weights, settings: Seq2SeqSettings, target: Tensor, memory: Memory, lengths: Tensor, drops: Drops
) -> Tensor:
    """As many positions as symbols that come before (K, B, T) -> logits of what follows (K, B, T, V)."""
    k, b, t = target.shape
    decoder = Decoder(weights, settings, memory, lengths, t, drops)
    attention = torch.stack([decoder.advance() for _ in range(t)], 2)  # (K, B, T, S)
    return decoder.logits(decoder.attended(attention)).view(k, b, t, -1)
