"""A score by groups, and its bounds within groups: what `score --by` and `score --robustness` give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.evaluation.groups.answer_counts import answer_counts
from recombine.evaluation.groups.axes import (
    ANSWERS,
    FUNCTION,
    LEVEL,
    PROPERTIES,
    PROPERTY,
    RELATIONS,
    TAG,
    answer_labels,
    check_axes,
    function_labels,
    order_of,
    relation_labels,
)
from recombine.evaluation.groups.axes import TEMPLATE as TEMPLATE_AXIS
from recombine.evaluation.groups.entry_fields import field_labels
from recombine.evaluation.groups.gold_forms import GoldForms
from recombine.evaluation.groups.group import PARAPHRASED, beside, groups_of
from recombine.evaluation.groups.paraphrases import NAME_FIELDS
from recombine.evaluation.groups.property_differences import property_differences
from recombine.evaluation.groups.robustness import bounds
from recombine.evaluation.match.judge import Verdict
from recombine.measures.levels.level_definition import level_definition

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.evaluation.answer_score import AnswerScore
    from recombine.evaluation.answers.answer_f1 import AnswerScores
    from recombine.evaluation.groups.entry_levels import EntryLevels
    from recombine.evaluation.groups.entry_properties import EntryProperties
    from recombine.evaluation.groups.group import Group
    from recombine.evaluation.groups.property_differences import PropertyDifferences
    from recombine.evaluation.groups.robustness import Bounds
    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.evaluation.score import Score
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

PARAPHRASE, TEMPLATE = GROUPINGS = ("paraphrase", "template")
"""What questions are grouped by to bound an accuracy."""


@dataclass(frozen=True)
class Robustness:
    """The bounds of each metric within groups of questions."""

    by: Mapping[str, Mapping[str, Bounds] | None]
    """By grouping and metric; none where no question of the data can be slotted."""
    unslotted: int
    """Questions in which something that is named does not stand: they are paraphrases by their whole text."""

    @property
    def why_unslotted(self) -> str:
        """Why questions could not be slotted, and what becomes of them."""
        if self.by[PARAPHRASE] is None:
            return f"the data has no names of entities ({', '.join(NAME_FIELDS)}), so there are no bounds by paraphrase"
        return "they do not show all that their programs name; they are grouped by their whole text"

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        records = {
            grouping: None if found is None else {metric: each.to_record() for metric, each in found.items()}
            for grouping, found in self.by.items()
        }
        return {**records, "unslotted": self.unslotted}


@dataclass(frozen=True)
class GroupOptions:
    """What a score is to be taken apart by, and what levels are told against."""

    axes: tuple[str, ...] = ()
    shown: Path | str | None = None
    """The file of what each prompt showed."""
    levels: str | None = None
    """The field of the data that says levels."""
    robustness: bool = False
    properties: Path | str | None = None
    """A file of properties of one's own."""

    @classmethod
    def checked(
        cls,
        by: str | Iterable[str],
        *,
        shown: Path | str | None = None,
        levels: str | None = None,
        robustness: bool = False,
        properties: Path | str | None = None,
    ) -> GroupOptions:
        """The options as they are given, refused where they do not fit together."""
        axes = check_axes(by) if by else ()
        for option, value in (("--shown", shown), ("--levels", levels)):
            if value is not None and LEVEL not in axes:
                raise OptionError(f"{option} says what levels are told by, and none are asked for", "add --by level")
        if shown is not None and levels is not None:
            raise OptionError("levels are told by --shown or by --levels, not by both", "leave one of them out")
        if properties is not None and not any(axis == PROPERTIES or axis.startswith(PROPERTY) for axis in axes):
            raise OptionError(
                "--properties names properties to take a score apart by, and none are asked for", "add --by properties"
            )
        return cls(axes, shown, levels, robustness, properties)


@dataclass(frozen=True)
class ScoreGroups:
    """A score by groups of its entries, and its bounds."""

    by: Mapping[str, tuple[Group, ...]]
    robustness: Robustness | None
    fields: Mapping[str, str]
    """What it adds to the signature."""
    properties: PropertyDifferences | None = None
    """With and without each property that has a name; none where it was not asked for."""


def score_groups(
    options: GroupOptions,
    dataset: Dataset,
    split: Split,
    scored: Score,
    setting: FormSetting | None,
    answers: AnswerScores | None = None,
    words: AnswerScore | None = None,
) -> ScoreGroups:
    """A score taken apart as the options say.

    `setting` is for logical forms, `answers` are executed ones, and `words` is the score where outputs are answers.
    """
    _refuse_without_forms(options, dataset, setting)
    golds = None if setting is None else GoldForms(dataset, scored.ids, setting)
    levels = _levels(options, dataset, split, scored.part, setting) if LEVEL in options.axes else None
    properties = _properties(options, dataset, scored.ids)
    axes = [axis for axis in options.axes if axis != PROPERTIES]
    labels = {axis: _labels(axis, dataset, scored.ids, golds, levels, answers, properties) for axis in axes}
    f1 = None if answers is None else [answers.of[key].f1 for key in scored.ids]
    bounded = None
    if options.robustness and golds is not None:
        paraphrases = golds.paraphrases
        grouped = {PARAPHRASE: paraphrases.groups, TEMPLATE: golds.templates}
        bounded = robustness(scored, grouped, paraphrases.unslotted)
    fields = {"groups": ",".join(options.axes)} if options.axes else {}
    if levels is not None:
        fields["levels"] = levels.against
    if bounded is not None:
        fields["bounds"] = ",".join(GROUPINGS)
    if properties is not None and properties.own:
        fields["properties"] = properties.own
    groups = score_by(scored, labels, f1, None if words is None or words.expected is None else words.expected.shares)
    if words is not None and words.paraphrased is not None:
        groups = _with_paraphrases(groups, scored, words.paraphrased.score, labels)
    differences = None
    if properties is not None and PROPERTIES in options.axes:
        held, refused = properties.named()
        differences = property_differences(held, scored.is_right, refused)
    return ScoreGroups(groups, bounded, fields, differences)


def _properties(options: GroupOptions, dataset: Dataset, ids: Sequence[str]) -> EntryProperties | None:
    """The properties of entries; none where none are asked for."""
    if not any(axis == PROPERTIES or axis.startswith(PROPERTY) for axis in options.axes):
        return None
    from recombine.evaluation.groups.entry_properties import EntryProperties

    return EntryProperties(dataset, ids, options.properties)


def _with_paraphrases(
    groups: Mapping[str, tuple[Group, ...]], scored: Score, reworded: Score, labels: Mapping[str, Sequence[str]]
) -> dict[str, tuple[Group, ...]]:
    """Groups with the accuracy on paraphrases beside that on questions."""
    verdicts = {PARAPHRASED: reworded.verdicts[reworded.main]}
    found = {}
    for axis, given in labels.items():
        label_of = dict(zip(scored.ids, given, strict=True))
        found[axis] = beside(groups[axis], groups_of([label_of[key] for key in reworded.ids], verdicts))
    return found


def _refuse_without_forms(options: GroupOptions, dataset: Dataset, setting: FormSetting | None) -> None:
    needs = [f"--by {axis}" for axis in (RELATIONS, FUNCTION) if axis in options.axes]
    needs += ["--robustness"] if options.robustness else []
    if needs and setting is None:
        raise OptionError(
            f"{needs[0]} is for logical forms, S-expressions and SPARQL, and {dataset.name} has none",
            "name their language with --language sexpression or sparql11, or leave it out",
        )


def _levels(
    options: GroupOptions, dataset: Dataset, split: Split, part: str, setting: FormSetting | None
) -> EntryLevels:
    from recombine.evaluation.groups.entry_levels import levels_against_prompts, levels_against_train, levels_said

    if options.levels is not None:
        return levels_said(dataset, split.part(part), options.levels)
    definition = level_definition(dataset)[0] if setting is None else setting.definition
    if options.shown is not None:
        return levels_against_prompts(dataset, split, part, definition, options.shown)
    return levels_against_train(dataset, split, split.part(part), definition)


def _labels(
    axis: str,
    dataset: Dataset,
    ids: Sequence[str],
    golds: GoldForms | None,
    levels: EntryLevels | None,
    answers: AnswerScores | None,
    properties: EntryProperties | None,
) -> list[str]:
    if axis == TEMPLATE_AXIS or axis.startswith(TAG):
        return field_labels(dataset, ids, axis.removeprefix(TAG))
    if properties is not None and axis.startswith(PROPERTY):
        return properties.labels(axis.removeprefix(PROPERTY))
    if axis == ANSWERS:
        executed = {} if answers is None else {key: score.gold for key, score in answers.of.items()}
        return answer_labels(answer_counts(dataset, ids, executed))
    if axis == LEVEL and levels is not None:
        return levels.labels
    if golds is None:
        raise AssertionError("what needs logical forms was refused without them")
    return relation_labels(golds.shapes) if axis == RELATIONS else function_labels(golds.shapes)


def score_by(
    scored: Score,
    labels: Mapping[str, Sequence[str]],
    f1: Sequence[float] | None = None,
    expected: Sequence[float] | None = None,
) -> dict[str, tuple[Group, ...]]:
    """A score taken apart by labels, one for each of its entries under each name."""
    return {
        axis: groups_of(given, scored.verdicts, f1, order=order_of(axis), expected=expected)
        for axis, given in labels.items()
    }


def robustness(scored: Score, groups: Mapping[str, Sequence[Hashable] | None], unslotted: int) -> Robustness:
    """The bounds of every metric of a score within groups, one for each of its entries under each name."""
    right = {metric: [verdict is Verdict.RIGHT for verdict in verdicts] for metric, verdicts in scored.verdicts.items()}
    return Robustness(
        {
            name: None if given is None else {metric: bounds(given, verdicts) for metric, verdicts in right.items()}
            for name, given in groups.items()
        },
        unslotted,
    )
