"""A BERT-like transformer of a directory that reads questions and items together (GrailQA, section 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from recombine.errors import OptionError
from recombine.models.kbqa.nets.bags import bag_means
from recombine.models.kbqa.nets.chunks import NOBODY, make_chunks
from recombine.models.kbqa.nets.to_device import to_device
from recombine.models.pretrained.local_checkpoint import (
    check_directory,
    check_installed,
    load_model,
    load_tokenizer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from recombine.models.kbqa.nets.batch import Batch
    from recombine.models.kbqa.nets.chunks import Chunks

AT_ONCE = 192
"""Chunks that are read at once, of about one length."""


class PretrainedEncoder(nn.Module):
    """A transformer with its tokenizer; a piece is one of its tokens."""

    def __init__(self, model: Any, tokenizer: Any, chunk: int) -> None:
        super().__init__()
        self.model, self._tokenizer, self._chunk = model, tokenizer, chunk
        self.width = int(model.config.hidden_size)
        self._longest = int(getattr(model.config, "max_position_embeddings", 512))
        self._pairs = int(getattr(model.config, "type_vocab_size", 1)) > 1
        between = tokenizer.convert_tokens_to_ids(";")
        self._specials = (tokenizer.cls_token_id, tokenizer.sep_token_id, between)
        if None in self._specials or between == tokenizer.unk_token_id:
            raise OptionError("the tokenizer lacks [CLS], [SEP] or ;", "give a checkpoint of BERT's kind")
        self.cut = 0
        """Texts of which only the beginning is read, because they are longer than half of what the model reads."""

    @classmethod
    def read(cls, path: Path | str, chunk: int) -> PretrainedEncoder:
        """That of a directory."""
        check_installed()
        folder = check_directory(path)
        model = load_model(folder, "copying")
        if getattr(model.config, "is_encoder_decoder", False) or not hasattr(model, "embeddings"):
            raise OptionError(f"{folder}: is no transformer of BERT's kind", "give an encoder such as BERT")
        return cls(model, load_tokenizer(folder), chunk)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts; one unknown token where there is none."""
        if not texts:
            return []
        tokens = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        room = self._longest // 2 - len(self._specials) - 1
        self.cut += sum(len(each) > room for each in tokens)
        return [each[:room] or [self._tokenizer.unk_token_id] for each in tokens]

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Vectors of the questions' tokens from their first chunks, and means of those of links and items."""
        chunks = make_chunks(batch, self._specials, self._chunk, self._longest)
        vectors, order = self._read(chunks)
        entries = len(batch) * (batch.links.shape[1] + batch.items.shape[1])
        rows = _picked(vectors, chunks.owners[order], entries)
        questions = _picked(vectors, chunks.asked[order], batch.pieces.size)
        return questions.reshape(*batch.pieces.shape, -1), rows.reshape(len(batch), -1, self.width)

    def _read(self, chunks: Chunks) -> tuple[Tensor, np.ndarray[Any, Any]]:
        """The vectors of all tokens, and which token each is of: chunks are read with others of their length."""
        sizes = np.diff(chunks.begins)
        by_size = np.argsort(-sizes, kind="stable")
        vectors, order = [], []
        for low in range(0, len(by_size), AT_ONCE):
            some = by_size[low : low + AT_ONCE]
            at = chunks.begins[some][:, None] + np.arange(sizes[some[0]])
            used = np.arange(sizes[some[0]]) < sizes[some][:, None]
            vectors.append(self._states(chunks, np.where(used, at, 0), used))
            order.append(at[used])
        return torch.cat(vectors), np.concatenate(order)

    def _states(self, chunks: Chunks, at: np.ndarray[Any, Any], used: np.ndarray[Any, Any]) -> Tensor:
        device = next(self.model.parameters()).device
        inputs = {
            "input_ids": to_device(np.where(used, chunks.tokens[at], 0), device),
            "attention_mask": to_device(used.astype(np.int64), device),
        }
        if self._pairs:
            inputs["token_type_ids"] = to_device(np.where(used, chunks.second[at], 0), device)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            states: Tensor = self.model(**inputs).last_hidden_state
        return states.reshape(-1, self.width)[to_device(np.flatnonzero(used), device)].float()

    def slow_weights(self) -> Iterable[nn.Parameter]:
        """All weights of the transformer."""
        return list(self.model.parameters())


def _picked(vectors: Tensor, owners: np.ndarray[Any, Any], number: int) -> Tensor:
    """The mean vector of each owner."""
    kept = np.flatnonzero(owners != NOBODY)
    return bag_means(vectors[to_device(kept, vectors.device)], owners[kept], number)
