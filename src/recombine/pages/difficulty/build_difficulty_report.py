"""One call from the difficulty of splits to a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.difficulty.difficulty_data import EXAMPLES, build_difficulty_data
from recombine.pages.difficulty.difficulty_html import render_difficulty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.evaluation.difficulty.correctness import Correctness
    from recombine.records.dataset import Dataset


def build_difficulty_report(
    dataset: Dataset,
    difficulties: Mapping[str, Difficulty],
    correctness: Mapping[str, Correctness] | None = None,
    *,
    gold: str = "majority",
    examples: int = EXAMPLES,
    seed: int = 0,
) -> bytes:
    """A self-contained HTML page on which test examples are hard, and why; the same input gives the same bytes.

    `dataset` has the test examples and the language of all programs. Difficulties are of splits of it, each under its
    name; what models got right is given under the same names. At most `examples` test examples are kept for browsing,
    the least easy ones of every split. Intervals resample splits with the seed.
    """
    data = build_difficulty_data(dataset, difficulties, correctness, gold=gold, examples=examples, seed=seed)
    return render_difficulty(data)
