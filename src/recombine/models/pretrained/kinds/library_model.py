"""What models that the library knows whole have in common: no weights of ours, and a checkpoint that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torch import Tensor


class LibraryModel:
    """A model of the library with its tokenizer."""

    module: Any
    tokenizer: Any

    def new_weights(self) -> Iterator[Tensor]:
        """None."""
        yield from ()

    def save(self, folder: Path) -> dict[str, Any]:
        """Write a checkpoint that the library reads."""
        self.module.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        return {}
