"""The generalization score of a model from three results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.progress import note
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.evaluation.generalization.generalization_score import GeneralizationScore
    from recombine.evaluation.generalization.result_file import ResultFile
    from recombine.workbench.score import ScoreResult


@dataclass(frozen=True, repr=False, eq=False)
class GeneralizationScoreResult(Result):
    """How much of the gap a model closes."""

    score: GeneralizationScore
    files: Mapping[str, str]
    """The names of the three results by what they are."""
    seed: int

    @property
    def signature(self) -> str:
        """What the score depends on."""
        from recombine.evaluation.statistics.intervals import LEVEL, RESAMPLES
        from recombine.records.signature import Signature

        gap = "bootstrap" if self.score.samples == "paired" else "newcombe"
        return str(
            Signature.of(
                **self.files,
                score="(model-text)/(iid-text)",
                samples=self.score.samples,
                gap=f"{gap},{LEVEL}",
                interval=f"bootstrap,{LEVEL}",
                resamples=RESAMPLES,
                resampling_seed=self.seed,
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """What `recombine generalization score --json` prints."""
        return {**self.score.to_record(), "files": dict(self.files), "signature": self.signature}

    def __str__(self) -> str:
        made = self.score
        interval = "" if made.interval is None else f" ({_points(made.interval)})"
        return (
            f"generalization score {made}{interval}: model {made.model:.3f} between text {made.text:.3f} and i.i.d. "
            f"{made.iid:.3f}, on {made.n:,} entries"
        )


def _points(interval: tuple[float, float]) -> str:
    return " to ".join(f"{100 * each:.0f}".replace("-", "−") for each in interval)


@verb
def generalization_score(
    model: str | Path | ScoreResult, *, text: str | Path | ScoreResult, iid: str | Path | ScoreResult, seed: int = 0
) -> GeneralizationScoreResult:
    """How much of the gap between a text-only model and an i.i.d. one of the same size a model closes (COVR).

    Each is what `score` gave, or the path of what it wrote with `-o` or printed with `--json`.

    >>> from recombine.workbench import load, score, split
    >>> data = load([(f"w{n}", f"A{n}") for n in range(101)], language="actions")
    >>> made = split(data, train=1, test=100)
    >>> def right(number):
    ...     return score(data, made, {key: data[key].target if n < number else "X" for n, key in enumerate(made.test)})
    >>> print(generalization_score(right(50), text=right(20), iid=right(80)))
    generalization score 50 (37 to 62): model 0.500 between text 0.200 and i.i.d. 0.800, on 100 entries
    """
    from recombine.evaluation.generalization.generalization_score import APART
    from recombine.evaluation.generalization.generalization_score import generalization_score as score_of
    from recombine.seeds import check_seed

    check_seed(seed)
    given = {"model": model, "text": text, "iid": iid}
    results = {name: _read(each) for name, each in given.items()}
    made = score_of(results["model"], results["text"], results["iid"], seed=seed)
    if made.samples == APART:
        note("the results are not known to be of the same examples: intervals are those of independent shares")
    for name in ("text", "iid"):
        left = results[name].n - made.n
        if made.samples != APART and left:
            note(f"{results[name].name}: {left:,} entries are not of the model's and were left aside")
    return GeneralizationScoreResult(made, {name: each.name for name, each in results.items()}, seed)


def _read(given: str | Path | ScoreResult) -> ResultFile:
    from recombine.evaluation.generalization.result_file import ResultFile, read_result

    if isinstance(given, str | Path):
        return read_result(given)
    scored = given.score
    correct = dict(zip(scored.ids, scored.is_right, strict=True))
    return ResultFile.of(correct, scored.assigned.outputs, name=scored.signature.get("outputs") or "outputs")
