# mypy: ignore-errors
# ruff: noqa: N803
"""Adam over the flat buffer in one pass."""

from __future__ import annotations

from recombine.models.seq2seq.kernels.language import cdiv, jit, tl

BLOCK = 2048


@jit
def _adam(
    flat, used, gradient, first, second, rates, scales, size, beta1, beta2, epsilon,
    COPY: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    k = tl.program_id(1).to(tl.int64)
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < size
    at = k * size + place
    slope = tl.load(gradient + at, mask=inside, other=0.0).to(tl.float32) * tl.load(scales + k)
    mean = beta1 * tl.load(first + at, mask=inside, other=0.0) + (1 - beta1) * slope
    spread = beta2 * tl.load(second + at, mask=inside, other=0.0) + (1 - beta2) * slope * slope
    tl.store(first + at, mean, mask=inside)
    tl.store(second + at, spread, mask=inside)
    value = tl.load(flat + at, mask=inside, other=0.0) - tl.load(rates + k) * mean / (tl.sqrt(spread) + epsilon)
    tl.store(flat + at, value, mask=inside)
    if COPY:
        tl.store(used + at, value.to(used.dtype.element_ty), mask=inside)


def adam(flat, used, gradient, first, second, rates, scales, beta1, beta2, epsilon) -> None:
    """Move weights (K, P) by their gradients; rates and scales are (K,)."""
    k, size = flat.shape
    _adam[(cdiv(size, BLOCK), k)](
        flat, used, gradient, first, second, rates, scales, size, beta1, beta2, epsilon,
        COPY=used is not flat, BLOCK=BLOCK, num_warps=8,
    )  # fmt: skip
