"""The average rank of systems over evaluations (Table 2 of the NQG paper).

The best system of an evaluation has rank 1. Systems that tie share the mean of their ranks (`average`), or all have the
best of them (`best`). The paper does not say how it ranks ties; with `best` all five of its average ranks come out.
"""

from __future__ import annotations

from math import isfinite
from statistics import fmean
from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

TIES = ("average", "best")


def ranks(values: Mapping[str, float], *, ties: str = "average") -> dict[str, float]:
    """The rank of each system in one evaluation, where a higher value is better.

    >>> ranks({"T5": 99.5, "NQG": 100.0, "NQG-T5": 100.0})
    {'T5': 3.0, 'NQG': 1.5, 'NQG-T5': 1.5}
    """
    if ties not in TIES:
        raise UnknownNameError("way to rank ties", ties, TIES)
    above = {name: sum(other > value for other in values.values()) for name, value in values.items()}
    alike = {name: sum(other == value for other in values.values()) for name, value in values.items()}
    return {name: above[name] + (1.0 if ties == "best" else (alike[name] + 1) / 2) for name in values}


def average_ranks(scores: Mapping[str, Mapping[str, float]], *, ties: str = "average") -> dict[str, float]:
    """The mean rank of each system over evaluations, from scores by system and evaluation; all must have all.

    >>> average_ranks({"T5": {"jump": 99.5, "standard": 92.9}, "NQG": {"jump": 100.0, "standard": 76.8}})
    {'T5': 1.5, 'NQG': 1.5}
    """
    evaluations = list(dict.fromkeys(name for by_evaluation in scores.values() for name in by_evaluation))
    if not evaluations:
        raise OptionError("there is nothing to rank", "give at least one system and evaluation")
    for system, by_evaluation in scores.items():
        for evaluation in evaluations:
            if not isfinite(by_evaluation.get(evaluation, float("nan"))):
                problem = f"{system} has no score in {evaluation}, so its rank there is not known"
                raise OptionError(problem, "leave out the system or the evaluation")
    places = [
        ranks({system: by_evaluation[evaluation] for system, by_evaluation in scores.items()}, ties=ties)
        for evaluation in evaluations
    ]
    return {system: fmean(place[system] for place in places) for system in scores}
