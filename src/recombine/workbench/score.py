"""The score of predictions on a part of a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.progress import note, working
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.predict import outputs_of
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.evaluation.answers.denotation_accuracy import DenotationAccuracy
    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.predictions import GivenPredictions
    from recombine.evaluation.score import Score
    from recombine.records.split import Split
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class ScoreResult(Result):
    """What the matchers say of predictions, and, where it was asked for, of their answers and errors."""

    score: Score
    errors: Breakdown | None = None
    answers: DenotationAccuracy | None = None
    """What became of the outputs that were run; none where it was not asked for, or where there is no output."""
    answered: bool = False
    """Whether answers were asked for."""
    at_least: float | None = None

    @property
    def exact_match(self) -> float:
        """The share of entries that match exactly."""
        return self.score.exact_match

    @property
    def is_below(self) -> bool:
        """Whether the exact match is lower than what was asked for."""
        return self.at_least is not None and self.exact_match < self.at_least

    @property
    def signature(self) -> str:
        """What the score depends on."""
        return str(self.score.signature if self.errors is None else self.errors.signature)

    def to_dict(self) -> dict[str, Any]:
        """Every metric by its name, with intervals and counts; `answers` and `errors` where they were asked for."""
        value = {**self.score.to_record(), "signature": self.signature, "file": None}
        if self.answered:
            value["answers"] = None if self.answers is None else self.answers.to_record()
        if self.errors is not None:
            value["errors"] = self.errors.to_record()
        return value

    def write(self, path: Path | str) -> None:
        """Write the predictions again as JSON lines, with what is correct."""
        write_whole(path, self.score.to_lines())

    def __str__(self) -> str:
        tallies = self.score.tallies.items()
        metrics = ", ".join(f"{metric.replace('_', ' ')} {tally.accuracy:.3f}" for metric, tally in tallies)
        low, high = self.score.interval
        return f"{metrics} ({low:.3f} to {high:.3f}) on {self.score.n:,} entries of {self.score.part}"


@verb
def score(
    data: Data,
    split: str | Path | Split,
    predictions: GivenPredictions,
    *,
    part: str = "test",
    match: str | None = None,
    match_on: str = "id",
    prediction: str = "prediction",
    model: str | None = None,
    allow_missing: bool = False,
    metric: str | Iterable[str] = (),
    answers: bool = False,
    errors: bool = False,
    at_least: float | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> ScoreResult:
    """Score predictions: the path of a file, what `predict` gave, outputs by id, or records as a file has them.

    `metric` names further matchers, besides exact match and those of the language.

    >>> from recombine.workbench import load, split
    >>> data = load([("jump", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")], language="actions")
    >>> made = split(data, by="random", train=1, test=2, seed=1)
    >>> print(score(data, made, dict.fromkeys(made.test, "I_RUN"), at_least=0.1))
    exact match 0.500 (0.095 to 0.905) on 2 entries of test
    """
    from recombine.evaluation.match.matchers import further_matchers
    from recombine.evaluation.predictions import take_predictions
    from recombine.evaluation.score import score as score_predictions

    if at_least is not None and not 0 <= at_least <= 1:
        raise OptionError(f"the exact match cannot be {at_least}", "give a share between 0 and 1")
    metrics = check_metrics(metric)
    read = take_predictions(outputs_of(predictions), match_on=match_on, prediction=prediction, model=model)
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    with working("scoring"):
        matchers = further_matchers(dataset.language, metrics)
        answering = None
        if answers:
            from recombine.evaluation.answers.geoquery_answers import geoquery_answers

            answering = geoquery_answers(dataset)
            matchers["denotation"] = answering.matcher()
        scored = score_predictions(
            dataset, loaded, read, part=part, match=match, matchers=matchers, allow_missing=allow_missing
        )
        apart = None
        if errors:
            from recombine.evaluation.errors.breakdown import breakdown

            apart = breakdown(dataset, loaded, scored)
        answered = None if answering is None else answering.accuracy(dataset, scored.assigned.outputs)
    note_joining(scored, read.name)
    return ScoreResult(scored, apart, answered, answers, at_least)


def check_metrics(metric: str | Iterable[str]) -> tuple[str, ...]:
    """The names of metrics that are asked for, all of them known."""
    from recombine.evaluation.match.matchers import EXACT, MATCHERS

    names = (metric,) if isinstance(metric, str) else tuple(metric)
    for name in names:
        if name != EXACT:
            MATCHERS.find(name)
    return names


def note_joining(scored: Score, name: str) -> None:
    """Say what was left aside or shared out in joining predictions to examples."""
    if scored.assigned.elsewhere:
        note(f"{name}: {scored.assigned.elsewhere:,} predictions are for examples outside of {scored.part}")
    if scored.assigned.shared:
        note(f"{name}: {scored.assigned.shared:,} examples share the prediction of another like them")
