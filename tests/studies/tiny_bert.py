"""A BERT of random weights, small enough to fine-tune in a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

NUMBERED = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def make_tiny_bert(folder: Path, words: Sequence[str]) -> Path:
    """Write one whose pieces are these words."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    from recombine.models.pretrained.local_checkpoint import quiet

    pieces = {word: number for number, word in enumerate([*NUMBERED, *words])}
    split = tokenizers.Tokenizer(tokenizers.models.WordPiece(pieces, unk_token=NUMBERED[1]))
    split.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    split.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")}
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
    )
    with quiet(), torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.BertModel(config, add_pooling_layer=False).half().save_pretrained(folder)
        transformers.PreTrainedTokenizerFast(tokenizer_object=split, **names).save_pretrained(folder)
    return folder
