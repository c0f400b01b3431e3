"""What `recombine train` asks of each kind of model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature


class Trainer(Protocol):
    """A kind of model with its options."""

    def train(
        self, dataset: Dataset, pairs: list[tuple[str, str]], signature: Signature, folder: Path, *, quiet: bool
    ) -> dict[str, Any]:
        """Train on the pairs and save; what is worth knowing as JSON, with the signature."""

    def describe(self, value: Mapping[str, Any]) -> str:
        """The same for a person."""
