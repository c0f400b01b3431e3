"""Vectors of names from an encoder in a local directory of `transformers`: means of its last layer, of length 1.

The encoder stays as it is; what is learned is the network over two names (`pair_net`). The paper trains its encoder
further instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_BATCH = 64


@dataclass
class NameEncoder:
    """An encoder that is loaded when it is first asked."""

    folder: Path
    digest: str
    _loaded: tuple[Any, Any] | None = None

    @staticmethod
    def of(folder: Path | str) -> NameEncoder:
        """The encoder of a directory."""
        from recombine.models.pretrained.local_checkpoint import check_installed, checkpoint_digest

        check_installed()
        return NameEncoder(Path(folder), checkpoint_digest(folder))

    def check(self, digest: str) -> None:
        """Refuse a directory whose files are others than a model was learned with."""
        if self.digest != digest:
            raise InputFileError(
                f"{self.folder}: is another encoder than the exclusion was learned with", "give the same files there"
            )

    def vectors(self, names: Sequence[str]) -> NDArray[np.float64]:
        """A row for each name."""
        import torch

        tokenizer, model = self._parts()
        rows = []
        for start in range(0, len(names), _BATCH):
            some = tokenizer(list(names[start : start + _BATCH]), padding=True, return_tensors="pt")
            with torch.no_grad():
                hidden = model(**some).last_hidden_state
            mask = some["attention_mask"][..., None].to(hidden.dtype)
            rows.append(((hidden * mask).sum(1) / mask.sum(1)).double().numpy())
        made = np.concatenate(rows) if rows else np.zeros((0, model.config.hidden_size))
        return np.asarray(made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9))

    def _parts(self) -> tuple[Any, Any]:
        if self._loaded is None:
            from recombine.models.pretrained.local_checkpoint import load_model, load_tokenizer

            tokenizer = load_tokenizer(self.folder)
            if tokenizer.pad_token is None:
                tokenizer.pad_token = tokenizer.eos_token
            self._loaded = tokenizer, load_model(self.folder, "copying").eval()
        return self._loaded
