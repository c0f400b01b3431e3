"""Encoder-decoder checkpoints: T5, BART and their like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.models.pretrained.kinds.generation import generated, plain_generation, until
from recombine.models.pretrained.kinds.kind import EncodedPair, Output, mask_of, padded
from recombine.models.pretrained.kinds.library_model import LibraryModel
from recombine.models.pretrained.texts.text import Text, end_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from torch import Tensor

    from recombine.models.pretrained.settings import FineTuningSettings

IGNORED = -100


class EncoderDecoder(LibraryModel):
    """An encoder-decoder model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, settings: FineTuningSettings) -> None:
        self.module, self.tokenizer, self.settings = model, tokenizer, settings
        self._end = end_of(tokenizer)
        self._pad = self._end if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)
        positions = getattr(model.config, "max_position_embeddings", None)
        self.text = Text(tokenizer, settings, ends=True, positions=positions)
        self.limit = min(settings.max_target, (positions or settings.max_target + 1) - 1)
        plain_generation(model, end=self._end, pad=self._pad)

    def encode(self, sources: Sequence[str], targets: Sequence[str] | None, counted: Counter[str]) -> list[EncodedPair]:
        """Pairs as token ids."""
        rows = self.text.sources(sources, counted, ends=True)
        wanted = [()] * len(rows) if targets is None else self.text.targets(targets, counted)
        return [EncodedPair(tuple(row), tuple(target)) for row, target in zip(rows, wanted, strict=True)]

    def loss(self, batch: Sequence[EncodedPair]) -> Tensor:
        """The summed cross-entropy of the targets' tokens."""
        from torch.nn.functional import cross_entropy

        device = self.module.device
        sources = [example.source for example in batch]
        labels = padded([example.target for example in batch], IGNORED, device)
        shifted = self.module.prepare_decoder_input_ids_from_labels(labels=labels)
        logits = self.module(
            input_ids=padded(sources, self._pad, device),
            attention_mask=mask_of(sources, device),
            decoder_input_ids=shifted,
            use_cache=False,
        ).logits
        return cross_entropy(logits.float().flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")

    def generate(self, batch: Sequence[EncodedPair]) -> list[Output]:
        """Predictions for the sources."""
        device = self.module.device
        sources = [example.source for example in batch]
        rows = generated(
            self.module,
            self.settings,
            self.limit,
            input_ids=padded(sources, self._pad, device),
            attention_mask=mask_of(sources, device),
        )
        # The first id starts the decoder; some models start with the one that ends a text.
        cut = [until(row[1:], self._end) for row in rows]
        return [Output(self.text.read(ids), ended, self.tokenizer.unk_token_id in ids) for ids, ended in cut]
