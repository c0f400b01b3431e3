"""Two systems on the same examples: whether their difference is more than chance.

The exact form of McNemar's test (1947) asks how likely so uneven a division of the examples on which the systems differ
would be if either could win each with equal chance. The interval of the difference is from a paired bootstrap.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.match.judge import Verdict
from recombine.evaluation.statistics.intervals import LEVEL, RESAMPLES, paired_bootstrap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.score import Score
    from recombine.records.signature import Signature

OF_OUTPUTS = ("outputs", "match_on", "missing", "paraphrases")
"""What a signature says of the outputs that were scored."""


def mcnemar(gained: int, lost: int) -> float:
    """The two-sided p-value of McNemar's exact test; 1 where the systems differ on no example.

    >>> round(mcnemar(8, 1), 4)
    0.0391
    """
    if gained < 0 or lost < 0:
        raise OptionError(f"{gained} gained and {lost} lost", "count examples")
    if gained + lost == 0:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(min(gained, lost), gained + lost).pvalue)


@dataclass(frozen=True)
class Contrast:
    """How two systems, a first and a second, compare under one metric."""

    both: int
    only_first: int
    only_second: int
    neither: int
    interval: tuple[float, float]
    """Of the difference."""
    p_value: float

    @property
    def n(self) -> int:
        """The number of entries."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def first(self) -> float:
        """The accuracy of the first."""
        return (self.both + self.only_first) / self.n

    @property
    def second(self) -> float:
        """The accuracy of the second."""
        return (self.both + self.only_second) / self.n

    @property
    def difference(self) -> float:
        """The second's accuracy less the first's."""
        return (self.only_second - self.only_first) / self.n

    def to_record(self) -> dict[str, Any]:
        """The contrast as a JSON object."""
        values = {"first": self.first, "second": self.second, "difference": self.difference}
        return {**values, **asdict(self), "interval": list(self.interval)}


def contrast(first: Sequence[Verdict], second: Sequence[Verdict], *, seed: int = 0) -> Contrast:
    """Compare the verdicts on two systems, entry by entry.

    >>> result = contrast([Verdict.RIGHT, Verdict.WRONG, Verdict.WRONG], [Verdict.RIGHT, Verdict.RIGHT, Verdict.WRONG])
    >>> result.both, result.only_second, result.p_value
    (1, 1, 1.0)
    """
    if len(first) != len(second):
        raise OptionError(f"{len(first)} entries beside {len(second)}", "compare systems on the same part")
    pairs = [(one is Verdict.RIGHT, other is Verdict.RIGHT) for one, other in zip(first, second, strict=True)]
    lost, gained = pairs.count((True, False)), pairs.count((False, True))
    return Contrast(
        both=pairs.count((True, True)),
        only_first=lost,
        only_second=gained,
        neither=pairs.count((False, False)),
        interval=paired_bootstrap(gained, lost, len(pairs), seed=seed),
        p_value=mcnemar(gained, lost),
    )


@dataclass(frozen=True)
class Comparison:
    """Two scores on the same entries, with a contrast for each metric that both have."""

    first: Score
    second: Score
    contrasts: Mapping[str, Contrast]
    same_outputs: int
    """Entries for which both systems give the same text."""
    signature: Signature

    def to_record(self) -> dict[str, Any]:
        """The comparison as one JSON object."""
        return {
            "n": self.first.n,
            **{metric: contrast.to_record() for metric, contrast in self.contrasts.items()},
            "same_outputs": self.same_outputs,
            "first": self.first.to_record(),
            "second": self.second.to_record(),
            "signature": str(self.signature),
        }


def compare(first: Score, second: Score, *, seed: int = 0) -> Comparison:
    """Compare two systems that were scored on the same part of the same split, under the same form of exact match."""
    recipes = [_recipe(score) for score in (first, second)]
    if first.ids != second.ids or recipes[0] != recipes[1]:
        raise OptionError("the two scores are not of the same examples and metrics", "score both in the same way")
    contrasts = {
        metric: contrast(verdicts, second.verdicts[metric], seed=seed) for metric, verdicts in first.verdicts.items()
    }
    one, other = (score.assigned.outputs for score in (first, second))
    same = sum(one.get(key, "").split() == other.get(key, "").split() for key in first.ids)
    signature = first.signature.with_fields(
        second=second.signature.get("outputs"),
        test="mcnemar,exact",
        difference=f"second-first,bootstrap,{LEVEL}",
        resamples=RESAMPLES,
        resampling_seed=seed,
    )
    return Comparison(first, second, contrasts, same, signature)


def _recipe(score: Score) -> dict[str, str]:
    """What must be equal in two scores to compare them: all of their signatures but whose outputs were scored."""
    return {key: value for key, value in score.signature.fields if key not in OF_OUTPUTS}
