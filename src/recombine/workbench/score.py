"""The score of predictions on a part of a split."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.files import write_whole
from recombine.progress import note, working
from recombine.workbench.given.data_and_setting import data_and_setting
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.given.pairs_only import pairs_only
from recombine.workbench.predict import outputs_of
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from recombine.evaluation.answer_score import AnswerScore
    from recombine.evaluation.answers.answer_f1 import AnswerScores
    from recombine.evaluation.answers.answer_table import AnswerTable
    from recombine.evaluation.answers.denotation_accuracy import DenotationAccuracy
    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.groups.group import Group
    from recombine.evaluation.groups.property_differences import PropertyDifferences
    from recombine.evaluation.groups.score_groups import GroupOptions, Robustness, ScoreGroups
    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.evaluation.match.spider.read_schemas import Schemas
    from recombine.evaluation.pairs.score_pairs import PairScore
    from recombine.evaluation.predictions import GivenPredictions, Predictions
    from recombine.evaluation.score import Score
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.workbench.load import Data

TARGET, ANSWER = ON = ("target", "answer")
"""What outputs are compared with."""


@dataclass(frozen=True, repr=False, eq=False)
class ScoreResult(Result):
    """What the matchers say of predictions, and, where it was asked for, of their answers and errors."""

    score: Score
    errors: Breakdown | None = None
    answers: DenotationAccuracy | AnswerScores | None = None
    """What became of the outputs that were run; none where it was not asked for, or where there is no output."""
    answered: bool = False
    """Whether answers were asked for."""
    at_least: float | None = None
    by: Mapping[str, tuple[Group, ...]] = field(default_factory=dict)
    """The score in groups of entries, by what they are grouped by."""
    robustness: Robustness | None = None
    """The bounds within groups of questions; none where they were not asked for."""
    properties: PropertyDifferences | None = None
    """With and without each property that has a name; none where it was not asked for."""
    words: AnswerScore | None = None
    """What else there is of answers, where outputs were compared with those and not with programs."""
    of_pairs: PairScore | None = None
    """The score of a file of pairs, where that was scored."""

    @property
    def exact_match(self) -> float:
        """The share of entries that match exactly."""
        return self.score.exact_match

    @property
    def accuracy(self) -> float:
        """The share of entries that are right."""
        return self.score.tally.accuracy

    @property
    def is_below(self) -> bool:
        """Whether the share that is right is lower than what was asked for."""
        return self.at_least is not None and self.accuracy < self.at_least

    @property
    def signature(self) -> str:
        """What the score depends on."""
        return str(self.score.signature if self.errors is None else self.errors.signature)

    def to_dict(self) -> dict[str, Any]:
        """Every metric by its name, with intervals and counts; the rest, such as `errors`, where it was asked for."""
        further = {} if self.words is None else self.words.further()
        further |= {} if self.of_pairs is None else self.of_pairs.further()
        value = {**self.score.to_record(), **further, "signature": self.signature, "file": None}
        if self.answered:
            value["answers"] = None if self.answers is None else self.answers.to_record()
        if self.errors is not None:
            value["errors"] = self.errors.to_record()
        if self.by:
            value["by"] = {axis: [group.to_record() for group in groups] for axis, groups in self.by.items()}
        if self.robustness is not None:
            value["robustness"] = self.robustness.to_record()
        if self.properties is not None:
            value["properties"] = self.properties.to_record()
        return value

    def write(self, path: Path | str) -> None:
        """Write the predictions again as JSON lines, with what is correct; of pairs `{"n", "match"}`."""
        write_whole(path, self.score.to_lines() if self.of_pairs is None else self.of_pairs.to_lines())

    def __str__(self) -> str:
        tallies = self.score.tallies.items()
        metrics = ", ".join(f"{metric.replace('_', ' ')} {tally.accuracy:.3f}" for metric, tally in tallies)
        low, high = self.score.interval
        return f"{metrics} ({low:.3f} to {high:.3f}) on {self.score.n:,} entries of {self.score.part}"


@verb
def score(
    data: Data | None = None,
    split: str | Path | Split | None = None,
    predictions: GivenPredictions | None = None,
    *,
    pairs: str | Path | None = None,
    schemas: str | Path | None = None,
    part: str = "test",
    on: str = TARGET,
    answer_table: str | Path | None = None,
    match: str | None = None,
    match_on: str = "id",
    prediction: str = "prediction",
    fenced: bool = False,
    written_in: str | None = None,
    model: str | None = None,
    allow_missing: bool = False,
    metric: str | Iterable[str] = (),
    ontology: str | Path | None = None,
    profile: str | Path | None = None,
    answers: bool = False,
    gold_answers: str = "executed",
    errors: bool = False,
    by: str | Iterable[str] = (),
    shown: str | Path | None = None,
    levels: str | None = None,
    robustness: bool = False,
    properties: str | Path | None = None,
    at_least: float | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> ScoreResult:
    """Score predictions: the path of a file, what `predict` gave, outputs by id, or records as a file has them.

    `metric` names further matchers, besides exact match and those of the language. Logical forms are compared under
    `ontology` and `profile`. `by` takes the score apart: by a field such as `template`, by properties of programs, by
    levels against train, against what prompts have `shown`, or as the field `levels` says them; `robustness` bounds it
    within groups of questions that ask for the same. With `on="answer"` outputs are answers in words, compared with the
    field `answer` by `answer_table`. Outputs of chat models are taken out of code fences with `fenced`, and are logical
    forms `written_in` another notation than the targets, `sexpression` or `sparql`. `pairs` names a file of gold
    programs with outputs, in place of the first three; `match` can then name a matcher, too. SQL is compared under
    `schemas`, a file as Spider's `tables.json`.

    >>> from recombine.workbench import load, split
    >>> data = load([("jump", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")], language="actions")
    >>> made = split(data, by="random", train=1, test=2, seed=1)
    >>> print(score(data, made, dict.fromkeys(made.test, "I_RUN"), at_least=0.1))
    exact match 0.500 (0.095 to 0.905) on 2 entries of test
    """
    from recombine.evaluation.groups.score_groups import GroupOptions
    from recombine.evaluation.match.matchers import further_matchers
    from recombine.evaluation.predictions import take_predictions
    from recombine.evaluation.score import score as score_predictions

    if at_least is not None and not 0 <= at_least <= 1:
        raise OptionError(f"the exact match cannot be {at_least}", "give a share between 0 and 1")
    metrics = check_metrics(metric)
    if pairs is not None:
        pairs_only(data=data, split=split, predictions=predictions, part=part, on=on, answer_table=answer_table)
        pairs_only(match_on=match_on, model=model, allow_missing=allow_missing, ontology=ontology, profile=profile)
        pairs_only(answers=answers, gold_answers=gold_answers, errors=errors, by=by, shown=shown, levels=levels)
        pairs_only(robustness=robustness, properties=properties, source=source, target=target, world=world)
        pairs_only(fenced=fenced, written_in=written_in)
        return _score_pairs(pairs, match, metrics, language, schemas, prediction, at_least)
    if data is None or split is None or predictions is None:
        raise OptionError("there is nothing to score", "name DATA, SPLIT and PREDICTIONS, or give --pairs FILE")
    match, metrics = named_metric(match, metrics)
    of_programs = {
        "match": match,
        "schemas": schemas,
        "metric": metrics,
        "ontology": ontology,
        "profile": profile,
        "answers": answers,
        "errors": errors,
        "robustness": robustness,
        "match_on target": match_on == TARGET,
        "fenced": fenced,
        "written_in": written_in,
    }
    check_on(on, {"answer_table": answer_table}, of_programs)
    asked = GroupOptions.checked(by, shown=shown, levels=levels, robustness=robustness, properties=properties)
    read = take_predictions(
        outputs_of(predictions), match_on=match_on, prediction=prediction, model=model, values=on == ANSWER
    )
    table = find_table(answer_table) if on == ANSWER else None
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    if table is not None:
        return _score_answers(dataset, loaded, read, table, asked, part, allow_missing=allow_missing, at_least=at_least)
    with working("scoring"):
        dataset, setting = data_and_setting(
            dataset, ontology=ontology, profile=profile, by_world=answers or world is not None
        )
        read, chat = _of_chat(read, dataset, setting, written_in, fenced=fenced)
        matchers = further_matchers(dataset.language, metrics, setting=setting, schemas=read_schemas_of(schemas))
        answering = None
        if answers and setting is None:
            from recombine.evaluation.answers.geoquery_answers import geoquery_answers

            answering = geoquery_answers(dataset)
            matchers["denotation"] = answering.matcher()
        scored = score_predictions(
            dataset, loaded, read, part=part, match=match, matchers=matchers, allow_missing=allow_missing
        )
        executed = _executed(dataset, scored, gold_answers) if answers and answering is None else None
        groups = _groups(asked, dataset, loaded, scored, setting, executed)
        scored = replace(
            scored, signature=scored.signature.with_fields(**chat, **_answer_fields(dataset, executed), **groups.fields)
        )
        apart = None
        if errors:
            from recombine.evaluation.errors.breakdown import breakdown

            apart = breakdown(dataset, loaded, scored)
        answered = executed if answering is None else answering.accuracy(dataset, scored.assigned.outputs)
    note_joining(scored, read.name)
    _note_forms(scored, groups)
    return ScoreResult(
        scored, apart, answered, answers, at_least, groups.by, groups.robustness, properties=groups.properties
    )


def _of_chat(
    read: Predictions, dataset: Dataset, setting: FormSetting | None, written_in: str | None, *, fenced: bool
) -> tuple[Predictions, dict[str, str]]:
    """Outputs out of their fences and in the notation of the targets, and what a signature says of that."""
    from recombine.evaluation.chat_outputs import check_notation, rewrite_outputs, take_out_of_fences

    fields: dict[str, str] = {}
    if fenced:
        taken = take_out_of_fences(read)
        read, fields["fenced"] = taken.predictions, "yes"
        note(f"{read.name}: {taken.changed:,} outputs are taken out of a code fence")
        if taken.left:
            note(f"{read.name}: {taken.left:,} outputs have a fence and not one block in it, and stay as they are")
    if written_in is not None:
        check_notation(dataset, written_in)
        if setting is None:
            raise OptionError(f"nothing says what names of {dataset.name} are", "name --language sparql11")
        made = rewrite_outputs(read, dataset, written_in, setting.profile, setting.ontology)
        read, fields["written_in"] = made.predictions, written_in
        if made.left:
            note(
                f"{read.name}: {made.left:,} outputs cannot be read as {written_in} or rewritten, and stay as they are"
            )
    return read, fields


def _score_pairs(
    path: str | Path,
    match: str | None,
    metrics: tuple[str, ...],
    language: str | None,
    schemas: str | Path | None,
    prediction: str,
    at_least: float | None,
) -> ScoreResult:
    """The score of a file that holds gold programs and outputs."""
    from recombine.evaluation.pairs.pair_file import read_pairs
    from recombine.evaluation.pairs.score_pairs import SQL_METRICS, score_pairs
    from recombine.languages.known import find_language

    read = read_schemas_of(schemas)
    file = read_pairs(path, prediction=prediction)
    if language is None and {match, *metrics} & set(SQL_METRICS):
        language = "sql"
    with working("scoring"):
        found = None if language is None else find_language(language)
        scored = score_pairs(file, match=match, metrics=metrics, language=found, schemas=read)
    for metric, tally in scored.score.tallies.items():
        if tally.unsupported:
            note(f"{metric} cannot read the gold programs of {tally.unsupported:,} pairs, which are not right")
    return ScoreResult(scored.score, at_least=at_least, of_pairs=scored)


def read_schemas_of(path: str | Path | None) -> Schemas | None:
    """The schemas of a file, where one is named."""
    from recombine.evaluation.match.spider.read_schemas import read_schemas

    return None if path is None else read_schemas(path)


def named_metric(match: str | None, metrics: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The form of exact match, and the metrics: what is named for the first may be one of the second."""
    from recombine.evaluation.match.exact_match import FORMS
    from recombine.evaluation.match.matchers import MATCHERS

    if match is None or match in FORMS or match not in MATCHERS:
        return match, metrics
    return None, tuple(dict.fromkeys((*metrics, match)))


def check_on(on: str, of_answers: Mapping[str, Any], of_programs: Mapping[str, Any]) -> None:
    """Refuse options that are for another kind of output."""
    if on not in ON:
        raise UnknownNameError("thing to compare outputs with", on, ON)
    wrong = of_answers if on == TARGET else of_programs
    given = next((name for name, value in wrong.items() if value), None)
    if given is not None:
        flag, other = f"--{given.replace('_', '-')}", ANSWER if on == TARGET else TARGET
        raise OptionError(f"{flag} has no meaning with --on {on}", f"leave it out, or score --on {other}")


def find_table(path: str | Path | None) -> AnswerTable:
    """The table that answers are read by: that of a file, else the package's."""
    from recombine.evaluation.answers.answer_table import read_answer_table, usual_table

    return usual_table() if path is None else read_answer_table(path)


def _score_answers(
    dataset: Dataset,
    split: Split,
    read: Predictions,
    table: AnswerTable,
    asked: GroupOptions,
    part: str,
    *,
    allow_missing: bool,
    at_least: float | None,
) -> ScoreResult:
    """The score where outputs are answers in words."""
    from recombine.evaluation.answer_score import score_answers

    with working("scoring"):
        words = score_answers(dataset, split, read, table, part=part, allow_missing=allow_missing)
        groups = _groups(asked, dataset, split, words.score, None, None, words)
        scored = replace(words.score, signature=words.score.signature.with_fields(**groups.fields))
    note_joining(scored, read.name)
    note_answers(words)
    return ScoreResult(
        scored, at_least=at_least, by=groups.by, properties=groups.properties, words=replace(words, score=scored)
    )


def note_answers(words: AnswerScore) -> None:
    """Say of twins and of paraphrases what no share is made of."""
    pairs, part = words.pairs, words.score.part
    if pairs is not None and pairs.torn:
        note(f"{pairs.torn:,} pairs of twins are torn apart: one is outside of {part}; they are in no pair accuracy")
    if words.paraphrases and words.paraphrased is None:
        note(f"{words.paraphrases:,} questions of {part} have a paraphrase, and no prediction is for one")


def _groups(
    asked: GroupOptions,
    dataset: Dataset,
    split: Split,
    scored: Score,
    setting: FormSetting | None,
    executed: AnswerScores | None,
    words: AnswerScore | None = None,
) -> ScoreGroups:
    """The score by groups; nothing is read for it where none are asked for."""
    from recombine.evaluation.groups.score_groups import ScoreGroups, score_groups

    if not asked.axes and not asked.robustness:
        return ScoreGroups({}, None, {})
    return score_groups(asked, dataset, split, scored, setting, executed, words)


def _executed(dataset: Dataset, scored: Score, gold: str) -> AnswerScores:
    """The answers of outputs and gold forms over the knowledge base that the data is about."""
    from recombine.evaluation.answers.answer_f1 import answer_scores

    world: Any = dataset.opened_world
    if world is None or world.kind != "kb":
        has = "none" if world is None else f"a world of the kind {world.kind!r}"
        raise OptionError(
            f"answers are executed over a knowledge base, and {dataset.name} has {has}",
            "name it with --kb PLACE, or leave out --answers",
        )
    return answer_scores(dataset, scored.ids, scored.assigned.outputs, world, gold=gold)


def _answer_fields(dataset: Dataset, executed: AnswerScores | None) -> dict[str, str]:
    """What executed answers depend on, as a signature names it."""
    world = dataset.opened_world if executed is not None else None
    if world is None or executed is None:
        return {}
    return {"world": f"{world.kind}@{world.digest[:16]}", "gold_answers": executed.gold}


def _note_forms(scored: Score, groups: ScoreGroups) -> None:
    """Say what could not be compared, and which questions could not be slotted."""
    for metric, unsupported in scored.gold_unsupported.items():
        if unsupported:
            first = unsupported[0]
            note(
                f"{metric} has nothing for {len(unsupported):,} gold programs, whose entries are unsupported; the "
                f"first is {first.id}: {first.reason}"
            )
    bounded = groups.robustness
    if bounded is not None and bounded.unslotted:
        note(f"{bounded.unslotted:,} of {scored.n:,} questions cannot be slotted: {bounded.why_unslotted}")


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
