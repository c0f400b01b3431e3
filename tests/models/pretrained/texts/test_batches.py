"""Which examples a step sees."""

from __future__ import annotations

from itertools import chain, pairwise

from recombine.models.pretrained.texts.batches import POOL, Batches


def test_a_pass_sees_everything_once_and_passes_differ() -> None:
    batches = Batches(list(range(50)), size=4, seed=1)
    first, second = ([batches.rows(step) for step in range(13 * n, 13 * n + 13)] for n in (0, 1))
    assert sorted(chain(*first)) == sorted(chain(*second)) == list(range(50))
    assert first != second
    assert first != [Batches(list(range(50)), size=4, seed=2).rows(step) for step in range(13)]


def test_any_step_can_be_the_first() -> None:
    lengths = [7 * n % 31 for n in range(200)]
    whole = [Batches(lengths, size=3, seed=5).rows(step) for step in range(150)]
    batches = Batches(lengths, size=3, seed=5)
    assert [batches.rows(step) for step in reversed(range(150))] == whole[::-1]


def test_examples_of_like_length_share_a_batch() -> None:
    batches = Batches([5] * 30 + [90] * 30, size=2, seed=0)
    assert POOL >= 2
    mixed = sum(len({row < 30 for row in batches.rows(step)}) > 1 for step in range(30))
    assert mixed <= 2  # one in each pool at most
    assert any(a[0] < 30 <= b[0] for a, b in pairwise(batches.rows(step) for step in range(30)))
