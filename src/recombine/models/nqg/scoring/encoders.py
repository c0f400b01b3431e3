"""Contextual encoders of source tokens: a small Transformer trained from scratch, or a pretrained one on disk.

An encoder reads tokens once into numbers (`Reading`), and turns a batch of readings into vectors. A token may be
several pieces of a pretrained encoder's vocabulary; a span is represented by the first piece of its first token and the
last piece of its last (NQG-T5 paper, App. A.3).
"""

from __future__ import annotations

import json
import math
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

from recombine.errors import InputFileError, RecombineError
from recombine.files import read_bytes
from recombine.models.pretrained import local_checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

PAD, START, END, UNKNOWN = range(4)
REACH = 8
"""The largest distance between tokens that has a weight of its own, so that long sources show nothing untrained."""


class Reading(NamedTuple):
    """A source as an encoder's numbers, and where the first and last piece of each token are."""

    pieces: list[int]
    first: list[int]
    last: list[int]


def pad(readings: Sequence[Reading], filler: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """The pieces of a batch (batch, longest), and which of them are real."""
    longest = max(len(reading.pieces) for reading in readings)
    rows = [reading.pieces + [filler] * (longest - len(reading.pieces)) for reading in readings]
    lengths = torch.tensor([len(reading.pieces) for reading in readings], device=device)
    return torch.tensor(rows, device=device), torch.arange(longest, device=device) < lengths[:, None]


class Layer(nn.Module):
    """Self-attention with weights by distance, and a feed-forward network, each over normalised input."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.distance = nn.Parameter(torch.zeros(heads, 2 * REACH + 1))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, real: Tensor) -> Tensor:
        """The next vectors (batch, length, width)."""
        size, length, width = x.shape
        parts = self.project(self.before(x)).view(size, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        place = torch.arange(length, device=x.device)
        bias = self.distance[:, (place - place[:, None]).clamp(-REACH, REACH) + REACH]  # (heads, length, length)
        mask = bias.masked_fill(~real[:, None, None, :], -math.inf)
        attended = scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = x + self.dropout(self.out(attended.transpose(1, 2).reshape(size, length, width)))
        after: Tensor = self.dropout(self.down(gelu(self.up(self.between(x)))))
        return x + after


class SmallEncoder(nn.Module):
    """A Transformer over the words of the training sources, one for unknown words, and the two ends."""

    def __init__(self, settings: NeuralSettings, words: Sequence[str]) -> None:
        super().__init__()
        self.words = tuple(words)
        self.width = settings.width
        self._number = {word: number for number, word in enumerate(self.words, start=UNKNOWN + 1)}
        self._word_dropout = settings.word_dropout
        self.embedding = nn.Embedding(len(self.words) + UNKNOWN + 1, settings.width)
        self.layers = nn.ModuleList(
            Layer(settings.width, settings.heads, settings.dropout) for _ in range(settings.layers)
        )
        self.norm = nn.LayerNorm(settings.width)
        self.dropout = nn.Dropout(settings.dropout)

    def read(self, source: Sequence[str]) -> Reading:
        """A source as numbers."""
        places = list(range(1, len(source) + 1))
        return Reading([START, *(self._number.get(word, UNKNOWN) for word in source), END], places, places)

    def forward(self, readings: Sequence[Reading]) -> Tensor:
        """The vectors of a batch (batch, longest, width)."""
        pieces, real = pad(readings, PAD, self.embedding.weight.device)
        if self.training and self._word_dropout:
            hidden = torch.rand(pieces.shape, device=pieces.device) < self._word_dropout
            pieces = torch.where(hidden & (pieces > UNKNOWN), UNKNOWN, pieces)
        x = self.dropout(self.embedding(pieces))
        for layer in self.layers:
            x = layer(x, real)
        return self.norm(x)  # type: ignore[no-any-return]


class PretrainedEncoder(nn.Module):
    """An encoder of `transformers` with its tokenizer, read from a directory."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        super().__init__()
        self.model, self.tokenizer = model, tokenizer
        self.width = int(model.config.hidden_size)
        # Some configurations count positions that no piece can have; the tokenizer then says what is left.
        self.longest = min(int(getattr(model.config, "max_position_embeddings", 0) or 0), tokenizer.model_max_length)

    @classmethod
    def load(cls, folder: Path | str) -> PretrainedEncoder:
        """The encoder in a directory."""
        local_checkpoint.check_installed()
        folder = local_checkpoint.check_directory(folder)
        try:
            config = json.loads(read_bytes(folder / "config.json"))
        except json.JSONDecodeError as error:
            raise InputFileError(f"{folder / 'config.json'}: broken JSON ({error.msg})", "download it again") from None
        if config.get("is_encoder_decoder"):
            raise InputFileError(f"{folder}: holds an encoder and a decoder", "give an encoder alone, such as BERT")
        return cls(local_checkpoint.load_model(folder, "copying"), _tokenizer(folder))

    @classmethod
    def load_form(cls, folder: Path) -> PretrainedEncoder:
        """What `save_form` wrote, with weights at random."""
        local_checkpoint.check_installed()
        library = import_module("transformers")
        with local_checkpoint.quiet():
            config = library.AutoConfig.from_pretrained(str(folder), local_files_only=True)
            return cls(library.AutoModel.from_config(config).float(), _tokenizer(folder))

    def save_form(self, folder: Path) -> None:
        """Write the configuration and the tokenizer."""
        self.model.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def read(self, source: Sequence[str]) -> Reading:
        """A source as numbers; a word of no pieces is read as an unknown one."""
        words = list(source)
        encoded = self.tokenizer(words, is_split_into_words=True)
        missing = set(range(len(words))) - set(encoded.word_ids())
        if missing:
            words = [self.tokenizer.unk_token if at in missing else word for at, word in enumerate(words)]
            encoded = self.tokenizer(words, is_split_into_words=True)
        pieces = list(encoded["input_ids"])
        if self.longest and len(pieces) > self.longest:
            raise RecombineError(
                f"a source of {len(words)} tokens is {len(pieces)} pieces long, and the encoder reads {self.longest}",
                "leave it out, or use an encoder that reads more",
            )
        first, last = [0] * len(words), [0] * len(words)
        for place, word in reversed(list(enumerate(encoded.word_ids()))):
            if word is not None:
                first[word] = place
        for place, word in enumerate(encoded.word_ids()):
            if word is not None:
                last[word] = place
        return Reading(pieces, first, last)

    def forward(self, readings: Sequence[Reading]) -> Tensor:
        """The vectors of a batch (batch, longest, width)."""
        pieces, real = pad(readings, self.tokenizer.pad_token_id or 0, next(self.model.parameters()).device)
        return self.model(input_ids=pieces, attention_mask=real.long()).last_hidden_state  # type: ignore[no-any-return]


def _tokenizer(folder: Path) -> Any:
    tokenizer = local_checkpoint.load_tokenizer(folder)
    if not tokenizer.is_fast:
        raise InputFileError(f"{folder}: its tokenizer does not tell pieces of words apart", "add a tokenizer.json")
    return tokenizer
