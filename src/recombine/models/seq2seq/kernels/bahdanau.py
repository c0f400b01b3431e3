# mypy: ignore-errors
# ruff: noqa: N803
"""Additive attention of several heads to a short source: one program holds an example's whole memory in registers.

A step's backward gives the slope of the query alone. Those of keys, memory and score vectors are sums over all steps of
the decoder; `collect` makes them in one pass after the last step.
"""

from __future__ import annotations

import torch

from recombine.models.seq2seq.kernels.language import cdiv, jit, next_power_of_2, tanh, tl

LARGEST = 16384
"""Most elements of one example's memory, padded to powers of two."""
PADDED = 16
"""Heads are padded to this many in `collect`, as matrix units want."""
COLUMNS = 128


@jit(do_not_specialize=["B", "S"])
def _bahdanau_forward(
    query, keys, memory, score, lengths, context, chances, B, S, h, query_row,
    HEADS: tl.constexpr, BS: tl.constexpr, BH: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)  # over replicas and examples
    replica, example = row // B, row % B
    s, c = tl.arange(0, BS), tl.arange(0, BH)
    wide = c < h
    inside = (s < S)[:, None] & wide[None, :]
    at = (row * S + s)[:, None] * h + c[None, :]
    asked = tl.load(query + row * query_row + c, mask=wide, other=0.0).to(tl.float32)
    features = tanh(tl.load(keys + at, mask=inside, other=0.0).to(tl.float32) + asked[None, :])
    values = tl.load(memory + at, mask=inside, other=0.0).to(tl.float32)
    seen = s < tl.load(lengths + row)
    for head in tl.static_range(HEADS):
        vector = tl.load(score + (replica * HEADS + head) * h + c, mask=wide, other=0.0).to(tl.float32)
        scores = tl.sum(features * vector[None, :], 1)
        scores = tl.where(seen, scores, -1e9)
        scores = tl.where(s < S, scores, -2e9)
        weights = tl.exp(scores - tl.max(scores, 0))
        weights = weights / tl.sum(weights, 0)
        tl.store(chances + (row * HEADS + head) * S + s, weights, mask=s < S)
        mean = tl.sum(weights[:, None] * values, 0)
        place = ((replica * HEADS + head) * B + example) * h + c
        tl.store(context + place, mean.to(context.dtype.element_ty), mask=wide)


@jit(do_not_specialize=["B", "S"])
def _bahdanau_backward(
    query, keys, memory, score, lengths, chances, from_context, from_own, to_both, to_scores, B, S, h, query_row,
    HEADS: tl.constexpr, BS: tl.constexpr, BH: tl.constexpr, BO: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    replica, example = row // B, row % B
    s, c = tl.arange(0, BS), tl.arange(0, BH)
    wide = c < h
    inside = (s < S)[:, None] & wide[None, :]
    at = (row * S + s)[:, None] * h + c[None, :]
    values = tl.load(memory + at, mask=inside, other=0.0).to(tl.float32)
    seen = s < tl.load(lengths + row)
    slope = tl.zeros([BS, BH], tl.float32)
    for head in tl.static_range(HEADS):
        vector = tl.load(score + (replica * HEADS + head) * h + c, mask=wide, other=0.0).to(tl.float32)
        place = ((replica * HEADS + head) * B + example) * h + c
        above = tl.load(from_context + place, mask=wide, other=0.0).to(tl.float32)
        weights = tl.load(chances + (row * HEADS + head) * S + s, mask=seen, other=0.0)
        to_weights = tl.sum(values * above[None, :], 1)
        delta = weights * (to_weights - tl.sum(weights * to_weights, 0))
        tl.store(to_scores + (row * HEADS + head) * S + s, delta, mask=s < S)
        slope += delta[:, None] * vector[None, :]
    asked = tl.load(query + row * query_row + c, mask=wide, other=0.0).to(tl.float32)
    features = tanh(tl.load(keys + at, mask=inside, other=0.0).to(tl.float32) + asked[None, :])
    to_query = tl.sum(slope * (1 - features * features), 0)
    tl.store(to_both + row * query_row + c, to_query.to(to_both.dtype.element_ty), mask=wide)
    o = tl.arange(0, BO)
    rest = o < query_row - h
    own = tl.load(from_own + row * (query_row - h) + o, mask=rest, other=0.0)
    tl.store(to_both + row * query_row + h + o, own, mask=rest)


@jit(do_not_specialize=["B", "S", "steps"])
def _bahdanau_collect(
    query, keys, score, chances, to_scores, from_context, to_keys, to_memory, partial, B, S, h, steps,
    HEADS: tl.constexpr, BN: tl.constexpr, BS: tl.constexpr, BC: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    replica, example = row // B, row % B
    s, n, c = tl.arange(0, BS), tl.arange(0, BN), tl.program_id(1) * BC + tl.arange(0, BC)
    wide = c < h
    inside = (s < S)[:, None] & wide[None, :]
    real = (n < HEADS)[:, None] & wide[None, :]
    small = (s < S)[:, None] & (n < HEADS)[None, :]
    at = (row * S + s)[:, None] * h + c[None, :]
    key = tl.load(keys + at, mask=inside, other=0.0).to(tl.float32)
    vectors = tl.load(score + (replica * HEADS + n)[:, None] * h + c[None, :], mask=real, other=0.0)
    keys_sum = tl.zeros([BS, BC], tl.float32)
    memory_sum = tl.zeros([BS, BC], tl.float32)
    score_sum = tl.zeros([BN, BC], tl.float32)
    for step in range(steps):
        place = (replica * steps + step) * B + example
        asked = tl.load(query + place * h + c, mask=wide, other=0.0).to(tl.float32)
        features = tanh(key + asked[None, :])
        spot = (place * HEADS + n)[None, :] * S + s[:, None]
        delta = tl.load(to_scores + spot, mask=small, other=0.0).to(vectors.dtype)
        weights = tl.load(chances + spot, mask=small, other=0.0).to(vectors.dtype)
        line = ((replica * HEADS + n) * steps + step) * B + example
        above = tl.load(from_context + line[:, None] * h + c[None, :], mask=real, other=0.0)
        memory_sum += tl.dot(weights, above)
        keys_sum += tl.dot(delta, vectors) * (1 - features * features)
        score_sum += tl.dot(tl.trans(delta), features.to(vectors.dtype))
    tl.store(to_keys + at, keys_sum.to(to_keys.dtype.element_ty), mask=inside)
    tl.store(to_memory + at, memory_sum.to(to_memory.dtype.element_ty), mask=inside)
    tl.store(partial + (row * HEADS + n)[:, None] * h + c[None, :], score_sum, mask=real)


def fits(positions: int, width: int, heads: int) -> bool:
    """Whether one program can hold the memory of one example."""
    return next_power_of_2(positions) * next_power_of_2(width) <= LARGEST and heads <= PADDED


def _blocks(positions, width):
    sizes = next_power_of_2(positions), next_power_of_2(width)
    return *sizes, min(16, max(1, sizes[0] * sizes[1] // 1024))


def attend(both, keys, memory, score, lengths) -> tuple[torch.Tensor, torch.Tensor]:
    """Contexts (K·heads, B, H), and weights (K, B, heads, S), of queries that begin the rows of `both` (K, B, …)."""
    k, b, s, h = keys.shape
    heads = score.shape[1]
    context = torch.empty(k * heads, b, h, device=both.device, dtype=both.dtype)
    chances = torch.empty(k, b, heads, s, device=both.device)
    rows, width, warps = _blocks(s, h)
    _bahdanau_forward[(k * b,)](
        both, keys, memory, score, lengths, context, chances, b, s, h, both.shape[2],
        HEADS=heads, BS=rows, BH=width, num_warps=warps,
    )  # fmt: skip
    return context, chances


def slopes(both, keys, memory, score, lengths, chances, from_context, from_own) -> tuple[torch.Tensor, torch.Tensor]:
    """The slope of `both`, of which `from_own` (K, B, …) is the rest of the row, and of the scores."""
    k, b, s, h = keys.shape
    to_both, to_scores = torch.empty_like(both), torch.empty_like(chances)
    rows, width, warps = _blocks(s, h)
    _bahdanau_backward[(k * b,)](
        both, keys, memory, score, lengths, chances, from_context, from_own, to_both, to_scores, b, s, h,
        both.shape[2], HEADS=score.shape[1], BS=rows, BH=width, BO=next_power_of_2(both.shape[2] - h),
        num_warps=warps,
    )  # fmt: skip
    return to_both, to_scores


def collect(query, keys, score, chances, to_scores, from_context) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Slopes of keys, memory and score vectors (K, heads, H).

    From queries (K, steps·B, H), weights and slopes of scores (K, steps·B, heads, S) and slopes of contexts
    (K·heads, steps·B, H) of all steps.
    """
    k, b, s, h = keys.shape
    heads = score.shape[1]
    to_keys, to_memory = torch.empty_like(keys), torch.empty_like(keys)
    partial = torch.empty(k, b, heads, h, device=keys.device)
    _bahdanau_collect[(k * b, cdiv(h, COLUMNS))](
        query, keys, score, chances, to_scores, from_context, to_keys, to_memory, partial, b, s, h,
        query.shape[1] // b, HEADS=heads, BN=PADDED, BS=max(16, next_power_of_2(s)), BC=COLUMNS,
        num_warps=4, num_stages=2,
    )  # fmt: skip
    return to_keys, to_memory, partial.sum(1).to(score.dtype)
