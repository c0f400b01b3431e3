"""What the trainer and the parser want of a kind of model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from torch import Tensor


@dataclass(frozen=True)
class EncodedPair:
    """A pair as numbers; without a target, a source to predict for."""

    source: tuple[int, ...]
    target: tuple[int, ...] = ()
    """Tokens to learn, the end among them."""
    words: tuple[str, ...] = ()
    """Of a copying decoder: the words of the source."""
    word_of: tuple[int, ...] = ()
    """Of a copying decoder: the word of each token of the source, -1 for the ends."""

    @property
    def length(self) -> int:
        """What decides which pairs it shares a batch with."""
        return len(self.source) + len(self.target)


@dataclass(frozen=True)
class Output:
    """A prediction, whether the model ended it itself, and whether it has a token that stands for no text."""

    text: str
    ended: bool
    unknown: bool = False


class Kind(Protocol):
    """A kind of model: texts in, a loss to train on, texts out."""

    module: Any
    """A torch module."""
    tokenizer: Any

    def encode(self, sources: Sequence[str], targets: Sequence[str] | None, counted: Counter[str]) -> list[EncodedPair]:
        """Texts as numbers; what is lost on the way is counted."""

    def loss(self, batch: Sequence[EncodedPair]) -> Tensor:
        """The summed loss of all tokens of the targets."""

    def generate(self, batch: Sequence[EncodedPair]) -> list[Output]:
        """Predictions, greedy or by beam search."""

    def new_weights(self) -> Iterator[Tensor]:
        """The parameters that are not of the checkpoint and learn at the decoder's rate."""

    def save(self, folder: Path) -> dict[str, Any]:
        """Write what `load` needs besides settings; gives what belongs in the record."""


def padded(rows: Sequence[Sequence[int]], fill: int, device: Any, *, left: bool = False) -> Tensor:
    """Rows of numbers as one tensor, filled up at the end or in front.

    >>> padded([[1, 2], [3]], 0, "cpu").tolist()
    [[1, 2], [3, 0]]
    """
    import torch

    longest = max(map(len, rows))
    table = torch.full((len(rows), longest), fill, dtype=torch.int64)
    for number, row in enumerate(rows):
        place = slice(longest - len(row), None) if left else slice(0, len(row))
        table[number, place] = torch.tensor(row, dtype=torch.int64)
    return table.to(device)


def mask_of(rows: Sequence[Sequence[int]], device: Any, *, left: bool = False) -> Tensor:
    """1 where a row has a number, 0 where it was filled up."""
    return padded([[1] * len(row) for row in rows], 0, device, left=left)
