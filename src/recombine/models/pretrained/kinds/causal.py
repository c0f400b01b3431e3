"""Causal checkpoints: the source is a prompt, the target its continuation.

A prompt is the source and a separator; loss is taken on the target and its end alone. Each is cut into tokens on its
own, so that a prediction is read as a target was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.models.pretrained.kinds.generation import generated, plain_generation, until
from recombine.models.pretrained.kinds.kind import EncodedPair, Output, mask_of, padded
from recombine.models.pretrained.kinds.library_model import LibraryModel
from recombine.models.pretrained.texts.text import Text, end_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from torch import Tensor

    from recombine.models.pretrained.settings import FineTuningSettings


class Causal(LibraryModel):
    """A causal model with its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, settings: FineTuningSettings) -> None:
        self.module, self.tokenizer, self.settings = model, tokenizer, settings
        self._end = end_of(tokenizer)
        self._pad = self._end if tokenizer.pad_token_id is None else int(tokenizer.pad_token_id)
        self._positions = getattr(model.config, "max_position_embeddings", None)
        self.text = Text(tokenizer, settings, ends=False, positions=self._positions)
        begins = tokenizer("a").input_ids[0]
        self._front = [begins] if begins == tokenizer.bos_token_id else []
        self._separator = self.text.ids([settings.separator], ends=False)[0] if settings.separator else []
        plain_generation(model, end=self._end, pad=self._pad)

    def encode(self, sources: Sequence[str], targets: Sequence[str] | None, counted: Counter[str]) -> list[EncodedPair]:
        """Prompts and targets as token ids."""
        room = len(self._front) + len(self._separator)
        prompts = [
            (*self._front, *row, *self._separator) for row in self.text.sources(sources, counted, ends=False, room=room)
        ]
        wanted: list[tuple[int, ...]] = [()] * len(prompts)
        if targets is not None:
            wanted = [(*row, self._end) for row in self.text.targets(targets, counted)]
        examples = [EncodedPair(prompt, target) for prompt, target in zip(prompts, wanted, strict=True)]
        longest = max((example.length for example in examples), default=0)
        # A prediction needs room for one token at least.
        if self._positions is not None and longest + (targets is None) > self._positions:
            raise OptionError(
                f"a source with its target has {longest} tokens, the model goes to {self._positions}",
                "leave such pairs out, or cut sources with max_source and long_sources = 'cut'",
            )
        return examples

    def loss(self, batch: Sequence[EncodedPair]) -> Tensor:
        """The summed cross-entropy of the targets' tokens."""
        import torch
        from torch.nn.functional import cross_entropy

        device = self.module.device
        rows = [example.source + example.target for example in batch]
        ids, mask = padded(rows, self._pad, device), mask_of(rows, device)
        learned = padded([[0] * len(e.source) + [1] * len(e.target) for e in batch], 0, device)
        logits = self.module(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1]
        labels = torch.where(learned == 1, ids, -100)[:, 1:]
        return cross_entropy(logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")

    def generate(self, batch: Sequence[EncodedPair]) -> list[Output]:
        """Predictions for the sources."""
        device = self.module.device
        prompts = [example.source for example in batch]
        longest = max(map(len, prompts))
        limit = self.settings.max_target
        if self._positions is not None:
            limit = min(limit, self._positions - longest)
        ids, mask = padded(prompts, self._pad, device, left=True), mask_of(prompts, device, left=True)
        rows = generated(self.module, self.settings, limit, input_ids=ids, attention_mask=mask)
        cut = [until(row[longest:], self._end) for row in rows]
        return [Output(self.text.read(row), ended, self.tokenizer.unk_token_id in row) for row, ended in cut]
