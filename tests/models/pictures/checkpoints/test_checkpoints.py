"""Pretrained checkpoints as picture models, with tiny random ones: tuned, kept, asked; and every error."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")
pytest.importorskip("transformers")

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from tokenizers.normalizers import BertNormalizer

from recombine.errors import InputFileError, UnknownNameError
from recombine.models.pictures.checkpoints.image_layers import ImageLayers
from recombine.models.pictures.checkpoints.lxmert_net import LxmertNet
from recombine.models.pictures.making.question_rows import answer_of
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.workbench import load, predict, train

WORDS = ("is", "the", "a", "how", "many", "what", "color", "of", "are", "there", "red", "blue", "dog", "boy", "?")


def tokenizer(*more: str) -> Any:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *more, *WORDS]
    made = Tokenizer(models.WordLevel({piece: number for number, piece in enumerate(pieces)}, unk_token=pieces[1]))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep")}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **names)


def lxmert_model() -> Any:
    torch.manual_seed(0)
    config = transformers.LxmertConfig(
        vocab_size=40,
        hidden_size=16,
        num_attention_heads=2,
        intermediate_size=16,
        l_layers=1,
        x_layers=1,
        r_layers=1,
        visual_feat_dim=12,
        initializer_range=0.3,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return transformers.LxmertModel(config)


@pytest.fixture(scope="module")
def lxmert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory as LXMERT's, of next to no size."""
    folder = tmp_path_factory.mktemp("lxmert") / "tiny"
    lxmert_model().save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of a model that takes several pictures, LLaVA's kind, of next to no size."""
    folder = tmp_path_factory.mktemp("llava") / "tiny"
    words = tokenizer("<image>")
    words.add_special_tokens({"additional_special_tokens": ["<image>"]})
    torch.manual_seed(0)
    size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    vision = transformers.CLIPVisionConfig(**size, image_size=16, patch_size=8)
    text = transformers.LlamaConfig(**size, vocab_size=64, num_key_value_heads=2, pad_token_id=0)
    config = transformers.LlavaConfig(
        vision_config=vision, text_config=text, image_token_index=words.convert_tokens_to_ids("<image>")
    )
    config.vision_feature_layer = -1
    transformers.LlavaForConditionalGeneration(config).save_pretrained(folder)
    images = transformers.CLIPImageProcessor(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16})
    transformers.LlavaProcessor(
        images,
        words,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token="<image>",  # noqa: S106
    ).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["lxmert", "transformers"])
def test_tuned_kept_and_asked(
    kind: str, asked: Path, tiny: Mapping[str, Any], lxmert: Path, several: Path, tmp_path: Path
) -> None:
    folder = lxmert if kind == "lxmert" else several
    split = asked.with_name("q.split.json")
    settings = {**tiny, "variant": f"{kind}:{folder}", "rate": 0.01}
    made = train(asked, split, model="pictures", set=settings)
    assert made.facts["learned"] == 48
    assert f"variant:{kind}:tiny@" in made.signature
    outputs = predict(made, asked, split).outputs
    assert set(outputs.values()) <= set(made.parser.answers)
    made.write(tmp_path / "m")
    assert predict(tmp_path / "m", asked, split).outputs == outputs
    again = train(asked, split, model="pictures", set=settings)
    for name, value in again.parser.net.state_dict().items():
        assert torch.equal(value, made.parser.net.state_dict()[name]), name


def test_what_is_tuned_learns_a_few_questions_by_heart(asked: Path, tiny: Mapping[str, Any], lxmert: Path) -> None:
    data = load(asked)
    some = list({each.source: each for each in data}.values())[:6]
    made = train(asked, asked.with_name("q.split.json"), model="pictures", set={**tiny, "variant": f"lxmert:{lxmert}"})
    made.parser.settings = replace(made.parser.settings, steps=120, rate=0.003)
    made.parser.fit(some, data.opened_world)
    given = made.parser.predict([each.query for each in some], data.opened_world)
    assert np.mean([text == answer_of(each) for text, each in zip(given, some, strict=True)]) >= 5 / 6


def test_pictures_that_are_not_there_do_not_matter() -> None:
    settings = PictureSettings(features=4)
    torch.manual_seed(1)
    net = LxmertNet(lxmert_model(), settings, 3).eval()
    tokens, known = torch.tensor([[2, 5, 3]]), torch.ones(1, 3, dtype=torch.long)
    features, boxes = torch.rand(1, 5, 6, 4), torch.rand(1, 5, 6, 4)
    regions = torch.tensor([[6, 4, 0, 0, 0]])
    there = torch.tensor([[True, True, False, False, False]])
    once = net(tokens, known, features, boxes, regions, there)
    features[:, 2:], boxes[:, 2:] = 9.0, 0.5
    features[:, 1, 4:] = 7.0  # after the last region of the second picture
    assert torch.allclose(once, net(tokens, known, features, boxes, regions, there), atol=1e-6)
    features[:, 1, 0] = 7.0
    assert not torch.allclose(once, net(tokens, known, features, boxes, regions, there), atol=1e-3)


def test_layers_over_pictures_know_how_many_there_are() -> None:
    torch.manual_seed(0)
    head = ImageLayers(8, 2, 2, 3).eval()
    pictures = torch.rand(1, 1, 8).expand(1, 5, 8)
    one, two = (torch.arange(5)[None] < number for number in (1, 2))
    assert head(pictures, one).shape == (1, 3)
    assert not torch.allclose(head(torch.rand(1, 5, 8), one), head(torch.rand(1, 5, 8), two))


def test_wrong_directories(asked: Path, tiny: Mapping[str, Any], lxmert: Path, several: Path, tmp_path: Path) -> None:
    split = asked.with_name("q.split.json")

    def refused(variant: str) -> str:
        with pytest.raises(InputFileError) as caught:
            train(asked, split, model="pictures", set={**tiny, "variant": variant})
        return str(caught.value)

    assert "no such directory" in refused(f"lxmert:{tmp_path / 'nothing'}")
    assert "is a checkpoint of the kind 'llava', not of lxmert" in refused(f"lxmert:{several}")
    broken = shutil.copytree(lxmert, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    assert "cannot be loaded" in refused(f"lxmert:{broken}")
    with pytest.raises(UnknownNameError, match="lxmert:DIR"):
        PictureSettings(variant="lxmert:")


def test_another_checkpoint_in_its_place(asked: Path, tiny: Mapping[str, Any], lxmert: Path, tmp_path: Path) -> None:
    own = shutil.copytree(lxmert, tmp_path / "own")
    split = asked.with_name("q.split.json")
    train(asked, split, model="pictures", set={**tiny, "variant": f"lxmert:{own}"}).write(tmp_path / "m")
    config = json.loads((own / "config.json").read_text())
    (own / "config.json").write_text(json.dumps({**config, "initializer_range": 0.5}))
    with pytest.raises(InputFileError, match=r"is not the checkpoint that .* was tuned from"):
        predict(tmp_path / "m", asked, split)
