"""Tiny checkpoints with random weights, made on the spot, and pairs to learn by heart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from tokenizers.normalizers import BertNormalizer

NAMES = ("jump", "walk", "look", "run")
PAIRS = [
    (f"{name} {times}", f"do({name}{more})")
    for name in NAMES
    for times, more in (("once", ""), ("twice", ", 2"), ("left", " {left}"))
]
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789()_,.;:§%'\"=*-+?/"
WORDS = ("jump", "walk", "look", "run", "once", "twice", "left", "do")


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Sums in one order, whatever else the machine does."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def unigram_tokenizer() -> Any:
    """As T5's: no braces, angle brackets or ends of lines, single blanks."""
    special = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    pieces = [(letter, -5.0) for letter in LETTERS]
    words = [(piece, -3.0) for word in WORDS for piece in (word, f"▁{word}")]
    return transformers.T5Tokenizer(vocab=[*special, *pieces, *words], extra_ids=2)


def byte_tokenizer(*, ends: bool) -> Any:
    """As those of BART and GPT-2: over bytes."""
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*special, *alphabet])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    if ends:
        made.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
        )
    names = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    if ends:
        names["pad_token"] = "<pad>"
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)


def word_piece_tokenizer() -> Any:
    """As BERT's: lower case, words and pieces; it lacks `look`."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(set(WORDS) - {"look"}), "(", ")", "##s"]
    made = Tokenizer(models.WordPiece({piece: number for number, piece in enumerate(pieces)}, unk_token=pieces[1]))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)


def t5() -> tuple[Any, Any]:
    tokenizer = unigram_tokenizer()
    config = transformers.T5Config(
        vocab_size=len(tokenizer), d_model=32, d_kv=8, d_ff=64, num_layers=1, num_heads=4, decoder_start_token_id=0
    )
    return transformers.T5ForConditionalGeneration(config), tokenizer


def bart() -> tuple[Any, Any]:
    tokenizer = byte_tokenizer(ends=True)
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=64,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=None,
    )
    return transformers.BartForConditionalGeneration(config), tokenizer


def gpt2() -> tuple[Any, Any]:
    tokenizer = byte_tokenizer(ends=False)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_positions=64, n_embd=32, n_layer=1, n_head=4, bos_token_id=0, eos_token_id=2
    )
    return transformers.GPT2LMHeadModel(config), tokenizer


def llama() -> tuple[Any, Any]:
    tokenizer = byte_tokenizer(ends=True)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=4,
        max_position_embeddings=64,
        bos_token_id=0,
        eos_token_id=2,
        pad_token_id=1,
    )
    return transformers.LlamaForCausalLM(config), tokenizer


def bert() -> tuple[Any, Any]:
    tokenizer = word_piece_tokenizer()
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=16,
    )
    return transformers.BertModel(config, add_pooling_layer=False), tokenizer


def roberta() -> tuple[Any, Any]:
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = {token: number for number, token in enumerate([*special, *alphabet])}
    config = transformers.RobertaConfig(
        vocab_size=len(tokens),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=42,
        pad_token_id=1,
    )
    return transformers.RobertaForMaskedLM(config), transformers.RobertaTokenizer(vocab=tokens, merges=[])


MADE = {"roberta": roberta, "t5": t5, "bart": bart, "gpt2": gpt2, "llama": llama, "bert": bert}


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A directory for each tiny model."""
    from recombine.models.pretrained.local_checkpoint import quiet

    place = tmp_path_factory.mktemp("checkpoints")
    with quiet(), torch.random.fork_rng():
        torch.manual_seed(0)
        for name, make in MADE.items():
            model, tokenizer = make()
            model.save_pretrained(place / name)
            tokenizer.save_pretrained(place / name)
    return {name: place / name for name in MADE}


@pytest.fixture
def pairs() -> list[tuple[str, str]]:
    """A dozen pairs, some with braces."""
    return list(PAIRS)
