"""The nine decision rules of the `local_structures` paper (§4.4, §5), and what its Tables 3 and 6 have of them.

What each rule says of the test examples of several splits; the scripts beside this one set it against right and wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recombine.easiness.baselines import length_easiness, random_easiness
from recombine.easiness.easiness import EasinessRule
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import ProgramArrays

Parts = Mapping[str, tuple[list[int], list[int]]]
"""The rows of train and test of each split."""


class Rule(NamedTuple):
    """A rule: which structures, how they are alike, and the paper's areas by data; of an LSTM those of Table 6."""

    structures: str
    similarity: str
    covr: float
    atis: float
    covr_lstm: float | None = None
    atis_lstm: float | None = None

    def paper(self, data: str, model: str) -> float | None:
        """The paper's area under the curve, in percent; none where it prints none."""
        values: dict[str, float | None] = self._asdict()
        return values.get(f"{data}_lstm" if "lstm" in model else data)


RULES = {
    "2-LS": Rule("local:2", "contexts", 93.3, 75.8, 80.0, 71.8),
    "3-LS": Rule("local:3", "contexts", 93.1, 78.7, 81.6, 76.9),
    "4-LS": Rule("local:4", "contexts", 92.1, 81.4, 82.6, 79.6),
    "2-LS-NoSib": Rule("local:2,no-siblings", "contexts", 91.9, 67.7),
    "2-LS-NoPC": Rule("local:2,no-parents", "contexts", 77.2, 64.1),
    "2-LS-NoSim": Rule("local:2", "none", 85.1, 73.5),
    "2-bigram": Rule("ngram:2", "contexts", 88.5, 69.9),
    "length": Rule("", "", 49.7, 47.4),
    "random": Rule("", "", 50.5, 49.2),
}


def rule_scores(arrays: ProgramArrays, parts: Parts) -> dict[str, NDArray[np.float64]]:
    """The easiness of every test example by rule, split after split."""
    lengths = arrays.lengths()
    scores: dict[str, NDArray[np.float64]] = {}
    for name, rule in RULES.items():
        if rule.structures:
            known = EasinessRule(local_structures(arrays, rule.structures), rule.similarity)
            lines = [known.fit(np.array(train)).predict(np.array(test)).scores for train, test in parts.values()]
        elif name == "length":
            lines = [length_easiness(lengths[train], lengths[test]) for train, test in parts.values()]
        else:
            lines = [random_easiness(len(test), seed=n) for n, (_, test) in enumerate(parts.values())]
        scores[name] = np.concatenate(lines)
    return scores
