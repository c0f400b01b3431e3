"""The Transformer (Vaswani et al., 2017) for K replicas at once, with layer norm in front of every sub-layer.

One table embeds source and target symbols and is the softmax layer too; projections of attention have no biases. Symbol
0 is padding and also starts every target: it has no embedding. Sizes in the margin: K replicas, B examples, S source
and T target positions, D features, F features of the wide layer, V symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.layers import (
    add_norm,
    attention,
    by_example,
    dot_product,
    embed,
    relu_dropout,
    timing_signal,
)
from recombine.models.seq2seq.architectures.parameters import Parameter

if TYPE_CHECKING:
    from recombine.models.seq2seq.dropout import Drops
    from recombine.models.seq2seq.settings import Seq2SeqSettings

Weights = Mapping[str, Tensor]
Attend = Callable[[str, str, Tensor], Tensor]
"""What attends: `self` or `cross`, the name of the layer's weights, input (K, N, D) -> all heads side by side."""


def iter_parameters(settings: Seq2SeqSettings, symbols: int) -> Iterator[Parameter]:
    """The weights of one replica."""
    yield Parameter("embedding", (symbols, settings.width), "normal")
    for side in ("encoder", "decoder"):
        for layer in range(settings.layers):
            yield from iter_layer(f"{side}.{layer}", settings, cross=side == "decoder")
        yield from iter_norm(side, settings.width)


def iter_layer(name: str, settings: Seq2SeqSettings, *, cross: bool) -> Iterator[Parameter]:
    """The weights of one layer: attention to its own side, to the source where `cross`, and the wide layer."""
    d, f = settings.width, settings.filter_width
    yield from iter_norm(f"{name}.self", d)
    yield Parameter(f"{name}.self.qkv", (d, 3 * d), fans=(d, d))
    yield Parameter(f"{name}.self.out", (d, d))
    if cross:
        yield from iter_norm(f"{name}.cross", d)
        yield Parameter(f"{name}.cross.q", (d, d))
        yield Parameter(f"{name}.cross.kv", (d, 2 * d), fans=(d, d))
        yield Parameter(f"{name}.cross.out", (d, d))
    yield from iter_norm(f"{name}.wide", d)
    yield Parameter(f"{name}.wide.in", (d, f))
    yield Parameter(f"{name}.wide.in_bias", (f,), "zeros")
    yield Parameter(f"{name}.wide.out", (f, d))
    yield Parameter(f"{name}.wide.out_bias", (d,), "zeros")


def iter_norm(name: str, width: int) -> Iterator[Parameter]:
    """The weights of a layer norm."""
    yield Parameter(f"{name}.gain", (width,), "ones")
    yield Parameter(f"{name}.shift", (width,), "zeros")


def places(settings: Seq2SeqSettings) -> int:
    """How many places of the model drop."""
    return 2 + settings.layers * (4 + 6)


def layer_names(side: str, settings: Seq2SeqSettings) -> list[str]:
    """The weights of each layer of a side, in turn."""
    return [f"{side}.{layer}" for layer in range(settings.layers)]


def run_layers(
    weights: Weights,
    y: Tensor,
    side: str,
    names: list[str],
    attend: Attend,
    drops: Drops,
    positions: int,
    signals: tuple[Tensor, Tensor] | None = None,
    watch: Callable[[Tensor], None] | None = None,
) -> Tensor:
    """All layers of one side: embedded input (K, N, D) -> normed output (K, N, D).

    `names` are the weights of each layer in turn. `signals`, where given, are added to the state in front of each
    layer: one row for each position (positions, D) and one for each layer (K, layers, D). `watch`, where given, is
    shown the state in front of each layer, signals included, and after the last.
    """
    parts = ("self", "wide") if side == "encoder" else ("self", "cross", "wide")
    stages = [(name, part) for name in names for part in parts]

    def join(x: Tensor | None, y: Tensor, bias: Tensor | None, stage: int) -> tuple[Tensor, Tensor]:
        """Add a sub-layer's output to the state, and norm the state for the next sub-layer."""
        follows = ".".join(stages[stage]) if stage < len(stages) else side
        layer, inner = divmod(stage, len(parts))
        signal, steps = signals if signals is not None and inner == 0 and layer < len(names) else (None, None)
        return add_norm(
            x,
            y,
            bias=bias,
            gain=weights[f"{follows}.gain"],
            shift=weights[f"{follows}.shift"],
            key=drops.next(),
            rate=drops.rate,
            positions=positions,
            signal=signal,
            offset=None if steps is None else steps[:, layer],
        )

    x, n = join(None, y, None, 0)
    if watch is not None:
        watch(x)
    for stage, (name, part) in enumerate(stages):
        bias = None
        if part == "wide":
            wide = torch.bmm(n, weights[f"{name}.wide.in"])  # (K, N, F)
            bias = weights[f"{name}.wide.in_bias"]
            wide = relu_dropout(wide, bias, key=drops.next(), rate=drops.rate, positions=positions)
            y, bias = torch.bmm(wide, weights[f"{name}.wide.out"]), weights[f"{name}.wide.out_bias"]
        else:
            y = torch.bmm(attend(part, name, n), weights[f"{name}.{part}.out"])
        x, n = join(x, y, bias, stage + 1)
        if watch is not None and part == "wide":
            watch(x)
    return n


def encode(weights: Weights, settings: Seq2SeqSettings, source: Tensor, lengths: Tensor, drops: Drops) -> Tensor:
    """Source symbols (K, B, S) of these lengths (K, B) -> (K, B, S, D)."""
    k, b, s = source.shape
    attend = attend_source(weights, settings, lengths, drops, b)
    y = embed_symbols(weights, settings, source)
    return run_layers(weights, y, "encoder", layer_names("encoder", settings), attend, drops, s).view(k, b, s, -1)


def decode(
    weights: Weights, settings: Seq2SeqSettings, target: Tensor, memory: Tensor, lengths: Tensor, drops: Drops
) -> Tensor:
    """Symbols that come before (K, B, T) and the encoded source (K, B, S, D) -> logits of what follows (K, B, T, V)."""
    k, b, t = target.shape
    attend = attend_target(weights, settings, memory, lengths, drops)
    y = embed_symbols(weights, settings, target)
    n = run_layers(weights, y, "decoder", layer_names("decoder", settings), attend, drops, t)
    return torch.bmm(n, weights["embedding"].mT).view(k, b, t, -1)


def embed_symbols(weights: Weights, settings: Seq2SeqSettings, ids: Tensor) -> Tensor:
    """Symbols (K, B, T) with their positions -> (K, B·T, D)."""
    _, b, t = ids.shape
    signal = timing_signal(t, settings.width, ids.device).repeat(b, 1)
    return embed(weights["embedding"], ids.flatten(1), settings.width**0.5, signal)


def attend_source(weights: Weights, settings: Seq2SeqSettings, lengths: Tensor, drops: Drops, examples: int) -> Attend:
    """Attention within the source."""

    def attend(part: str, name: str, n: Tensor) -> Tensor:
        qkv = by_example(torch.bmm(n, weights[f"{name}.{part}.qkv"]), examples)  # (K, B, S, 3D)
        options = {"heads": settings.heads, "causal": False, "key": drops.next(), "rate": drops.rate}
        return attention(qkv, None, lengths=lengths, **options).flatten(1, 2)  # type: ignore[arg-type]

    return attend


def attend_target(weights: Weights, settings: Seq2SeqSettings, memory: Tensor, lengths: Tensor, drops: Drops) -> Attend:
    """Attention within the target to what comes before, and to the source."""
    examples, encoded = memory.shape[1], memory.flatten(1, 2)  # (K, B·S, D)
    keys: dict[str, Tensor] = {}

    def attend(part: str, name: str, n: Tensor) -> Tensor:
        if part == "self":
            q = by_example(torch.bmm(n, weights[f"{name}.self.qkv"]), examples)  # (K, B, T, 3D)
            kv = None
        else:
            q = by_example(torch.bmm(n, weights[f"{name}.cross.q"]), examples)  # (K, B, T, D)
            if name not in keys:
                keys[name] = by_example(torch.bmm(encoded, weights[f"{name}.cross.kv"]), examples)
            kv = keys[name]  # (K, B, S, 2D)
        options = {"heads": settings.heads, "causal": kv is None, "key": drops.next(), "rate": drops.rate}
        return attention(q, kv, lengths=lengths, **options).flatten(1, 2)  # type: ignore[arg-type]

    return attend


class Decoder:
    """Decoding position by position: keys and values of what was decoded, and of the source, are kept."""

    def __init__(
        self, weights: Weights, settings: Seq2SeqSettings, memory: Tensor, lengths: Tensor, longest: int, drops: Drops
    ) -> None:
        self.weights, self.settings, self.drops = weights, settings, drops
        k, b, s, d = memory.shape
        self.position, self.layer = 0, 0
        self.names = self.layer_names(settings)
        self.own = [memory.new_zeros(k, b, longest, 2 * d) for _ in self.names]  # (K, B, T, 2D) each
        self.source = {
            name: by_example(torch.bmm(memory.flatten(1, 2), weights[f"{name}.cross.kv"]), b)  # (K, B, S, 2D)
            for name in dict.fromkeys(self.names)
        }
        self.seen = (torch.arange(s, device=memory.device) < lengths[..., None])[:, :, None, None]  # (K, B, 1, 1, S)
        self.signal = timing_signal(longest, settings.width, memory.device)

    def layer_names(self, settings: Seq2SeqSettings) -> list[str]:
        """The weights of each layer, in turn."""
        return layer_names("decoder", settings)

    def step(self, ids: Tensor) -> Tensor:
        """The last symbols (K, B) -> logits of the next (K, B, V)."""
        self.layer = 0
        y, signals = self.embed(ids)
        n = self.run(y, signals)
        self.position += 1
        return torch.bmm(n, self.weights["embedding"].mT)

    def run(self, y: Tensor, signals: tuple[Tensor, Tensor] | None) -> Tensor:
        """All layers at one position: (K, B, D) -> (K, B, D)."""
        return run_layers(self.weights, y, "decoder", self.names, self.attend, self.drops, 1, signals)

    def reorder(self, rows: Tensor) -> None:
        """Go on with what was decoded of these examples (K, B), which have the same sources as those they replace."""
        replicas = torch.arange(len(rows), device=rows.device)[:, None]
        for own in self.own:
            own[:, :, : self.position] = own[replicas, rows, : self.position]

    def embed(self, ids: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor] | None]:
        """Symbols at the current position -> (K, B, D), and the signals in front of each layer."""
        signal = self.signal[self.position].expand(ids.shape[1], -1)
        return embed(self.weights["embedding"], ids, self.settings.width**0.5, signal), None

    def attend(self, part: str, name: str, n: Tensor) -> Tensor:
        """Attention of one new position (K, B, D)."""
        if part == "self":
            q, k, v = torch.bmm(n, self.weights[f"{name}.self.qkv"])[:, :, None].chunk(3, -1)  # (K, B, 1, D) each
            own = self.own[self.layer]
            own[:, :, self.position] = torch.cat([k, v], -1)[:, :, 0]
            k, v = own[:, :, : self.position + 1].chunk(2, -1)
            seen = torch.ones(1, dtype=torch.bool, device=n.device)
        else:
            self.layer += 1
            q = torch.bmm(n, self.weights[f"{name}.cross.q"])[:, :, None]
            k, v = self.source[name].chunk(2, -1)
            seen = self.seen
        return dot_product(q, k, v, seen=seen, heads=self.settings.heads)[:, :, 0]
