"""The stacked models against torch's own modules, for each replica on its own."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from torch import nn  # noqa: E402

from recombine.models.seq2seq.architectures import lstm  # noqa: E402
from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.layers import smoothed_loss, timing_signal  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.dropout import Drops, kept, make_keys, row_codes  # noqa: E402
from recombine.models.seq2seq.settings import Seq2SeqSettings  # noqa: E402

D, HEADS, SYMBOLS = 12, 3, 11
SOURCE = torch.tensor([[5, 6, 7, 1], [8, 1, 0, 0]])
TARGET = torch.tensor([[3, 4, 1, 0, 0], [9, 9, 10, 2, 1]])


def attend(weights: Any, name: str, x: Any, memory: Any, *, masked: Any, causal: bool) -> Any:
    """torch's multi-head attention with a replica's weights."""
    module = nn.MultiheadAttention(D, HEADS, bias=False, batch_first=True)
    names = ("q", "kv") if "cross" in name else ("qkv",)
    parts = torch.cat([weights[f"{name}.{part}"] for part in names], 1)
    with torch.no_grad():
        module.in_proj_weight.copy_(parts.T)
        module.out_proj.weight.copy_(weights[f"{name}.out"].T)
    ahead = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1) if causal else None
    return module(x, memory, memory, key_padding_mask=masked, attn_mask=ahead, need_weights=False)[0]


def normed(weights: Any, name: str, x: Any) -> Any:
    return nn.functional.layer_norm(x, (D,), weights[f"{name}.gain"], weights[f"{name}.shift"], 1e-6)


def wide(weights: Any, name: str, x: Any) -> Any:
    hidden = torch.relu(x @ weights[f"{name}.in"] + weights[f"{name}.in_bias"])
    return hidden @ weights[f"{name}.out"] + weights[f"{name}.out_bias"]


def reference(weights: Any, settings: Seq2SeqSettings) -> Any:
    """Logits (B, T, V) of one replica."""
    universal = settings.architecture == "universal-transformer"

    def run(side: str, ids: Any, memory: Any) -> Any:
        signal = timing_signal(ids.shape[1], D, ids.device)
        x = weights["embedding"][ids] * (ids > 0)[..., None] * D**0.5
        x = x if universal else x + signal
        for layer in range(settings.layers):
            name = f"{side}.layer" if universal else f"{side}.{layer}"
            if universal:
                x = x + signal + weights[f"{side}.steps"][layer] * D**0.5
            n = normed(weights, f"{name}.self", x)
            masked = None if side == "decoder" else SOURCE == 0
            x = x + attend(weights, f"{name}.self", n, n, masked=masked, causal=side == "decoder")
            if memory is not None:
                n = normed(weights, f"{name}.cross", x)
                x = x + attend(weights, f"{name}.cross", n, memory, masked=SOURCE == 0, causal=False)
            x = x + wide(weights, f"{name}.wide", normed(weights, f"{name}.wide", x))
        return normed(weights, side, x)

    before = nn.functional.pad(TARGET[:, :-1], (1, 0))
    return run("decoder", before, run("encoder", SOURCE, None)) @ weights["embedding"].T


@pytest.mark.parametrize("architecture", ["transformer", "universal-transformer"])
def test_the_transformers_compute_what_torch_computes(architecture: str) -> None:
    settings = Seq2SeqSettings(architecture=architecture, width=D, heads=HEADS, filter_width=20, layers=2)
    model = Model(settings, SYMBOLS)
    made = Parameters(model.parameters(), [4, 5])
    made.load(made.flat + 0.1 * torch.randn(made.flat.shape, generator=torch.Generator().manual_seed(0)))
    both = [ids.expand(2, -1, -1) for ids in (SOURCE, TARGET)]
    with torch.no_grad():
        found = model.logits(made.weights, *both, Drops())
        loss = model.loss(made.weights, *both, Drops())
        for replica in range(2):
            own = {name: weight[replica] for name, weight in made.weights.items()}
            expected = reference(own, settings)
            real = TARGET > 0
            torch.testing.assert_close(found[replica][real], expected[real], rtol=1e-4, atol=1e-4)
            wanted = nn.functional.cross_entropy(
                expected[real][:, :SYMBOLS], TARGET[real], label_smoothing=0.1 * SYMBOLS / (SYMBOLS - 1)
            )
            torch.testing.assert_close(loss[replica], wanted, rtol=1e-4, atol=1e-4)


def test_the_lstm_encoder_computes_what_torch_computes() -> None:
    settings = Seq2SeqSettings(architecture="lstm", width=D, heads=2, attention_width=4)
    made = Parameters(list(lstm.iter_parameters(settings, 16)), [4])
    made.load(made.flat + 0.1 * torch.randn(made.flat.shape, generator=torch.Generator().manual_seed(0)))
    weights = {name: weight[0] for name, weight in made.weights.items()}
    module = nn.LSTM(D, D, 2, batch_first=True)

    def ordered(matrix: Any) -> Any:
        """Gates i, j, f, o as torch has them: i, f, j, o."""
        i, j, f, o = matrix.chunk(4, -1)
        return torch.cat([i, f, j, o], -1)

    one = torch.zeros(4 * D)
    one[2 * D : 3 * D] = 1  # the forget gate's
    with torch.no_grad():
        for layer in range(2):
            getattr(module, f"weight_ih_l{layer}").copy_(ordered(weights[f"encoder.{layer}.in"]).T)
            getattr(module, f"weight_hh_l{layer}").copy_(ordered(weights[f"encoder.{layer}.state"]).T)
            getattr(module, f"bias_ih_l{layer}").copy_(ordered(weights[f"encoder.{layer}.bias"] + one))
            getattr(module, f"bias_hh_l{layer}").zero_()
        lengths = (SOURCE > 0).sum(1)
        backwards = torch.tensor([[1, 7, 6, 5], [1, 8, 0, 0]])
        rows = weights["source.embedding"][backwards] * D**0.5
        packed = nn.utils.rnn.pack_padded_sequence(rows, lengths, batch_first=True)
        out, (state, cell) = module(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        found, finals = lstm.encode(made.weights, settings, SOURCE[None], lengths[None], Drops())
    real = SOURCE > 0
    torch.testing.assert_close(found[0][real], out[real], rtol=1e-4, atol=1e-5)
    for layer, (last, last_cell) in enumerate(finals):
        torch.testing.assert_close(last[0], state[layer], rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(last_cell[0], cell[layer], rtol=1e-4, atol=1e-5)


def test_the_lstm_attends_to_real_positions_with_weights_that_sum_to_one() -> None:
    """With equal memory everywhere each context is that memory, whatever the scores; so nothing of padding enters."""
    settings = Seq2SeqSettings(architecture="lstm", width=D, heads=2, attention_width=4)
    made = Parameters(list(lstm.iter_parameters(settings, 16)), [4])
    row, noise = torch.randn(2, D, generator=torch.Generator().manual_seed(1))
    lengths = torch.tensor([[3, 1]])
    memory = torch.where((torch.arange(4) < lengths[..., None])[..., None], row, 50 * noise)
    zeros = torch.zeros(1, 2, D)
    with torch.no_grad():
        decoder = lstm.Decoder(made.weights, settings, (memory, [(zeros, zeros)] * 2), lengths, 1, Drops())
        found = decoder.attend(zeros)
        expected = torch.cat([row @ made.weights["attention.context"][0, head] for head in range(2)])
    torch.testing.assert_close(found, expected.expand(1, 2, -1), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("architecture", ["lstm", "universal-transformer", "syntactic-attention", "cgps"])
def test_gradients_are_the_slopes_of_the_loss(architecture: str) -> None:
    """Of every weight, along a random direction; steps of a recurrence share weights, and leave slopes on tapes."""
    settings = Seq2SeqSettings(
        architecture=architecture, width=D, heads=HEADS, filter_width=20, layers=2, attention_width=4
    )
    model = Model(settings, SYMBOLS)
    made = Parameters(model.parameters(), [4])
    noise = torch.Generator().manual_seed(0)
    weights = {
        name: (weight.detach().double() + 0.2 * torch.randn(weight.shape, generator=noise)).requires_grad_()
        for name, weight in made.weights.items()
    }

    def loss(changes: Any) -> Any:
        return model.loss({**weights, **changes}, SOURCE[None], TARGET[None], Drops()).sum()

    # Cells compute in 32 bits, whose rounding is a large part of a small slope: a longer way.
    size = 1e-4 if architecture == "universal-transformer" else 1e-3
    slopes = torch.autograd.grad(loss({}), list(weights.values()))
    for (name, weight), slope in zip(weights.items(), slopes, strict=True):
        way = torch.randn(weight.shape, generator=noise, dtype=torch.float64)
        with torch.no_grad():
            found = (loss({name: weight + size * way}) - loss({name: weight - size * way})) / (2 * size)
        torch.testing.assert_close(
            found.double(), (slope * way).sum(), rtol=2e-2, atol=2e-3, msg=lambda text, name=name: f"{name}: {text}"
        )


def test_smoothed_loss_by_hand() -> None:
    """Two symbols, logits 0 and ln 3: chances 1/4 and 3/4."""
    logits = torch.tensor([[[0.0, 3.0, 7.0], [1.0, 1.0, 9.0]]]).log()
    logits[0, 0, 0] = 0.0
    logits[0, 0, 1] = torch.log(torch.tensor(3.0))
    loss = smoothed_loss(logits, torch.tensor([[1, 0]]), smoothing=0.1, symbols=2)
    expected = -(0.9 * torch.log(torch.tensor(0.75)) + 0.1 * torch.log(torch.tensor(0.25)))
    torch.testing.assert_close(loss, expected[None])


def test_dropout_keeps_its_share_and_differs_by_seed_step_and_place() -> None:
    seeds = torch.tensor([1, 2], dtype=torch.int32)
    masks = [
        kept(make_keys(seeds, torch.tensor([step]), 3)[place], row_codes(40, 30, seeds.device), 50, 0.1)
        for step, place in ((5, 0), (6, 0), (5, 1))
    ]
    for mask in masks:
        assert mask.shape == (2, 1200, 50)
        assert abs(mask.float().mean().item() - 0.9) < 0.003
        assert mask.float().mean((0, 2)).min() > 0.7  # no row or column is dropped as a whole
        assert mask.float().mean((0, 1)).min() > 0.87
    streams = [masks[0][0], masks[0][1], masks[1][0], masks[2][0]]
    for number, one in enumerate(streams):
        for other in streams[number + 1 :]:
            assert abs((one == other).float().mean().item() - 0.82) < 0.01  # 0.9² + 0.1², as of independent ones
