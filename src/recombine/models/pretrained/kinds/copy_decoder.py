"""An LSTM decoder that generates words or copies them from the source (Gu et al. 2016).

Each step it may generate a word of its vocabulary or copy one of the source's; one softmax is over all of these, and
ways to the same word are added up. Words are numbered by vocabulary, and those of a source that are not in it by what
follows, so that a word has one number however it came about.

Shapes: B examples, S words of a source, V words of the vocabulary, E ≥ V numbers of a batch, W the encoder's width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from recombine.models.pretrained.texts.words import END, PAD, START, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

_TINY = 1e-30
_NEVER = -1e9
"""The score of what cannot be; finite, for sources of no words."""


@dataclass(frozen=True)
class Memory:
    """A batch of encoded sources."""

    states: Tensor  # (B, S, W)
    mask: Tensor  # (B, S), true where there is a word
    numbers: Tensor  # (B, S), of the words
    size: int
    """E."""


@dataclass(frozen=True)
class State:
    """The decoder between two steps."""

    hidden: Tensor  # (B, H)
    cell: Tensor  # (B, H)
    copied: Tensor  # (B, S), how likely each word was to be copied


class CopyDecoder(nn.Module):
    """The decoder."""

    def __init__(self, width: int, vocabulary: int, *, hidden: int, embedding: int, dropout: float) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.embed = nn.Embedding(vocabulary, embedding)
        self.begin_hidden = nn.Linear(width, hidden)
        self.lstm = nn.LSTMCell(embedding + 2 * width, hidden)
        self.attend = nn.Linear(hidden, width, bias=False)
        self.generate = nn.Linear(hidden, vocabulary)
        self.copy = nn.Linear(width, hidden)
        self.drop = nn.Dropout(dropout)

    def begin(self, memory: Memory) -> State:
        """The state before the first word: from the mean of the source's words."""
        weights = memory.mask.float() / memory.mask.sum(1, keepdim=True).clamp_min(1)
        mean = (weights.unsqueeze(1) @ memory.states).squeeze(1)
        hidden = torch.tanh(self.begin_hidden(mean))
        return State(hidden, torch.zeros_like(hidden), torch.zeros_like(weights))

    def step(self, memory: Memory, state: State, last: Tensor) -> tuple[Tensor, State]:
        """Log-probabilities of all numbers (B, E) after the last word (B,), and the state then."""
        embedded = self.embed(torch.where(last < self.vocabulary, last, UNKNOWN))
        # What surrounds the places where the last word was copied from.
        read = state.copied * (memory.numbers == last.unsqueeze(1)) * memory.mask
        read = read / read.sum(1, keepdim=True).clamp_min(_TINY)
        scores = (memory.states @ self.attend(state.hidden).unsqueeze(2)).squeeze(2)
        attention = scores.masked_fill(~memory.mask, _NEVER).softmax(1)
        seen = (torch.stack([attention, read], 1) @ memory.states).flatten(1)  # (B, 2W)
        hidden, cell = self.lstm(self.drop(torch.cat([embedded, seen], 1)), (state.hidden, state.cell))
        out = self.drop(hidden)
        generated = self.generate(out)  # (B, V)
        generated = generated.index_fill(1, torch.tensor([PAD, START, UNKNOWN], device=out.device), _NEVER)
        copied = (torch.tanh(self.copy(memory.states)) @ out.unsqueeze(2)).squeeze(2)
        copied = copied.masked_fill(~memory.mask, _NEVER)
        shares = torch.cat([generated, copied], 1).softmax(1)
        every = torch.zeros(len(out), memory.size, device=out.device)
        every = torch.cat([shares[:, : self.vocabulary], every[:, self.vocabulary :]], 1)
        every = every.scatter_add(1, memory.numbers, shares[:, self.vocabulary :])
        return every.clamp_min(_TINY).log(), State(hidden, cell, shares[:, self.vocabulary :])

    def loss(self, memory: Memory, target: Tensor) -> Tensor:
        """The summed negative log-probability of targets (B, T); what is filled up or cannot be written is left out."""
        state = self.begin(memory)
        last = torch.full_like(target[:, 0], START)
        total = memory.states.new_zeros(())
        for place in range(target.shape[1]):
            now = target[:, place]
            logs, state = self.step(memory, state, last)
            total = total - (logs.gather(1, now.unsqueeze(1)).squeeze(1) * ((now != PAD) & (now != UNKNOWN))).sum()
            last = now
        return total

    def search(self, memory: Memory, limit: int, beams: int) -> list[list[int]]:
        """The best numbers of each example by beam search, the end among them where it was reached.

        Finished ones are compared by mean log-probability of their words, the end counted.
        """
        size = len(memory.states)
        wide = _map(memory, lambda tensor: tensor.repeat_interleave(beams, 0))
        state = self.begin(wide)
        device = memory.states.device
        scores = torch.full((size, beams), float("-inf"), device=device)
        scores[:, 0] = 0.0
        numbers = torch.full((size * beams, 1), START, device=device)
        ended = torch.zeros(size * beams, dtype=torch.bool, device=device)
        lengths = torch.zeros(size * beams, device=device)
        first = torch.arange(size, device=device).unsqueeze(1) * beams
        for _ in range(limit):
            logs, state = self.step(wide, state, numbers[:, -1])
            logs = logs.masked_fill(ended.unsqueeze(1), float("-inf"))
            logs[ended, END] = 0.0
            every = (scores.view(-1, 1) + logs).view(size, -1)
            scores, chosen = every.topk(beams, dim=1)
            origin = (first + chosen // memory.size).flatten()
            word = (chosen % memory.size).flatten()
            state = State(state.hidden[origin], state.cell[origin], state.copied[origin])
            numbers = torch.cat([numbers[origin], word.unsqueeze(1)], 1)
            lengths = lengths[origin] + ~ended[origin]
            ended = ended[origin] | (word == END)
            if ended.all():
                break
        best = (scores / lengths.view(size, beams).clamp_min(1)).argmax(1)
        rows: list[list[int]] = numbers.view(size, beams, -1)[torch.arange(size, device=device), best, 1:].tolist()
        return rows


def _map(memory: Memory, change: Callable[[Tensor], Tensor]) -> Memory:
    return Memory(change(memory.states), change(memory.mask), change(memory.numbers), memory.size)
