"""Two systems on the same part of a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import note, working
from recombine.seeds import check_seed
from recombine.workbench.given.data_and_setting import data_and_setting
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.predict import outputs_of
from recombine.workbench.results.result import Result
from recombine.workbench.score import ANSWER, TARGET, check_metrics, check_on, find_table, note_joining
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from recombine.evaluation.compare import Comparison
    from recombine.evaluation.predictions import GivenPredictions
    from recombine.records.split import Split
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class CompareResult(Result):
    """How two systems compare under each metric."""

    comparison: Comparison

    def to_dict(self) -> dict[str, Any]:
        """A contrast for each metric by its name, and the two scores."""
        return self.comparison.to_record()

    def __str__(self) -> str:
        metric, contrast = next(iter(self.comparison.contrasts.items()))
        low, high = contrast.interval
        return (
            f"{metric.replace('_', ' ')} {contrast.first:.3f} and {contrast.second:.3f}: {contrast.difference:+.3f} "
            f"({low:+.3f} to {high:+.3f}), p = {contrast.p_value:.3g}, on {contrast.n:,} entries"
        )


@verb
def compare(
    data: Data,
    split: str | Path | Split,
    first: GivenPredictions,
    second: GivenPredictions,
    *,
    part: str = "test",
    on: str = TARGET,
    answer_table: str | Path | None = None,
    match: str | None = None,
    match_on: str = "id",
    prediction: str = "prediction",
    model_a: str | None = None,
    model_b: str | None = None,
    allow_missing: bool = False,
    metric: str | Iterable[str] = (),
    ontology: str | Path | None = None,
    profile: str | Path | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> CompareResult:
    """Compare two systems, whose predictions are given as to `score`: difference, interval, McNemar's test.

    With `on="answer"` these are answers in words, compared with the field `answer` by `answer_table`.

    >>> from recombine.workbench import load, split
    >>> data = load([("jump", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")], language="actions")
    >>> made = split(data, by="random", train=1, test=2, seed=1)
    >>> gold = {key: data[key].target for key in made.test}
    >>> compare(data, made, dict.fromkeys(gold, "I_RUN"), gold)["exact_match"]["difference"]
    0.5
    """
    from recombine.evaluation.answer_score import score_answers
    from recombine.evaluation.compare import compare as compare_scores
    from recombine.evaluation.match.matchers import further_matchers
    from recombine.evaluation.predictions import take_predictions
    from recombine.evaluation.score import score

    check_seed(seed)
    metrics = check_metrics(metric)
    of_programs = {"match": match, "metric": metrics, "ontology": ontology, "profile": profile}
    check_on(on, {"answer_table": answer_table}, {**of_programs, "match_on target": match_on == TARGET})
    table = find_table(answer_table) if on == ANSWER else None
    both = [
        take_predictions(
            outputs_of(given), match_on=match_on, prediction=prediction, model=model, values=table is not None
        )
        for given, model in ((first, model_a), (second, model_b))
    ]
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    with working("scoring"):
        if table is not None:
            answered = [
                score_answers(dataset, loaded, read, table, part=part, allow_missing=allow_missing) for read in both
            ]
            scores = [each.score for each in answered]
            if any(each.paraphrased is not None for each in answered):
                note("predictions for paraphrases are not compared")
        else:
            dataset, setting = data_and_setting(dataset, ontology=ontology, profile=profile, by_world=world is not None)
            matchers = further_matchers(dataset.language, metrics, setting=setting)
            scores = [
                score(dataset, loaded, read, part=part, match=match, matchers=matchers, allow_missing=allow_missing)
                for read in both
            ]
        compared = compare_scores(*scores, seed=seed)
    for scored, read in zip(scores, both, strict=True):
        note_joining(scored, read.name)
    return CompareResult(compared)
