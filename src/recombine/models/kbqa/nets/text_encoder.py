"""What all encoders have in common: they give vectors to the pieces of questions and to the words of forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torch import Tensor
    from torch.nn import Parameter

    from recombine.models.kbqa.nets.batch import Batch


class TextEncoder(Protocol):
    """An encoder; a torch module too."""

    width: int
    """The width of its vectors."""

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The pieces of texts, at least one each."""
        ...

    def __call__(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Vectors of the questions' pieces (B, T, width), and of their links and items (B, L + I, width)."""
        ...

    def slow_weights(self) -> Iterable[Parameter]:
        """The weights that have the rate of pretrained ones."""
        ...
