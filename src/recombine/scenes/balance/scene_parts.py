"""Scenes and questions in three parts: train, dev and test share no scene, so that no picture is on two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping

PARTS = ("train", "dev", "test")
SCENE_SHARES: Mapping[str, float] = {"train": 0.6, "dev": 0.2, "test": 0.2}
"""More scenes for dev and test than questions, so that distractors and twins are to be had there too."""
QUESTION_SHARES: Mapping[str, float] = {"train": 0.8, "dev": 0.1, "test": 0.1}
_PURPOSE = 0x9A7


def scene_parts(number: int, *, seed: int) -> dict[str, list[int]]:
    """The places of so many scenes by part, in their order; which are where is drawn.

    >>> {part: len(places) for part, places in scene_parts(10, seed=0).items()}
    {'train': 6, 'dev': 2, 'test': 2}
    """
    sizes = part_sizes(number, SCENE_SHARES)
    order = np.random.default_rng([seed, _PURPOSE]).permutation(number).tolist()
    parts, start = {}, 0
    for part, size in sizes.items():
        parts[part] = sorted(order[start : start + size])
        start += size
    return parts


def part_sizes(number: int, shares: Mapping[str, float]) -> dict[str, int]:
    """How many of a number are in each part; what is left by rounding down is the first part's.

    >>> part_sizes(1005, QUESTION_SHARES)
    {'train': 805, 'dev': 100, 'test': 100}
    """
    sizes = {part: int(number * share) for part, share in shares.items()}
    first = next(iter(sizes))
    return {**sizes, first: number - sum(size for part, size in sizes.items() if part != first)}


def read_shares(text: str) -> dict[str, float]:
    """The shares of questions that a text says, as three numbers that make 100.

    >>> read_shares("96,2,2")
    {'train': 0.96, 'dev': 0.02, 'test': 0.02}
    """
    try:
        numbers = [float(each) for each in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != len(PARTS) or any(not 0 <= each <= 100 for each in numbers) or round(sum(numbers), 6) != 100:
        raise OptionError(f"the shares of questions are {text!r}", "give three that make 100, such as 80,10,10")
    return {part: round(number / 100, 8) for part, number in zip(PARTS, numbers, strict=True)}
