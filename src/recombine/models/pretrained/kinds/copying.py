"""An encoder from disk with an LSTM decoder that copies (local structures paper, §5.3).

The encoder reads word pieces; the states of a word's pieces are averaged, and the decoder attends to words and copies
them. Targets are words too, so a word that the encoder's vocabulary lacks can still be copied. The decoder starts from
random weights and has a rate of its own.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from recombine.errors import OptionError
from recombine.models.pretrained.kinds.copy_decoder import CopyDecoder, Memory
from recombine.models.pretrained.kinds.generation import until
from recombine.models.pretrained.kinds.kind import EncodedPair, Output, mask_of, padded
from recombine.models.pretrained.texts.text import check_lengths
from recombine.models.pretrained.texts.words import END, SPECIAL, UNKNOWN, Words, cut, join

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from recombine.models.pretrained.settings import FineTuningSettings


class _Both(nn.Module):
    def __init__(self, encoder: Any, decoder: CopyDecoder) -> None:
        super().__init__()
        self.encoder, self.decoder = encoder, decoder


def _positions(encoder: Any) -> int:
    """The most tokens that an encoder takes; some leave out the first places of their table."""
    table = getattr(getattr(encoder, "embeddings", None), "position_embeddings", None)
    first = getattr(table, "padding_idx", None)
    positions: int = getattr(encoder.config, "max_position_embeddings", None) or sys.maxsize
    return positions - (0 if first is None else first + 1)


class Copying:
    """An encoder with its tokenizer, and a decoder over words."""

    def __init__(self, encoder: Any, tokenizer: Any, settings: FineTuningSettings, words: Words) -> None:
        if not tokenizer.is_fast:
            raise OptionError("the tokenizer cannot tell which word a token is of", "give one with a tokenizer.json")
        if encoder.config.is_encoder_decoder:
            raise OptionError("the checkpoint has a decoder of its own", "take kind seq2seq, or give an encoder")
        self.tokenizer, self.settings, self.words = tokenizer, settings, words
        self._numbers = words.numbers()
        self.decoder = CopyDecoder(
            encoder.config.hidden_size,
            len(words),
            hidden=settings.hidden,
            embedding=settings.embedding,
            dropout=settings.dropout,
        )
        self.module = _Both(encoder, self.decoder)
        self.limit = min(settings.max_source, _positions(encoder), tokenizer.model_max_length)

    def encode(self, sources: Sequence[str], targets: Sequence[str] | None, counted: Counter[str]) -> list[EncodedPair]:
        """Word pieces and words of sources, numbers of the words of targets.

        A word of a target that is neither in the vocabulary nor in its source cannot be learned: it is counted.
        """
        lower, prefix = self.settings.lower_source, self.settings.prefix
        texts = [prefix + (text.lower() if lower else text) for text in sources]
        rows = [[word for word in cut(text, blanks=self.words.blanks) if word.strip()] for text in texts]
        examples = [self._encode(words) for words in rows]
        may_cut = self.settings.long_sources == "cut"
        check_lengths([len(example.source) for example in examples], self.limit, may_cut, counted)
        examples = [self._cut(example) for example in examples]
        unknown = self.tokenizer.unk_token_id
        counted["sources_with_unknown"] += sum(unknown in example.source for example in examples)
        if targets is None:
            return examples
        return [self._with_target(example, target, counted) for example, target in zip(examples, targets, strict=True)]

    def _encode(self, words: list[str]) -> EncodedPair:
        encoded = self.tokenizer(words or [""], is_split_into_words=True, verbose=False)
        places = tuple(-1 if place is None else place for place in encoded.word_ids())
        return EncodedPair(tuple(encoded.input_ids), words=tuple(words), word_of=places)

    def _cut(self, example: EncodedPair) -> EncodedPair:
        """Without what is over the limit, but for the end; only words that are kept whole can be copied."""
        if len(example.source) <= self.limit:
            return example
        kept = self.limit - 1
        places = (*example.word_of[:kept], example.word_of[-1])
        words = example.words[: example.word_of[kept] if example.word_of[kept] >= 0 else len(example.words)]
        places = tuple(place if place < len(words) else -1 for place in places)
        return EncodedPair((*example.source[:kept], example.source[-1]), words=words, word_of=places)

    def _with_target(self, example: EncodedPair, target: str, counted: Counter[str]) -> EncodedPair:
        numbers = self._numbers | self._copied(example.words)
        row = [numbers.get(word, UNKNOWN) for word in cut(target, blanks=self.words.blanks)]
        counted["targets_not_exact"] += UNKNOWN in row
        counted["targets_over_limit"] += len(row) + 1 > self.settings.max_target
        return EncodedPair(example.source, (*row, END), example.words, example.word_of)

    def _copied(self, words: Sequence[str]) -> dict[str, int]:
        """The numbers of words of a source that are not in the vocabulary."""
        new = [word for word in dict.fromkeys(words) if word not in self._numbers]
        return {word: number for number, word in enumerate(new, start=len(self.words))}

    def _memory(self, batch: Sequence[EncodedPair]) -> Memory:
        encoder = self.module.encoder
        device = encoder.device
        sources = [example.source for example in batch]
        pad = self.tokenizer.pad_token_id or 0
        ids, mask = padded(sources, pad, device), mask_of(sources, device)
        states = encoder(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        widest = max(1, max(len(example.words) for example in batch))
        places = padded([example.word_of for example in batch], -1, device)
        member = (places.unsqueeze(1) == torch.arange(widest, device=device).view(1, -1, 1)).float()
        means = member @ states / member.sum(2, keepdim=True).clamp_min(1)
        numbers = torch.full((len(batch), widest), UNKNOWN)
        for number, example in enumerate(batch):
            known = self._numbers | self._copied(example.words)
            numbers[number, : len(example.words)] = torch.tensor([known[word] for word in example.words])
        is_word = torch.tensor([len(example.words) for example in batch]).unsqueeze(1) > torch.arange(widest)
        size = max(len(self.words), int(numbers.max()) + 1)
        return Memory(means, is_word.to(device), numbers.to(device), size)

    def loss(self, batch: Sequence[EncodedPair]) -> Tensor:
        """The summed negative log-probability of the targets' words."""
        memory = self._memory(batch)
        target = padded([example.target for example in batch], 0, memory.states.device)
        with torch.autocast(memory.states.device.type, enabled=False):
            return self.decoder.loss(memory, target)

    def generate(self, batch: Sequence[EncodedPair]) -> list[Output]:
        """Predictions for the sources."""
        memory = self._memory(batch)
        with torch.autocast(memory.states.device.type, enabled=False):
            rows = self.decoder.search(memory, self.settings.max_target, self.settings.beams)
        outputs = []
        for example, row in zip(batch, rows, strict=True):
            ids, ended = until(row, END)
            names = [*SPECIAL, *self.words.known, *self._copied(example.words)]
            outputs.append(Output(join([names[number] for number in ids], blanks=self.words.blanks), ended))
        return outputs

    def new_weights(self) -> Iterator[Tensor]:
        """Those of the decoder."""
        yield from self.decoder.parameters()

    def save(self, folder: Path) -> dict[str, Any]:
        """Write the encoder as a checkpoint that the library reads, and the decoder beside it."""
        from recombine.models.seq2seq.training.checkpoint import save_checkpoint

        self.module.encoder.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        (folder / "decoder").mkdir()
        save_checkpoint(folder / "decoder" / "decoder.safetensors", dict(self.decoder.named_parameters()))
        return {"words": list(self.words.known), "blanks": self.words.blanks}
