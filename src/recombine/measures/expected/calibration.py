"""The model behind an expected accuracy: `calibration.toml`, which `benchmarks/hardness/predict.py` writes.

An example is expected to be right with the logistic of a weighted sum of its hints (`hints.py`), and a split with the
mean over its test examples. The 80 % interval adds to that mean what estimates for the splits of a left-out pool were
off by: it rests on whole pools, and not on more splits of those that were fitted.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.expected.hints import NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILE = Path(__file__).with_name("calibration.toml")


@dataclass(frozen=True)
class Calibration:
    """What the file says."""

    constant: float
    weights: dict[str, float]
    interval: tuple[float, float]
    """What is added to a value for the ends of its interval."""
    compounds: tuple[str, ...]
    """The definitions of compounds that it was calibrated with."""
    train: tuple[int, int]
    """The fewest and the most train examples."""
    ranges: dict[str, tuple[float, float]]
    """The least and the greatest mean of each hint over the test examples of a split."""
    rests_on: dict[str, Any]

    def value(self, hints: NDArray[np.float64]) -> float:
        """The expected share of right answers of examples with these hints."""
        return float(np.mean(logistic(self.constant + hints @ np.array([self.weights[name] for name in NAMES]))))

    def ends(self, value: float) -> tuple[float, float]:
        """The ends of the 80 % interval of a value."""
        low, high = self.interval
        return max(value + low, 0.0), min(value + high, 1.0)


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + e^−x)."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -50, 50))))


@cache
def read_calibration(path: Path = FILE) -> Calibration:
    """The calibration that the package has."""
    table = tomllib.loads(path.read_text())
    return Calibration(
        table["constant"],
        dict(table["weights"]),
        (table["interval"][0], table["interval"][1]),
        tuple(table["compounds"]),
        (table["train"][0], table["train"][1]),
        {name: (low, high) for name, (low, high) in table["ranges"].items()},
        dict(table["rests_on"]),
    )
