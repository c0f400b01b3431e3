"""Checkpoints as parsers: they learn, resume, come back from disk, and say what they lose."""

from __future__ import annotations

import importlib.util
import shutil
import socket
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from recombine.errors import InputFileError, OptionError, OutputFileError, RecombineError
from recombine.models.pretrained.local_checkpoint import check_installed, checkpoint_digest, find_kind
from recombine.models.pretrained.parser import Pretrained
from recombine.models.pretrained.settings import FineTuningSettings

Pairs = list[tuple[str, str]]
NAMES = ("t5", "bart", "gpt2", "llama", "bert")
TINY = FineTuningSettings(
    steps=100,
    batch=12,
    rate=1e-2,
    schedule="polynomial",
    warmup=5,
    clip=1.0,
    max_source=40,
    max_target=40,
    hidden=32,
    embedding=16,
)


def weights(parser: Pretrained) -> dict[str, torch.Tensor]:
    assert parser.kind is not None
    return {name: weight.detach().clone() for name, weight in parser.kind.module.named_parameters()}


def same(one: Pretrained, other: Pretrained) -> bool:
    first, second = weights(one), weights(other)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def fitted(checkpoints: dict[str, Path]) -> dict[str, Pretrained]:
    """Parsers that have been fitted once, by name."""
    return {}


def fit(fitted: dict[str, Pretrained], checkpoints: dict[str, Path], name: str, pairs: Pairs) -> Pretrained:
    if name not in fitted:
        fitted[name] = Pretrained(checkpoints[name], TINY, device="cpu").fit(pairs)
    return fitted[name]


@pytest.mark.parametrize("name", NAMES)
def test_it_learns_by_heart(
    fitted: dict[str, Pretrained],
    checkpoints: dict[str, Path],
    pairs: Pairs,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    state = torch.random.get_rng_state()
    parser = fit(fitted, checkpoints, name, pairs)
    sources = [source for source, _ in pairs]
    assert parser.predict([*sources, sources[0]]) == [*(target for _, target in pairs), pairs[0][1]]
    assert not any(number for key, number in parser.counted.items() if "sources_with_unknown" not in key)
    assert parser.predict([]) == []
    assert torch.equal(state, torch.random.get_rng_state())
    told = capfd.readouterr()
    assert told.out + told.err == ""


@pytest.mark.parametrize("name", NAMES)
def test_beams_and_batches_change_little(
    fitted: dict[str, Pretrained], checkpoints: dict[str, Path], pairs: Pairs, name: str
) -> None:
    parser = fit(fitted, checkpoints, name, pairs)
    assert parser.kind is not None
    before = parser.settings
    for changes in ({"predict_batch": 1}, {"beams": 3}):
        kind: Any = parser.kind
        kind.settings = parser.settings = replace(before, **changes)
        assert parser.predict([source for source, _ in pairs]) == [target for _, target in pairs]
        kind.settings = parser.settings = before


@pytest.mark.parametrize("name", NAMES)
def test_padding_is_masked(checkpoints: dict[str, Path], pairs: Pairs, name: str) -> None:
    parser = Pretrained(checkpoints[name], TINY, device="cpu")
    kind = parser.begin(pairs).kind
    kind.module.eval()
    examples = kind.encode([source for source, _ in pairs], [target for _, target in pairs], Counter())
    assert len({len(example.target) for example in examples}) > 1
    with torch.no_grad():
        together = kind.loss(examples)
        alone = sum(kind.loss([example]) for example in examples)
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("name", "optimiser"), [("t5", "adafactor"), ("bart", "adamw"), ("bert", "adamw")])
def test_going_on_ends_with_the_same_weights(
    checkpoints: dict[str, Path], pairs: Pairs, tmp_path: Path, name: str, optimiser: str
) -> None:
    settings = replace(TINY, steps=9, batch=5, accumulate=2, optimiser=optimiser, rate=1e-3)
    work = tmp_path / "work.safetensors"
    whole = Pretrained(checkpoints[name], settings, seed=3, device="cpu")
    tuner = whole.begin(pairs)
    tuner.train(9)
    losses = tuner.take_loss()
    stopped = Pretrained(checkpoints[name], settings, seed=3, device="cpu").begin(pairs)
    stopped.train(4)
    stopped.save(work, {"said": "so"})

    again = Pretrained(checkpoints[name], settings, seed=3, device="cpu")
    resumed = again.begin(pairs)
    assert not same(whole, again)
    assert resumed.load(work) == {"said": "so"}
    assert resumed.step == 4
    resumed.train(9)
    assert same(whole, again)
    assert resumed.take_loss() == losses

    assert same(whole, Pretrained(checkpoints[name], settings, seed=3, device="cpu").fit(pairs, work))
    assert not same(whole, Pretrained(checkpoints[name], settings, seed=4, device="cpu").fit(pairs))
    with pytest.raises(OptionError, match="is of another training"):
        Pretrained(checkpoints[name], settings, seed=4, device="cpu").fit(pairs, work)
    work.write_bytes(work.read_bytes()[:-7])
    with pytest.raises(InputFileError, match="not a whole checkpoint"):
        Pretrained(checkpoints[name], settings, seed=3, device="cpu").fit(pairs, work)


@pytest.mark.parametrize("changes", [{"accumulate": 5}, {"recompute": True}])
def test_less_memory_gives_the_same(checkpoints: dict[str, Path], pairs: Pairs, changes: dict[str, Any]) -> None:
    settings = replace(TINY, steps=1)
    tuners = [
        Pretrained(checkpoints["bart"], s, device="cpu").begin(pairs) for s in (settings, replace(settings, **changes))
    ]
    for tuner in tuners:
        for module in tuner.kind.module.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
            if hasattr(module, "dropout") and isinstance(module.dropout, float):
                module.dropout = 0.0
    kind = tuners[0].kind
    examples = kind.encode([source for source, _ in pairs], [target for _, target in pairs], Counter())
    with torch.no_grad():
        mean = float(kind.loss(examples)) / sum(len(example.target) for example in examples)
    for tuner in tuners:
        tuner.train(1)
        assert tuner.take_loss() == pytest.approx(mean, rel=1e-5)
    one, other = (dict(tuner.kind.module.named_parameters()) for tuner in tuners)
    gradients = [(weight.grad, other[name].grad) for name, weight in one.items()]
    assert len(gradients) > 10
    for first, second in gradients:
        torch.testing.assert_close(first, second, rtol=1e-3, atol=1e-6)


def test_half_precision_learns_too(checkpoints: dict[str, Path], pairs: Pairs) -> None:
    parser = Pretrained(checkpoints["t5"], replace(TINY, precision="bf16"), device="cpu").fit(pairs)
    right = sum(x == y for x, (_, y) in zip(parser.predict([s for s, _ in pairs]), pairs, strict=True))
    assert right >= 10
    assert {weight.dtype for weight in weights(parser).values()} == {torch.float32}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("name", NAMES)
def test_a_gpu_learns_and_goes_on(checkpoints: dict[str, Path], pairs: Pairs, tmp_path: Path, name: str) -> None:
    parser = Pretrained(checkpoints[name], TINY, device="cuda")
    tuner = parser.begin(pairs)
    tuner.train(50)
    tuner.save(tmp_path / "work.safetensors")
    again = Pretrained(checkpoints[name], TINY, device="cuda").fit(pairs, tmp_path / "work.safetensors")
    right = sum(x == y for x, (_, y) in zip(again.predict([s for s, _ in pairs]), pairs, strict=True))
    assert right >= 10
    assert {weight.dtype for weight in weights(again).values()} == {torch.float32}


@pytest.mark.parametrize("name", ["bart", "gpt2", "bert"])
def test_a_parser_comes_back_from_disk(
    fitted: dict[str, Pretrained],
    checkpoints: dict[str, Path],
    pairs: Pairs,
    tmp_path: Path,
    name: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    parser = fit(fitted, checkpoints, name, pairs)
    parser.save(tmp_path / "saved")
    back = Pretrained.load(tmp_path / "saved", device="cpu")
    sources = [*(source for source, _ in pairs), "run jump"]
    assert back.predict(sources) == parser.predict(sources)
    assert same(parser, back)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saved"]
    with pytest.raises(OutputFileError, match="is there already"):
        parser.save(tmp_path / "saved")
    told = capfd.readouterr()
    assert told.out + told.err == ""
    if name != "bert":  # others can use it without this package
        assert find_kind(tmp_path / "saved") == {"bart": "seq2seq", "gpt2": "causal"}[name]


# -- what is lost, and what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_long_sources_fail_or_are_cut_and_counted(checkpoints: dict[str, Path], pairs: Pairs, name: str) -> None:
    settings = replace(TINY, steps=1, max_source=7 if name in ("t5", "bert") else 20)
    long = [*pairs, ("jump walk look run jump walk look run", "do(run)")]
    with pytest.raises(OptionError, match=r"1 of 13 sources have more than \d+ tokens, the longest \d+; raise max"):
        Pretrained(checkpoints[name], settings, device="cpu").fit(long)
    parser = Pretrained(checkpoints[name], replace(settings, long_sources="cut"), device="cpu").fit(long)
    assert parser.counted["train/sources_cut"] == 1
    parser.predict([long[-1][0], long[0][0]])
    assert parser.counted["predict/sources_cut"] == 1
    assert parser.kind is not None
    examples = parser.kind.encode([long[-1][0], long[0][0]], None, Counter())
    whole = Pretrained(checkpoints[name], replace(TINY, steps=1, max_source=60), device="cpu")
    uncut = whole.begin(long).kind.encode([long[-1][0]], None, Counter())[0].source
    assert len(examples[0].source) == settings.max_source < len(uncut)
    # The front is kept, and what closes a source.
    assert examples[0].source[:-1] == uncut[: settings.max_source - 1]
    assert examples[0].source[-1] == uncut[-1]


def test_outputs_that_reach_the_limit_are_counted(checkpoints: dict[str, Path], pairs: Pairs) -> None:
    parser = Pretrained(checkpoints["bart"], replace(TINY, max_target=4), device="cpu").fit(pairs)
    assert parser.counted["train/targets_over_limit"] == len(pairs)
    outputs = parser.predict(["jump once", "walk once"])
    assert parser.counted["predict/outputs_not_ended"] == 2
    assert outputs == ["do(", "do("]  # with the token that BART begins with, four


def test_positions_are_a_limit(checkpoints: dict[str, Path]) -> None:
    settings = replace(TINY, steps=1, max_source=500, max_target=500)
    with pytest.raises(OptionError, match="more than 64 tokens, the longest 72"):
        Pretrained(checkpoints["bart"], settings, device="cpu").fit([("a" * 70, "b")])
    with pytest.raises(OptionError, match="a target has 72 tokens, the model goes to 64"):
        Pretrained(checkpoints["bart"], settings, device="cpu").fit([("a", "b" * 70)])
    with pytest.raises(OptionError, match="a source with its target has 72 tokens, the model goes to 64"):
        Pretrained(checkpoints["gpt2"], settings, device="cpu").fit([("a" * 40, "b" * 30)])
    parser = Pretrained(checkpoints["gpt2"], settings, device="cpu")
    output = parser.predict(["a" * 60])[0]  # 61 with the separator
    assert output is not None
    assert parser.counted["predict/outputs_not_ended"] in (0, 1)


def test_words_that_bert_lacks_are_copied(checkpoints: dict[str, Path], pairs: Pairs) -> None:
    settings = replace(TINY, steps=150, least_count=4)
    names = [f"n{letter}" for letter in "abcdefghijklmnop"]
    told = [(f"{word} {name}", f"{word}({name})") for name in names for word in ("jump", "run")]
    parser = Pretrained(checkpoints["bert"], settings, device="cpu").fit(told)
    assert parser.counted["train/sources_with_unknown"] == len(told)
    assert parser.counted["train/targets_not_exact"] == 0
    assert parser.predict(["run zebra", "jump nq"]) == ["run(zebra)", "jump(nq)"]
    lost = Pretrained(checkpoints["bert"], replace(settings, steps=1), device="cpu").fit([("jump", "one(two)")])
    assert lost.counted["train/targets_not_exact"] == 1
    assert parser.predict([""])[0] is not None


def test_other_encoders_do_too(checkpoints: dict[str, Path], pairs: Pairs) -> None:
    parser = Pretrained(checkpoints["roberta"], TINY, device="cpu").fit(pairs)
    assert parser.predict([source for source, _ in pairs]) == [target for _, target in pairs]
    # 42 positions, of which RoBERTa leaves out two; two of the others are for the ends, one for the blank in front.
    assert parser.predict(["a" * 37])[0] is not None
    with pytest.raises(OptionError, match="1 of 1 sources have more than 40 tokens, the longest 41"):
        parser.predict(["a" * 38])


def test_a_hub_name_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="google/t5-base: no such directory; nothing is fetched here: download"):
        Pretrained("google/t5-base")
    with pytest.raises(InputFileError, match=r"has no config\.json"):
        Pretrained(tmp_path)


def test_broken_checkpoints_are_one_line(checkpoints: dict[str, Path], pairs: Pairs, tmp_path: Path) -> None:
    for name in ("tokenizer.json", "model.safetensors"):
        shutil.copytree(checkpoints["bart"], tmp_path / name)
        (tmp_path / name / name).unlink()
        with pytest.raises(InputFileError, match="download the whole checkpoint"):
            Pretrained(tmp_path / name)
    shutil.copytree(checkpoints["bart"], tmp_path / "bad")
    (tmp_path / "bad" / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputFileError, match="a seq2seq model cannot be loaded") as caught:
        Pretrained(tmp_path / "bad", TINY, device="cpu").fit(pairs)
    assert "\n" not in str(caught.value)


def test_weights_that_are_missing_are_an_error(checkpoints: dict[str, Path], pairs: Pairs) -> None:
    with pytest.raises(InputFileError, match=r"has no weights for .* of a causal model"):
        Pretrained(checkpoints["bert"], replace(TINY, kind="causal"), device="cpu").fit(pairs)
    with pytest.raises(InputFileError, match="a seq2seq model cannot be loaded"):
        Pretrained(checkpoints["gpt2"], replace(TINY, kind="seq2seq"), device="cpu").fit(pairs)
    with pytest.raises(OptionError, match="the checkpoint has a decoder of its own"):
        Pretrained(checkpoints["t5"], replace(TINY, kind="copying"), device="cpu").fit(pairs)


def test_other_mistakes(checkpoints: dict[str, Path], pairs: Pairs, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="there are no pairs to learn from"):
        Pretrained(checkpoints["bart"], TINY, device="cpu").fit([])
    with pytest.raises(RecombineError, match="a copying decoder has no words before it was fitted"):
        Pretrained(checkpoints["bert"], TINY, device="cpu").predict(["jump"])
    with pytest.raises(RecombineError, match="the parser has not been fitted"):
        Pretrained(checkpoints["bart"], TINY).save(tmp_path / "x")
    with pytest.raises(RecombineError, match="the loss is not a number at step 2; lower the rate"):
        Pretrained(checkpoints["bart"], replace(TINY, rate=1e30, warmup=0, clip=0.0), device="cpu").fit(pairs)


def test_the_digest_is_of_the_content(checkpoints: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(checkpoints["gpt2"], tmp_path / "copy")
    assert checkpoint_digest(tmp_path / "copy") == checkpoint_digest(checkpoints["gpt2"])
    (tmp_path / "copy" / "tokenizer_config.json").write_text("{}")
    assert checkpoint_digest(tmp_path / "copy") != checkpoint_digest(checkpoints["gpt2"])


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "transformers" else object())
    with pytest.raises(RecombineError, match=r"need transformers, which is not installed; install recombine\[pretr"):
        check_installed()


def test_settings_for_generation_of_a_checkpoint_are_left_out(checkpoints: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(checkpoints["bart"], tmp_path / "bart")
    asked = transformers.GenerationConfig(
        min_length=30, no_repeat_ngram_size=1, decoder_start_token_id=2, eos_token_id=2
    )
    asked.save_pretrained(tmp_path / "bart")
    pairs = [("a", "bb bb bb"), ("b", "c")]
    parser = Pretrained(tmp_path / "bart", replace(TINY, batch=2), device="cpu").fit(pairs)
    assert parser.predict(["a", "b"]) == ["bb bb bb", "c"]
