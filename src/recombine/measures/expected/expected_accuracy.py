"""The exact match that a small model trained from scratch may be expected to have on a split: an estimate.

It is calibrated on a panel of splits with a model trained on each (docs/hardness.md), and given only for what is like
them: the same definition of compounds, as many train examples, and hints within the range of the panel's splits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.expected.calibration import read_calibration
from recombine.measures.expected.hints import NAMES, Texts, hints, unseen_columns
from recombine.records.chosen_examples import texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.measures.expected.calibration import Calibration
    from recombine.records.dataset import Dataset
    from recombine.structures.dataset_features import DatasetFeatures

KEY = "expected_accuracy"
BEYOND = 0.05
"""By what share of its range a hint may be outside of it."""
FEWEST_WORDS = 3
"""Programs of fewer words on average, such as those written without blanks, have no runs to look at."""
NOT_ON_A_CLUSTER = "the expected accuracy was not measured: it wants the texts of whole parts; leave out --cluster"


def expected_accuracy(
    dataset: Dataset, features: DatasetFeatures | None, train: Sequence[int], test: Sequence[int]
) -> tuple[dict[str, Any] | None, str | None]:
    """The estimate with its 80 % interval and what it rests on, as shares; or none, and the sentence that says why.

    >>> import recombine
    >>> data = recombine.load([("jump", "JUMP"), ("walk", "WALK")])
    >>> expected_accuracy(data, None, [0], [1])[1]
    'the expected accuracy was not measured: it needs compounds, of derivations or of programs whose language is known'
    """
    calibration = read_calibration()
    reason = _not_alike(calibration, features, len(train))
    if reason is not None or features is None:
        return None, _sentence(reason or "it needs compounds, of derivations or of programs whose language is known")
    parts = [dataset.part(rows) for rows in (train, test)]
    texts = [Texts(texts_of(part, "source"), texts_of(part, "target")) for part in parts]
    words = np.mean([len(target.split()) for target in texts[1].targets])
    if words < FEWEST_WORDS:
        said = f"programs have {words:.1f} words on average; it is calibrated for programs written with blanks"
        return None, _sentence(said)
    found = hints(texts[0], texts[1], unseen_columns(features.compounds, train, test))
    for name, value in zip(NAMES, found.mean(axis=0).tolist(), strict=True):
        low, high = calibration.ranges[name]
        if not low - BEYOND * (high - low) <= value <= high + BEYOND * (high - low):
            said = f"the mean of {name} is {value:.2f}, and it is calibrated for {low:.2f} to {high:.2f}"
            return None, _sentence(said)
    value = calibration.value(found)
    low, high = calibration.ends(value)
    return {"value": value, "low": low, "high": high, "rests_on": dict(calibration.rests_on)}, None


def _not_alike(calibration: Calibration, features: DatasetFeatures | None, train: int) -> str | None:
    """Why the estimate is not for such a split, where that is known without looking at its texts."""
    if features is None:
        return None
    compounds = str(features.structures.compounds)
    if compounds not in calibration.compounds:
        return f"it is calibrated with the compounds {' and '.join(calibration.compounds)}, not {compounds}"
    fewest, most = calibration.train
    if not fewest <= train <= most:
        number = f"{train:,} example" if train == 1 else f"{train:,} examples"
        return f"train has {number}, and it is calibrated for {fewest:,} to {most:,}"
    return None


def _sentence(why: str) -> str:
    return f"the expected accuracy was not measured: {why}"


def expected_text(expected: Mapping[str, Any]) -> str:
    """An estimate in a table, in percent.

    >>> expected_text({"value": 0.352, "low": 0.2, "high": 0.551})
    'about 35 % (20–55)'
    """
    value, low, high = (round(100 * float(np.clip(expected[key], 0, 1))) for key in ("value", "low", "high"))
    return f"about {value} % ({low}–{high})"
