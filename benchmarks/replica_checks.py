"""The fused kernels of each architecture against plain torch on the CPU, for `replicas.py` on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures import layers, lstm
from recombine.models.seq2seq.architectures.parameters import Parameters
from recombine.models.seq2seq.dropout import Drops
from recombine.models.seq2seq.settings import Seq2SeqSettings

CANDIDATES: dict[str, list[set[str]]] = {
    "lstm": [set(), {"join"}, {"bahdanau"}, {"bahdanau", "join"}, {"cell"}],
    "transformer": [set(), {"norm"}, {"relu"}, {"attention"}],
    "universal-transformer": [set(), {"norm"}, {"relu"}, {"attention"}],
}
"""Kernels to leave out, in the order in which to try them."""
Row = tuple[str, str, Callable[[], dict[str, Any]]]
K, B = 3, 5
KEY = torch.tensor([11, -7, 123456789], dtype=torch.int32)


def error_of(found: Tensor, expected: Tensor) -> float:
    """‖found − expected‖ / ‖expected‖."""
    found, expected = found.detach().double().cpu(), expected.detach().double().cpu()
    return float((found - expected).norm() / expected.norm().clamp(min=1e-30))


def compare(function: Callable[..., Any], *inputs: Tensor | None) -> dict[str, Any]:
    """The largest error of outputs and gradients of a layer, fused in bf16 against plain in 32 bits."""
    results = []
    for device, dtype in (("cuda", torch.bfloat16), ("cpu", torch.float32)):
        held = []
        for x in inputs:
            if x is not None and x.is_floating_point():
                x = x.bfloat16().to(device=device, dtype=dtype).detach().requires_grad_()
            held.append(x.to(device) if x is not None and not x.is_floating_point() else x)
        out = function(*held)
        out = out if isinstance(out, tuple) else (out,)
        torch.manual_seed(1)
        weights = [torch.randn(o.shape) for o in out]
        loss = sum((o.float() * w.bfloat16().to(o.device).float()).sum() for o, w in zip(out, weights, strict=True))
        leaves = [x for x in held if x is not None and x.requires_grad]
        results.append([*out, *torch.autograd.grad(loss, leaves, materialize_grads=True)])
    errors = [error_of(found, expected) for found, expected in zip(*results, strict=True)]
    return {"worst": max(errors), "errors": [round(e, 5) for e in errors], "ok": max(errors) < 0.02}


def lengths_to(longest: int) -> Tensor:
    """Lengths (K, B) from 1 on, one of them the longest."""
    found = torch.randint(1, longest + 1, (K, B), dtype=torch.int32)
    found[0, 0] = longest
    return found


def iter_checks(settings: Seq2SeqSettings) -> Iterator[Row]:
    """Kernel, what is checked, and the check, for the widths and lengths that these settings meet."""
    torch.manual_seed(0)
    if settings.architecture == "lstm":
        yield from iter_recurrent(settings)
    else:
        yield from iter_norms(settings)
        yield from iter_attentions(settings)


def iter_norms(settings: Seq2SeqSettings) -> Iterator[Row]:
    """Layer norms and the wide layer."""
    t, d, f = 21, settings.width, settings.filter_width

    def norm(key: Any, y: Any, gain: Any, shift: Any, bias: Any = None, x: Any = None, offset: Any = None) -> Any:
        signal = layers.timing_signal(t, d, y.device) if offset is not None else None
        extra = {"signal": signal, "offset": offset}
        x = x.float() if x is not None else None
        return layers.add_norm(x, y, bias=bias, gain=gain, shift=shift, key=key, rate=0.1, positions=t, **extra)

    def relu(key: Any, x: Any, bias: Any) -> Any:
        return layers.relu_dropout(x, bias, key=key, rate=0.1, positions=t)

    y, x = torch.randn(K, B * t, d), torch.randn(K, B * t, d)
    gain, shift, bias, offset = (torch.randn(K, d) for _ in range(4))
    yield "norm", "sum", lambda: compare(norm, KEY, y, gain, shift, bias, x)
    yield "norm", "first", lambda: compare(norm, None, y, gain, shift)
    yield "norm", "signals", lambda: compare(norm, KEY, y, gain, shift, None, x, offset)
    wide, wide_bias = torch.randn(K, B * t, f), torch.randn(K, f)
    yield "relu", "dropout", lambda: compare(relu, KEY, wide, wide_bias)
    yield "relu", "no dropout", lambda: compare(relu, None, wide, wide_bias)


def iter_attentions(settings: Seq2SeqSettings) -> Iterator[Row]:
    """Attention at short, middling and long sequences."""
    d = settings.width
    shared: Any = {"heads": settings.heads, "rate": 0.1}

    def cross(key: Any, q: Any, kv: Any, lengths: Any) -> Any:
        return layers.attention(q, kv, lengths=lengths, causal=False, key=key, **shared)

    def before(key: Any, qkv: Any, lengths: Any) -> Any:
        return layers.attention(qkv, None, lengths=lengths, causal=True, key=key, **shared)

    def within(key: Any, qkv: Any, lengths: Any) -> Any:
        return layers.attention(qkv, None, lengths=lengths, causal=False, key=key, **shared)

    for t, s in ((9, 7), (21, 10), (49, 10)):
        qkv, q, kv = torch.randn(K, B, t, 3 * d), torch.randn(K, B, t, d), torch.randn(K, B, s, 2 * d)
        own, source = lengths_to(t), lengths_to(s)
        yield "attention", f"cross {t}", lambda q=q, kv=kv, n=source: compare(cross, KEY, q, kv, n)  # type: ignore[misc]
        yield "attention", f"causal {t}", lambda x=qkv, n=own: compare(before, KEY, x, n)  # type: ignore[misc]
        if t < 49:
            yield "attention", f"whole {t}", lambda x=qkv, n=own: compare(within, KEY, x, n)  # type: ignore[misc]


def iter_recurrent(settings: Seq2SeqSettings) -> Iterator[Row]:
    """Cells, what they are multiplied from, and additive attention through three steps."""
    h, s, t = settings.width, 10, 4
    lengths = lengths_to(s)

    def cell(gates: Any, pre: Any, cell: Any, state: Any, lengths: Any) -> Any:
        pre = pre[:, :, 1] if pre.dim() == 4 else pre
        return lstm.run_cell(gates, pre, cell.float(), state, lengths, 3)

    def join(below: Any, factors: Any, state: Any) -> Any:
        return lstm.join(below, None if factors is None else factors[:, :, 2].detach(), state)

    gates, pre, per = torch.randn(K, B, 4 * h), torch.randn(K, B, t, 4 * h), torch.randn(K, 4 * h)
    c, z, factors = torch.randn(K, B, h), torch.randn(K, B, h), torch.randn(K, B, t, h)
    yield "cell", "that stops", lambda: compare(cell, gates, pre, c, z, lengths)
    yield "cell", "with a bias", lambda: compare(cell, gates, per, c, z, None)
    yield "join", "dropped", lambda: compare(join, c, factors, z)
    yield "join", "whole", lambda: compare(join, c, None, z)
    weights = Parameters(list(lstm.iter_parameters(settings, 8)), [1, 2, 3]).weights
    names = [name for name in weights if name.startswith("attention.")]

    def attend(memory: Any, start: Any, lengths: Any, *given: Any) -> Any:
        others = {name: weights[name].detach().to(memory) for name in weights}
        held = {**others, **dict(zip(names, given, strict=True))}
        decoder = lstm.Decoder(held, settings, (memory, [(start, start.float())] * 2), lengths, 1, Drops())
        state, steps = start, []
        for _ in range(3):
            state = decoder.attend(state).tanh()[:, :, :h]
            steps.append(state)
        return torch.stack(steps)

    given = [weights[name].detach() for name in names]
    for longest in (7, s):
        memory, own = torch.randn(K, B, longest, h), lengths_to(longest)
        yield "bahdanau", f"{longest}", lambda m=memory, n=own: compare(attend, m, z, n, *given)  # type: ignore[misc]
