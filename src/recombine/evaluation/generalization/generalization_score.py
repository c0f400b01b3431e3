"""The generalization score (COVR, section 4): how much of the gap between a floor and a ceiling a model closes.

    (model - text) / (i.i.d. of the same size - text)

The model has not seen what it is tested on, or little of it; the text-only model is the floor, and one that was trained
on as many examples of all kinds is the ceiling. A model below the floor has a score below 0, which is marked and not
clipped. Where the gap of floor and ceiling may as well be nothing, there is nothing to close and the score is
undefined: that is, where the 95 % interval of the gap does not lie above 0.

Intervals. On the same examples, which their ids tell, the gap's is a paired bootstrap and the score's is one too: how
often each of the eight patterns of right and wrong is drawn decides it, so their numbers are drawn instead of examples.
Else the gap's is Newcombe's of two independent shares, and the three accuracies are drawn each for itself. The score's
interval is that of the examples alone; what another training run would give is not in it. It is left out where the
ceiling falls to the floor in a share of the draws that the percentiles would notice.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.statistics.intervals import LEVEL, RESAMPLES, newcombe, paired_bootstrap
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recombine.evaluation.generalization.result_file import ResultFile

PAIRED, APART = "paired", "apart"
"""Whether the three results are of the same examples."""


@dataclass(frozen=True)
class GeneralizationScore:
    """The accuracies of three systems and the score that they make."""

    model: float
    text: float
    iid: float
    n: int
    """The model's examples."""
    samples: str
    """`paired`, or `apart`."""
    gap_interval: tuple[float, float]
    """Of the i.i.d. model's accuracy less the text-only one's."""
    interval: tuple[float, float] | None
    """Of the score; none where it is undefined or has no honest one."""

    @property
    def gap(self) -> float:
        """What there is to close."""
        return self.iid - self.text

    @property
    def value(self) -> float | None:
        """The score; none where it is undefined."""
        return share_of_gap(self.model, self.text, self.iid) if self.gap_interval[0] > 0 else None

    @property
    def is_below(self) -> bool:
        """Whether the model is below the floor."""
        return self.model < self.text

    def __str__(self) -> str:
        return score_text(self.value, is_below=self.is_below)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "generalization_score": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "below_text": self.is_below,
            "model": self.model,
            "text": self.text,
            "iid": self.iid,
            "gap": self.gap,
            "gap_interval": list(self.gap_interval),
            "n": self.n,
            "samples": self.samples,
        }


def share_of_gap(model: float, text: float, iid: float) -> float | None:
    """The score of three accuracies, in shares or in percent; none where there is no gap to close.

    >>> round(share_of_gap(65.1, 56.0, 78.5), 3)
    0.404
    >>> round(share_of_gap(47.0, 55.2, 76.4), 2), share_of_gap(0.5, 0.6, 0.6)
    (-0.39, None)
    """
    if not all(map(isfinite, (model, text, iid))):
        raise OptionError(f"{model}, {text} and {iid} make no score", "give three accuracies")
    return (model - text) / (iid - text) if iid > text else None


def score_text(value: float | None, *, is_below: bool = False) -> str:
    """A score as tables write it, in percent; one below the floor is marked.

    >>> score_text(0.404), score_text(-0.389, is_below=True), score_text(None)
    ('40', '▼ −39', 'undefined')
    """
    if value is None:
        return "▼ undefined" if is_below else "undefined"
    text = f"{100 * value:.0f}".replace("-", "−")
    return f"▼ {text}" if is_below else text


def generalization_score(model: ResultFile, text: ResultFile, iid: ResultFile, *, seed: int = 0) -> GeneralizationScore:
    """The score from three results.

    Where the text-only and the i.i.d. results have all examples of the model's, they are taken on these alone.
    """
    if model.correct is None or not all(each.has(model.ids) for each in (text, iid)):
        return _apart(model, text, iid, seed)
    ids = model.ids
    return _paired([each.right_of(ids) for each in (model, text, iid)], seed)


def _paired(right: Sequence[Sequence[bool]], seed: int) -> GeneralizationScore:
    import numpy as np

    table = np.array(right, dtype=np.int64)
    n = table.shape[1]
    shares = table.sum(axis=1) / n
    gained, lost = (int(((table[2] == one) & (table[1] == 1 - one)).sum()) for one in (1, 0))
    patterns = np.bincount(table[0] * 4 + table[1] * 2 + table[2], minlength=8)
    drawn = make_generator(seed).multinomial(n, patterns / n, size=RESAMPLES)
    having = [[pattern >> place & 1 for pattern in range(8)] for place in (2, 1, 0)]
    accuracies = drawn @ np.array(having).T / n
    gap = paired_bootstrap(gained, lost, n, seed=seed)
    return _score(shares, n, PAIRED, gap, accuracies)


def _apart(model: ResultFile, text: ResultFile, iid: ResultFile, seed: int) -> GeneralizationScore:
    import numpy as np

    each = (model, text, iid)
    shares = np.array([result.accuracy for result in each])
    generator = make_generator(seed)
    accuracies = np.stack([generator.binomial(r.n, r.accuracy, size=RESAMPLES) / r.n for r in each], axis=1)
    gap = newcombe((iid.right, text.right), (iid.n, text.n))
    return _score(shares, model.n, APART, gap, accuracies)


def _score(
    shares: NDArray[np.float64], n: int, samples: str, gap: tuple[float, float], accuracies: NDArray[np.float64]
) -> GeneralizationScore:
    model, text, iid = map(float, shares)
    interval = _interval(accuracies) if gap[0] > 0 else None
    return GeneralizationScore(model, text, iid, n, samples, gap, interval)


def _interval(accuracies: NDArray[np.float64]) -> tuple[float, float] | None:
    """The percentiles of the drawn scores; a draw without a gap has none."""
    import numpy as np

    gaps = accuracies[:, 2] - accuracies[:, 1]
    is_open = gaps > 0
    tail = (1 - LEVEL) / 2
    if (~is_open).mean() >= tail / 2:
        return None
    scores = (accuracies[is_open, 0] - accuracies[is_open, 1]) / gaps[is_open]
    low, high = np.quantile(scores, [tail, 1 - tail])
    return float(low), float(high)
