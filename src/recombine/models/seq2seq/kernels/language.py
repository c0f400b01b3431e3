# mypy: ignore-errors
"""Triton, or stand-ins that let the kernel files be imported where it is missing; and the hash of `dropout`."""

from __future__ import annotations

try:
    import triton
    import triton.language as tl

    jit = triton.jit
except ImportError:  # a CPU build of torch brings no Triton
    tl = None

    def jit(function=None, **_):
        """Leave the kernel as it is; it cannot be launched."""
        return function or jit


def cdiv(size: int, block: int) -> int:
    """The number of blocks that hold `size` elements."""
    return -(-size // block)


def next_power_of_2(size: int) -> int:
    """The first power of two that is not smaller."""
    return 1 << (size - 1).bit_length()


@jit
def mix(bits):
    """As `dropout.mix`, on unsigned 32-bit numbers."""
    bits = bits ^ (bits >> 16)
    bits = bits * 0x7FEB352D
    bits = bits ^ (bits >> 15)
    bits = bits * 0x846CA68B
    return bits ^ (bits >> 16)


@jit
def kept(key, codes, columns, threshold):
    """As `dropout.kept`: a key, row codes (R,), columns (C,) -> booleans (R, C)."""
    rows = mix(mix(codes.to(tl.uint32)) + key.to(tl.uint32))
    bits = mix(rows[:, None] + (columns.to(tl.uint32) * 0x9E3779B9)[None, :])
    return (bits >> 8).to(tl.int32) >= threshold


@jit
def sigmoid(x):
    """The logistic function, by exponentials that never overflow into anything but its limits."""
    return 1 / (1 + tl.exp(-x))


@jit
def tanh(x):
    """The hyperbolic tangent, likewise."""
    return 2 / (1 + tl.exp(-2 * x)) - 1
