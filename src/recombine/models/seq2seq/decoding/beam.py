"""Decoding with a beam, batched over examples and replicas.

The search is that of Tensor2Tensor, the framework of the CFQ paper, whose decoder follows four outputs with a length
penalty of 0.6 unless it is set otherwise; the script that the authors published does not set it. At each position the
2·W likeliest continuations of the W outputs are looked at: those that end compete with the best ended one by their
log-probability over the penalty, ((5 + length) / 6) to its power, and the W likeliest others go on. The search ends
where none that goes on could still win. What ended wins over what did not; a beam of one is greedy, as it is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.architecture import END, PAD, Model
from recombine.models.seq2seq.decoding.greedy import greedy

if TYPE_CHECKING:
    from recombine.models.seq2seq.architectures.transformer import Weights

PAUSE = 8
"""Positions between looks at whether all is decided."""


@torch.no_grad()
def beam(model: Model, weights: Weights, source: Tensor, longest: int) -> Tensor:
    """The best outputs that a beam finds: sources (K, B, S) -> (K, B, longest), 0 after the end symbol.

    >>> from recombine.models.seq2seq.architectures.parameters import Parameters
    >>> from recombine.models.seq2seq.settings import Seq2SeqSettings
    >>> model = Model(Seq2SeqSettings(architecture="transformer", width=8, heads=2, filter_width=8, beam=3), symbols=6)
    >>> beam(model, Parameters(model.parameters(), [0, 1]).weights, torch.full((2, 4, 3), 2), 5).shape
    torch.Size([2, 4, 5])
    """
    width = model.settings.beam
    if width == 1:
        return greedy(model, weights, source, longest)
    decoder = model.decoder(weights, source.repeat_interleave(width, 1), longest)
    search = _Search(source, width, longest, model.settings.length_penalty)
    last = torch.full((len(source), source.shape[1] * width), PAD, dtype=source.dtype, device=source.device)
    for position in range(longest):
        logits = decoder.step(last)[:, :, : model.symbols].float()
        chances = logits.log_softmax(2)
        chances[:, :, PAD] = float("-inf")
        last, rows = search.grow(chances, position)
        if position % PAUSE == PAUSE - 1 and search.decided():
            break
        decoder.reorder(rows)
    return search.best()


class _Search:
    """The W outputs of each example that go on, and the best that ended."""

    def __init__(self, source: Tensor, width: int, longest: int, penalty: float) -> None:
        k, b, _ = source.shape
        self.width, self.longest, self.power = width, longest, penalty
        self.going = torch.full((k, b, width, longest), PAD, dtype=source.dtype, device=source.device)
        self.scores = torch.full((k, b, width), float("-inf"), device=source.device)
        """The log-probabilities of those that go on, the likeliest first; at the start there is one of them."""
        self.scores[:, :, 0] = 0
        self.ended = torch.full_like(self.going[:, :, 0], PAD)  # (K, B, longest)
        self.ended_score = torch.full_like(self.scores[:, :, 0], float("-inf"))

    def penalty(self, length: int) -> float:
        """What the log-probability of an output of a length, its end included, is divided by."""
        return float(((5 + length) / 6) ** self.power)

    def grow(self, chances: Tensor, position: int) -> tuple[Tensor, Tensor]:
        """From log-probabilities of next symbols (K, B·W, V) to those chosen, and whom they follow, (K, B·W) both."""
        k, b, w = self.scores.shape
        symbols = chances.shape[2]
        every = (self.scores[..., None] + chances.view(k, b, w, symbols)).flatten(2)  # (K, B, W·V)
        likeliest, places = every.topk(min(2 * w, every.shape[2]), 2)  # (K, B, 2W)
        parents, ids = places // symbols, places % symbols
        self._end(torch.where(ids == END, likeliest, float("-inf")), parents, position)
        self.scores, chosen = torch.where(ids == END, float("-inf"), likeliest).topk(w, 2)  # (K, B, W)
        parents, ids = parents.gather(2, chosen), ids.gather(2, chosen)
        self.going = self.going.gather(2, parents[..., None].expand(-1, -1, -1, self.longest))
        self.going[..., position] = ids
        rows = parents + w * torch.arange(b, device=ids.device)[:, None]
        return ids.flatten(1), rows.flatten(1)

    def _end(self, scores: Tensor, parents: Tensor, position: int) -> None:
        """Keep the best of those that end here (K, B, 2W) where it is better than the best that ended before."""
        score, which = (scores / self.penalty(position + 1)).max(2)  # (K, B)
        parent = parents.gather(2, which[..., None])[..., None].expand(-1, -1, -1, self.longest)
        output = self.going.gather(2, parent)[:, :, 0]
        output[..., position] = END
        better = score > self.ended_score
        self.ended = torch.where(better[..., None], output, self.ended)
        self.ended_score = torch.where(better, score, self.ended_score)

    def decided(self) -> bool:
        """Whether no output that goes on could win: log-probabilities only fall, and no penalty is larger."""
        return bool((self.ended_score >= self.scores[:, :, 0] / self.penalty(self.longest)).all())

    def best(self) -> Tensor:
        """The best that ended, or the likeliest where none did."""
        none = torch.isinf(self.ended_score)[..., None]
        return torch.where(none, self.going[:, :, 0], self.ended)
