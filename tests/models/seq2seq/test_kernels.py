"""The GPU kernels against their plain counterparts, run here by a small interpreter of their language.

The interpreter runs one program after the other on numpy arrays; `benchmarks/replicas.py check` does the same
comparison on a GPU with the real compiler.
"""

from __future__ import annotations

import itertools
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.models.seq2seq import kernels  # noqa: E402
from recombine.models.seq2seq.architectures import layers, lstm  # noqa: E402
from recombine.models.seq2seq.architectures.architecture import Model  # noqa: E402
from recombine.models.seq2seq.architectures.attend_over_time import attend_over_time  # noqa: E402
from recombine.models.seq2seq.architectures.parameters import Parameters  # noqa: E402
from recombine.models.seq2seq.dropout import Drops, kept, make_keys, row_codes  # noqa: E402
from recombine.models.seq2seq.kernels import adam, attention, bahdanau, cell, join, language, norm, relu  # noqa: E402
from recombine.models.seq2seq.settings import ARCHITECTURES, Seq2SeqSettings  # noqa: E402
from recombine.models.seq2seq.training import optimiser  # noqa: E402

LAUNCHED = ("_forward", "_backward", "_adam", "_factors", "_collect")


class Block(np.ndarray[Any, Any]):
    """An array with the language's conversion."""

    def to(self, dtype: Any) -> Block:
        return np.asarray(self).astype(dtype).view(Block)


def block(values: Any) -> Block:
    return np.array(values).view(Block)


class Pointer:
    """A place in the memory of a tensor, or many."""

    def __init__(self, memory: Any, at: Any) -> None:
        self.memory, self.at = memory, at
        self.dtype = SimpleNamespace(element_ty=memory.dtype)

    @classmethod
    def of(cls, tensor: Any) -> Pointer:
        size = tensor.untyped_storage().nbytes() // tensor.element_size()
        return cls(torch.as_strided(tensor.detach(), (size,), (1,), 0).numpy(), tensor.storage_offset())

    def __add__(self, places: Any) -> Pointer:
        return Pointer(self.memory, self.at + np.asarray(places))


class Language(ModuleType):
    """The part of the language that the kernels use."""

    constexpr = None
    float32, uint32, int32, int64 = np.float32, np.uint32, np.int32, np.int64
    program: tuple[int, ...] = ()
    grid: tuple[int, ...] = ()

    def program_id(self, axis: int) -> Block:
        return block(np.int32(self.program[axis]))

    def num_programs(self, axis: int) -> int:
        return self.grid[axis]

    def arange(self, start: int, end: int) -> Block:
        assert end & (end - 1) == 0, "sizes of blocks are powers of two"
        return block(np.arange(start, end, dtype=np.int32))

    def static_range(self, end: int) -> range:
        return range(end)

    def zeros(self, shape: Any, dtype: Any) -> Block:
        return block(np.zeros(shape, dtype))

    def load(self, pointer: Pointer, mask: Any = True, other: Any = 0) -> Block:
        at, mask = np.broadcast_arrays(pointer.at, mask)
        out = np.full(at.shape, other, dtype=pointer.memory.dtype)
        out[mask] = pointer.memory[at[mask]]
        return block(out)

    def store(self, pointer: Pointer, values: Any, mask: Any = True) -> None:
        at, mask, values = np.broadcast_arrays(pointer.at, mask, values)
        assert np.unique(at[mask]).size == at[mask].size, "two elements are stored at one place"
        pointer.memory[at[mask]] = values[mask]

    def where(self, condition: Any, x: Any, y: Any) -> Block:
        return block(np.where(condition, x, y)).to(np.result_type(x, y))

    def dot(self, a: Block, b: Block) -> Block:
        assert min(*a.shape, *b.shape) >= 16, "products want sizes of 16 and more"
        return block(np.asarray(a) @ np.asarray(b))

    def trans(self, a: Block) -> Block:
        return a.T

    def sum(self, a: Block, axis: int) -> Block:
        return block(np.asarray(a).sum(axis))

    def max(self, a: Block, axis: int) -> Block:
        return block(np.asarray(a).max(axis))

    def maximum(self, a: Any, b: Any) -> Block:
        return block(np.maximum(a, b))

    def exp(self, a: Any) -> Block:
        return block(np.exp(a))

    def sqrt(self, a: Any) -> Block:
        return block(np.sqrt(a))


class Launcher:
    """Runs a kernel for every program of a grid."""

    def __init__(self, kernel: Any, tl: Language) -> None:
        self.kernel, self.tl = kernel, tl

    def __getitem__(self, grid: tuple[int, ...]) -> Any:
        def launch(*values: Any, num_warps: int = 4, num_stages: int = 3, **constants: Any) -> None:
            given = [Pointer.of(value) if isinstance(value, torch.Tensor) else value for value in values]
            self.tl.grid = grid
            with np.errstate(over="ignore"):
                for program in itertools.product(*map(range, grid)):
                    self.tl.program = program
                    self.kernel(*given, **constants)

        return launch


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    if language.tl is not None:
        pytest.skip("Triton is installed: the interpreter stands in for it only where it is missing")
    tl = Language("tl")
    for module in (language, adam, attention, bahdanau, cell, join, norm, relu):
        monkeypatch.setattr(module, "tl", tl)
        for name in [name for name in vars(module) if name.endswith(LAUNCHED)]:
            monkeypatch.setattr(module, name, Launcher(getattr(module, name), tl))


K, B, T, S = 2, 3, 5, 4
KEY = torch.tensor([11, -7], dtype=torch.int32)


def leaf(*shape: int) -> Any:
    return torch.randn(*shape).requires_grad_()


def same(fused: Any, plain: Any, leaves: list[Any]) -> None:
    """Outputs and gradients agree."""
    fused, plain = (out if isinstance(out, tuple) else (out,) for out in (fused, plain))
    torch.manual_seed(5)
    weights = [torch.randn_like(out) for out in plain]
    for found, expected in zip(fused, plain, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    slopes = [
        torch.autograd.grad(sum((o * w).sum() for o, w in zip(out, weights, strict=True)), leaves)
        for out in (fused, plain)
    ]
    for found, expected in zip(*slopes, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("key", [KEY, None])
def test_relu_dropout(key: Any) -> None:
    torch.manual_seed(0)
    x, bias = leaf(K, B * T, 130), leaf(K, 130)
    fused = layers._relu_dropout(x, bias, key, 0.3, T)
    same(fused, layers.relu_dropout(x, bias, key=key, rate=0.3, positions=T), [x, bias])


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("extras", [True, False])
def test_add_norm(residual: bool, extras: bool) -> None:
    torch.manual_seed(0)
    d = 12
    x, y = leaf(K, B * T, d), leaf(K, B * T, d)
    bias, gain, shift, offset = (leaf(K, d) for _ in range(4))
    signal = layers.timing_signal(T, d, y.device)
    key = KEY if extras else None
    given = (x if residual else None, y, bias if extras else None, gain, shift, key, 0.3, T)
    fused = layers._add_norm(*given, signal if extras else None, offset if extras else None)
    plain = layers.add_norm(
        given[0],
        y,
        bias=given[2],
        gain=gain,
        shift=shift,
        key=key,
        rate=0.3,
        positions=T,
        signal=signal if extras else None,
        offset=offset if extras else None,
    )
    leaves = [y, gain, shift, *([x] if residual else []), *([bias, offset] if extras else [])]
    same(fused, plain, leaves)


@pytest.mark.parametrize("key", [KEY, None])
@pytest.mark.parametrize("causal", [True, False])
def test_attention_to_itself(key: Any, causal: bool) -> None:
    torch.manual_seed(0)
    qkv = leaf(K, B, T, 3 * 8)
    lengths = torch.tensor([[5, 1, 3], [2, 5, 4]], dtype=torch.int32)
    options = {"lengths": lengths, "heads": 2, "causal": causal, "key": key, "rate": 0.3}
    fused = layers._attention(qkv, None, lengths, 2, causal, key, 0.3)
    same(fused, layers.attention(qkv, None, **options), [qkv])


def test_attention_to_the_source() -> None:
    torch.manual_seed(0)
    q, kv = leaf(K, B, T, 8), leaf(K, B, S, 16)
    lengths = torch.tensor([[4, 1, 3], [2, 2, 4]], dtype=torch.int32)
    fused = layers._attention(q, kv, lengths, 2, False, KEY, 0.3)
    plain = layers.attention(q, kv, lengths=lengths, heads=2, causal=False, key=KEY, rate=0.3)
    same(fused, plain, [q, kv])


@pytest.mark.parametrize("stop", [True, False])
def test_cell(stop: bool) -> None:
    torch.manual_seed(0)
    h = 6
    gates, state_cell, state = leaf(K, B, 4 * h), leaf(K, B, h), leaf(K, B, h)
    pre = leaf(K, B, 4 * h) if stop else leaf(K, 4 * h)
    lengths = torch.tensor([[5, 1, 3], [2, 5, 4]], dtype=torch.int32) if stop else None
    fused = lstm._cell(gates, pre, state_cell, state, lengths, 2)
    plain = lstm.run_cell(gates, pre, state_cell, state, lengths, 2)
    same(fused, plain, [gates, pre, state_cell, *([state] if stop else [])])


@pytest.mark.parametrize("dropped", [True, False])
def test_join(dropped: bool) -> None:
    torch.manual_seed(0)
    below, state = leaf(K, B, 10), leaf(K, B, 6)
    factors = torch.randn(K, B, T, 10)[:, :, 2] if dropped else None
    same(lstm._join(below, factors, state), lstm.join(below, factors, state), [below, state])


def test_a_cell_reads_rows_that_stand_apart() -> None:
    torch.manual_seed(0)
    gates, state_cell, state, every = leaf(K, B, 16), leaf(K, B, 4), leaf(K, B, 4), leaf(K, B, T, 16)
    fused, plain = (run(gates, every[:, :, 3], state_cell, state, None, 0) for run in (lstm._cell, lstm.run_cell))
    same(fused, plain, [gates, every, state_cell])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_additive_attention_over_time(dtype: Any) -> None:
    """A small recurrence through three steps, fused against plain; one example is empty, as padding of a batch is."""
    torch.manual_seed(0)
    settings = Seq2SeqSettings(architecture="lstm", width=20, heads=3, attention_width=4)
    made = Parameters(list(lstm.iter_parameters(settings, 8)), [4, 5])
    weights = {
        name: (weight.detach() + 0.3 * torch.randn_like(weight)).to(dtype).requires_grad_()
        for name, weight in made.weights.items()
    }
    memory, start = (torch.randn(*shape, dtype=dtype).requires_grad_() for shape in ((K, B, S, 20), (K, B, 20)))
    lengths = torch.tensor([[4, 1, 3], [2, 0, 4]], dtype=torch.int32)
    outs = []
    for fused in (True, False):
        decoder = lstm.Decoder(weights, settings, (memory, [(start, start)] * 2), lengths, 1, Drops())
        if fused:
            both = torch.cat([weights["attention.query"], weights["attention.own"]], 2)
            context = weights["attention.context"].flatten(0, 1)
            score = weights["attention.score"]
            decoder.fused = attend_over_time(decoder.keys, memory, lengths, score, both, context)
        state, steps = start, []
        for _ in range(3):
            found = decoder.attend(state)
            steps.append(found * (lengths > 0)[..., None])
            state = torch.cat([found, state[:, :, :8]], 2).tanh()
        outs.append(torch.stack(steps))
    names = [name for name in weights if name.startswith("attention")]
    same(*outs, [memory, start, *(weights[name] for name in names)])


def test_factors() -> None:
    found = cell.factors(KEY, B, T, 7, 0.25, torch.float32)
    expected = kept(KEY, row_codes(B, T, KEY.device), 7, 0.25).float() / 0.75
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_whole_models(architecture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loss and all gradients of a model, every kernel in use, against the plain one."""
    settings = Seq2SeqSettings(
        architecture=architecture, width=8, layers=2, heads=2, filter_width=12, attention_width=4, dropout=0.3
    )
    model = Model(settings, 9)
    parameters = Parameters(model.parameters(), [4, 5])
    parameters.load(parameters.flat + 0.2 * torch.randn(parameters.flat.shape, generator=torch.manual_seed(0)))
    source = torch.tensor([[[5, 6, 7, 1], [8, 1, 0, 0]], [[3, 1, 0, 0], [0, 0, 0, 0]]])
    target = torch.tensor([[[3, 4, 1, 0, 0], [7, 7, 8, 2, 1]], [[2, 1, 0, 0, 0], [0, 0, 0, 0, 0]]])
    found = []
    for fused in (False, True):
        monkeypatch.setattr(kernels, "use", lambda *_, fused=fused: fused)
        drops = Drops(0.3, make_keys(torch.tensor([4, 5], dtype=torch.int32), torch.tensor([7]), model.places()))
        loss = model.loss(parameters.weights, source, target, drops)
        parameters.backward(loss.sum())
        found.append((loss.detach(), parameters.gradient.clone()))
    torch.testing.assert_close(found[1], found[0], rtol=1e-4, atol=1e-5)
    assert found[0][1].abs().max() > 0.01


def test_adam() -> None:
    torch.manual_seed(0)
    flat, gradient, first, second = torch.randn(4, K, 70)
    second = second.abs()
    rates, scales = torch.tensor([0.1, 0.2]), torch.tensor([1.0, 0.5])
    expected_first = 0.9 * first + 0.1 * gradient * scales[:, None]
    expected_second = 0.99 * second + 0.01 * (gradient * scales[:, None]) ** 2
    expected = flat - rates[:, None] * expected_first / (expected_second.sqrt() + 1e-3)
    used = torch.zeros_like(flat)
    optimiser.fused_adam(flat, used, gradient, first, second, rates, scales, 0.9, 0.99, 1e-3)
    for found, wanted in ((flat, expected), (used, expected), (first, expected_first), (second, expected_second)):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-6)
