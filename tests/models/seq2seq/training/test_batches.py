"""Every example once a pass, a batch within its tokens, and the same bucket for everybody at each step."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.models.seq2seq.training.batches import Sampler, bucket_order, make_buckets, stack_shapes


@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=120),
    buckets=st.integers(1, 8),
    tokens=st.integers(30, 200),
    seed=st.integers(0, 2**40),
)
@settings(max_examples=60, deadline=None)
def test_a_pass_has_every_example_once_within_the_tokens(
    lengths: list[int], buckets: int, tokens: int, seed: int
) -> None:
    table = np.array(lengths)
    rows = np.arange(len(lengths))
    made = make_buckets(rows, table, table, buckets=buckets, tokens=tokens)
    assert len(made.rows) == min(buckets, len(lengths))
    seen: list[int] = []
    sampler = Sampler(made, seed)
    tables = [np.empty((made.passes, width), dtype=np.int64) for width, _, _ in made.shapes]
    sampler.fill(tables, range(made.passes, 2 * made.passes), empty=-1)
    for found, (width, _, longest) in zip(tables, made.shapes, strict=True):
        assert width * longest <= tokens
        real = found[found >= 0]
        assert table[real].max() <= longest
        seen += real.tolist()
    assert sorted(seen) == rows.tolist()


def test_a_part_of_the_cycles_is_the_same_as_the_whole() -> None:
    lengths = np.arange(1, 41)
    made = make_buckets(np.arange(40), lengths, lengths, buckets=3, tokens=60)
    assert made.passes > 2
    whole = [np.empty((10, width), dtype=np.int64) for width, _, _ in made.shapes]
    part = [np.empty((4, width + 2), dtype=np.int64) for width, _, _ in made.shapes]
    Sampler(made, 9).fill(whole, range(10), empty=40)
    Sampler(made, 9).fill(part, range(3, 7), empty=40)
    for one, other in zip(whole, part, strict=True):
        assert (one[3:7] == other[:, :-2]).all()
        assert (other[:, -2:] == 40).all()


def test_passes_differ_and_seeds_differ() -> None:
    lengths = np.full(30, 3)
    made = make_buckets(np.arange(30), lengths, lengths, buckets=1, tokens=90)
    rows = [np.empty((2, 30), dtype=np.int64) for _ in range(2)]
    for seed, table in enumerate(rows):
        Sampler(made, seed).fill([table], range(2), empty=-1)
    assert (rows[0][0] != rows[0][1]).any()
    assert (rows[0] != rows[1]).any()


def test_each_cycle_takes_every_bucket_once() -> None:
    order = bucket_order(range(5, 25), 4)
    assert (np.sort(order, 1) == np.arange(4)).all()
    assert len({tuple(row) for row in order.tolist()}) > 5
    assert (order[3:6] == bucket_order(range(8, 11), 4)).all()


def test_buckets_of_a_stack_hold_each_replica() -> None:
    lengths = np.array([2, 2, 2, 2, 8, 8])
    one = make_buckets(np.arange(4), lengths, lengths, buckets=2, tokens=8)
    two = make_buckets(np.arange(6), lengths, lengths, buckets=2, tokens=8)
    assert stack_shapes([one, two]) == tuple(
        tuple(max(a, b) for a, b in zip(x, y, strict=True)) for x, y in zip(one.shapes, two.shapes, strict=True)
    )


def test_padding_is_small_where_lengths_vary() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(2, 50, 3000)
    made = make_buckets(np.arange(3000), lengths, lengths, buckets=6, tokens=4096)
    area = sum(width * longest for width, _, longest in made.shapes) * made.passes
    assert lengths.sum() / area > 0.75
    assert min(width * longest for width, _, longest in made.shapes) > 0.85 * area / made.passes / 6
