"""Decoding with a beam against greedy decoding, against a search without a cache, and against all outputs there are."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.errors import OptionError  # noqa: E402
from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.decoding.beam import beam  # noqa: E402
from recombine.models.seq2seq.decoding.greedy import greedy  # noqa: E402
from recombine.models.seq2seq.dropout import Drops  # noqa: E402
from recombine.models.seq2seq.presets import PRESETS  # noqa: E402
from recombine.models.seq2seq.seq2seq_family import settings_of  # noqa: E402
from recombine.models.seq2seq.settings import ARCHITECTURES, OPTIONS, Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training.train import Replica, Stack  # noqa: E402

SMALL: dict[str, Any] = {"width": 16, "heads": 2, "filter_width": 24, "attention_width": 6}


def make(architecture: str, symbols: int, seeds: list[int], **options: Any) -> tuple[Model, Any]:
    """A model whose chances are uneven."""
    model = Model(Seq2SeqSettings(architecture=architecture, **SMALL, **options), symbols)
    made = Parameters(model.parameters(), seeds)
    noise = torch.randn(made.flat.shape, generator=torch.Generator().manual_seed(0))
    made.load(made.flat + 0.15 * noise)
    return model, made.weights


def sources(replicas: int, examples: int, symbols: int) -> Any:
    source = torch.from_numpy(np.random.default_rng(1).integers(2, symbols, (replicas, examples, 5)))
    source[:, ::2, 3:] = 0
    return source


@cache
def trained(architecture: str) -> Any:
    """The weights of two replicas that have half learned to copy five symbols, and what they copy (K, B, T)."""
    table = np.concatenate([np.random.default_rng(0).integers(2, 7, (60, 5)), np.ones((60, 1), np.int64)], 1)
    tuned = {"batch_tokens": 180, "buckets": 1, "rate": 0.01 if architecture == "lstm" else 0.1, "warmup": 20}
    settings = Seq2SeqSettings(architecture=architecture, dropout=0.0, decay=architecture != "lstm", **SMALL, **tuned)
    stack = Stack(settings, [Replica("a", np.arange(60), 0), Replica("b", np.arange(40), 1)], table, table, 7)
    stack.train(60)
    return stack, torch.from_numpy(table)[:30].expand(2, -1, -1)


def widened(stack: Stack, **options: Any) -> Model:
    return Model(replace(stack.settings, **options), 7)


def chances(model: Model, weights: Any, source: Any, outputs: Any) -> Any:
    """The log-probability of each output (K, B, T), all positions run at once."""
    with torch.no_grad():
        logits = model.logits(weights, source, outputs, Drops())[..., : model.symbols].float()
    found = logits.log_softmax(3).gather(3, outputs[..., None])[..., 0]
    return torch.where(outputs > 0, found, torch.zeros_like(found)).sum(2)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_beam_of_one_is_greedy(architecture: str) -> None:
    model, weights = make(architecture, 7, [0, 1], beam=1)
    source = sources(2, 12, 7)
    assert torch.equal(beam(model, weights, source, 9), greedy(model, weights, source, 9))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_beam_finds_what_is_at_least_as_likely_as_greedy(architecture: str) -> None:
    """Without a penalty; outputs that do not end are left out."""
    stack, source = trained(architecture)
    model, weights = widened(stack, beam=4, length_penalty=0.0), stack.parameters.weights
    found, usual = beam(model, weights, source, 12), greedy(model, weights, source, 12)
    ended = (usual == 1).any(2)
    assert ended.float().mean() > 0.3
    assert (found == 1).any(2)[ended].all()
    better = chances(model, weights, source, found) - chances(model, weights, source, usual)
    assert better[ended].min() > -1e-4
    if architecture not in ("syntactic-attention", "cgps"):  # these do not read their outputs: greedy is hard to beat
        assert better[ended].max() > 0.05  # and it is not greedy again
    assert ((found == 1).cumsum(2).cumsum(2) > 1).logical_and(found != 0).sum() == 0  # nothing after the end


@pytest.mark.parametrize("penalty", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("architecture", ["lstm", "transformer"])
def test_a_wide_beam_finds_the_best_of_all_outputs(architecture: str, penalty: float) -> None:
    symbols, longest = 4, 4
    model, weights = make(architecture, symbols, [3], beam=32, length_penalty=penalty)
    every = [
        (*front, 1, *(0,) * (longest - length - 1))
        for length in range(longest)
        for front in itertools.product((2, 3), repeat=length)
    ]
    source = sources(1, 6, symbols)
    found = beam(model, weights, source, longest)
    for example in range(6):
        outputs = torch.tensor([every])
        scores = chances(model, weights, source[:, example : example + 1].expand(1, len(every), -1), outputs)[0]
        scores = scores / ((5 + (outputs[0] > 0).sum(1)) / 6) ** penalty
        assert found[0, example].tolist() == outputs[0, scores.argmax()].tolist()


def slow_beam(model: Model, weights: Any, source: Any, longest: int) -> list[int]:
    """The search of one example on lists, every prefix run as a whole: weights and source of one replica."""
    width, power = model.settings.beam, model.settings.length_penalty
    going: list[tuple[float, list[int]]] = [(0.0, [])]
    best: tuple[float, list[int]] | None = None
    for position in range(longest):
        grown = []
        for score, output in going:
            prefix = torch.tensor([[[*output, 0]]])
            with torch.no_grad():
                logits = model.logits(weights, source, prefix, Drops())[0, 0, -1, : model.symbols]
            found = logits.float().log_softmax(0).tolist()
            grown += [(score + found[symbol], [*output, symbol]) for symbol in range(1, model.symbols)]
        grown.sort(key=lambda one: -one[0])
        for score, output in grown[: 2 * width]:
            scored = score / ((5 + position + 1) / 6) ** power
            if output[-1] == 1 and (best is None or scored > best[0]):
                best = (scored, output)
        going = [one for one in grown[: 2 * width] if one[1][-1] != 1][:width]
    output = going[0][1] if best is None else best[1]
    return output + [0] * (longest - len(output))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_search_is_the_same_with_and_without_a_cache_for_each_replica(architecture: str) -> None:
    stack, source = trained(architecture)
    model, weights = widened(stack, beam=3), stack.parameters.weights
    source = source[:, :5]
    found = beam(model, weights, source, 10)
    for replica in range(2):
        own = {name: weight[replica : replica + 1] for name, weight in weights.items()}
        for example in range(5):
            one = source[replica : replica + 1, example : example + 1]
            assert found[replica, example].tolist() == slow_beam(model, own, one, 10)
    assert len(torch.unique(found)) > 3


def test_a_stack_predicts_with_its_beam() -> None:
    rows = np.arange(8)
    table = np.concatenate([np.random.default_rng(0).integers(2, 7, (8, 4)), np.ones((8, 1), np.int64)], 1)
    settings = Seq2SeqSettings(architecture="transformer", batch_tokens=40, steps=5, **SMALL)
    found = {}
    for width in (1, 4):
        stack = Stack(replace(settings, beam=width), [Replica("a", rows, 0)], table, table, 7)
        stack.train(5)
        found[width] = stack.predict([rows], 5, batch=4)[0]
        expected = beam(stack.model, stack.parameters.weights, torch.from_numpy(table)[None], 5)[0].numpy()
        assert (found[width] == expected).all()
    assert (found[1] != found[4]).any()


def test_options_that_are_off_leave_settings_and_keys_as_they_were() -> None:
    """The settings enter the keys of stored results."""
    for name, preset in PRESETS.items():
        assert not {"beam", "length_penalty", "halting", "halting_threshold", "ponder"} & preset.to_dict().keys()
        if name.startswith("cfq:"):
            assert not set(OPTIONS) & preset.to_dict().keys()
        assert settings_of(name, {"beam": 1}) == settings_of(name, {}) == preset.to_dict()
        assert Seq2SeqSettings.from_dict(replace(preset, beam=4).to_dict()).beam == 4
    assert settings_of("cfq:lstm", {"beam": 4})["beam"] == 4


@pytest.mark.parametrize(("name", "value"), [("beam", 0), ("length_penalty", -0.1)])
def test_impossible_beams_are_refused(name: str, value: float) -> None:
    with pytest.raises(OptionError, match=name):
        Seq2SeqSettings(architecture="transformer", **{name: value})
