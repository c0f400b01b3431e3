"""Every question of a set with its form: template, relations, function, answers, and where it names what.

A program that cannot be read has no template; it is counted, and why is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.evaluation.groups.axes import ANSWERS, FUNCTION, LEVEL, ORDERS, RELATIONS, answer_labels, relation_labels
from recombine.evaluation.groups.form_literals import form_literals
from recombine.evaluation.groups.gold_forms import form_shape
from recombine.evaluation.match.form_matchers import read_form
from recombine.evaluation.match.form_setting import LANGUAGES, FormSetting
from recombine.kb.matching.template import ENTITY
from recombine.measures.levels.level_definition import level_definition
from recombine.measures.levels.level_features import UNREADABLE, level_features
from recombine.pages.kbqa.mentions import mentioned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.evaluation.groups.form_shape import FormShape
    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.pages.kbqa.mentions import Mentioned
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

CANONICAL_FIELDS = ("canonical_question", "machine_question", "NNQT_question", "intermediary_question")
"""Fields with the question that people were asked to say in other words: ours, and those of known releases."""
UNKNOWN = "unknown"


@dataclass(frozen=True)
class QuestionTable:
    """The questions of a set, row by row."""

    dataset: Dataset
    definition: LevelDefinition
    features: LevelFeatures
    canonical: str
    """The field of the canonical questions; empty where there is none."""
    notes: tuple[str, ...]

    @property
    def language(self) -> str:
        """The language of the forms."""
        return "" if self.dataset.language is None else self.dataset.language.name

    @cached_property
    def setting(self) -> FormSetting:
        """What forms are read by."""
        if self.definition.profile is None:
            raise AssertionError("forms over a knowledge base have a profile")
        return FormSetting(self.language, self.definition.profile, self.definition.ontology)

    @cached_property
    def items(self) -> list[Example]:
        """The examples, row by row."""
        return list(self.dataset)

    @cached_property
    def templates(self) -> list[int]:
        """The number of each question's template; below 0 where its program cannot be read."""
        numbers: list[int] = self.features.templates.tolist()
        return [number if shape is not None else UNREADABLE for number, shape in zip(numbers, self.shapes, strict=True)]

    @cached_property
    def shapes(self) -> list[FormShape | None]:
        """Relations and function of each question; none where its program cannot be read."""
        return [self._read[example.target][0] for example in self.items]

    @cached_property
    def questions(self) -> list[Mentioned]:
        """Each question with the places of what it names."""
        return [mentioned(example, self._read[example.target][1]) for example in self.items]

    @cached_property
    def rows_of(self) -> dict[int, list[int]]:
        """The rows of each template, in the order of the data."""
        rows: dict[int, list[int]] = {}
        for row, number in enumerate(self.templates):
            if number != UNREADABLE:
                rows.setdefault(number, []).append(row)
        return rows

    @property
    def unreadable(self) -> dict[str, str]:
        """The questions whose programs cannot be read, each with why."""
        said = {self.items[row].target: why for row, why in self.features.unreadable.items()}
        return {
            example.id: said.get(example.target) or self._read[example.target][2]
            for example, number in zip(self.items, self.templates, strict=True)
            if number == UNREADABLE
        }

    @property
    def unnamed(self) -> int:
        """Questions in which not all stands that their forms name, so that entities cannot be taken out of them."""
        texts = self.features.template_texts
        return sum(
            not question.whole and (bool(question.mentions) or ENTITY in texts[number])
            for question, number in zip(self.questions, self.templates, strict=True)
            if number != UNREADABLE
        )

    def labels(self) -> dict[str, list[str]]:
        """The label of each question by relations, by function and by answers; those of `evaluation.groups`."""
        counts = [answer_count(example) for example in self.items]
        known = [shape for shape in self.shapes if shape is not None]
        told = iter(relation_labels(known))
        return {
            RELATIONS: [UNKNOWN if shape is None else next(told) for shape in self.shapes],
            FUNCTION: [UNKNOWN if shape is None else shape.function for shape in self.shapes],
            ANSWERS: answer_labels(counts),
        }

    def domains_of(self, row: int) -> list[str]:
        """The domains of what a question's form names: as its names tell, else as the data says."""
        told = {self.features.domains[item] for item in self.features.items_of(row).tolist()} - {""}
        said: Any = self.items[row].tags.get("domains")
        return sorted(told or ({str(each) for each in said} if isinstance(said, list | tuple) else ()))

    def canonical_of(self, row: int) -> Mentioned | None:
        """The canonical question of a question, with the places of what it names."""
        example = self.items[row]
        text = {**example.tags, **example.context}.get(self.canonical) if self.canonical else None
        return mentioned(example, self._read[example.target][1], text=text) if isinstance(text, str) and text else None

    @cached_property
    def _read(self) -> dict[str, tuple[FormShape | None, tuple[str, ...], str]]:
        """Of each program its shape and literals, or why there are none."""
        read: dict[str, tuple[FormShape | None, tuple[str, ...], str]] = {}
        for example in self.items:
            if example.target in read:
                continue
            try:
                form = read_form(example.target, self.setting)
                read[example.target] = form_shape(form, self.setting.profile), form_literals(form), ""
            except RecombineError as error:
                read[example.target] = None, (), error.problem
        return read


def read_questions(
    dataset: Dataset,
    *,
    profile: Path | str | None = None,
    ontology: Path | str | None = None,
    canonical: str | None = None,
) -> QuestionTable:
    """The questions of a data set whose targets are S-expressions or SPARQL."""
    if dataset.language is None or dataset.language.name not in LANGUAGES:
        is_in = "is not known" if dataset.language is None else f"is {dataset.language.name}"
        raise OptionError(
            f"the language of {dataset.name}'s targets {is_in}, and these are questions over a knowledge base",
            f"name it with --language: {' or '.join(LANGUAGES)}",
        )
    definition, notes = level_definition(dataset, profile=profile, ontology=ontology)
    field = _canonical_field(dataset, canonical)
    return QuestionTable(dataset, definition, level_features(dataset, definition), field, tuple(notes))


def _canonical_field(dataset: Dataset, asked: str | None) -> str:
    fields = {name for example in dataset for name in (*example.tags, *example.context)}
    if asked is not None and asked not in fields:
        raise OptionError(f"no question of {dataset.name} has a field {asked!r}", "name another with --canonical")
    return asked if asked is not None else next((name for name in CANONICAL_FIELDS if name in fields), "")


def answers_of(example: Example) -> Sequence[Any] | None:
    """The answers that the data lists: GrailQA's `answer`, which has names, else `answers`."""
    beside: Mapping[str, Any] = {**example.tags, **example.context}
    for name in ("answer", "answers"):
        if isinstance(beside.get(name), list | tuple):
            listed: Sequence[Any] = beside[name]
            return listed
    return None


def answer_count(example: Example) -> int | None:
    """How many answers the data lists; none where it lists none at all."""
    answers = answers_of(example)
    return None if answers is None else len(answers)


def counted(labels: Sequence[str], axis: str) -> dict[str, int]:
    """How many questions have each label, in the order in which labels are shown, with those that all data has."""
    order = [*ORDERS[axis], *([UNKNOWN] if axis != LEVEL else [])]
    always = {RELATIONS: ("1", "2", "3"), FUNCTION: ORDERS[FUNCTION][:4], ANSWERS: ("1", ">1")}.get(axis, ())
    return {label: labels.count(label) for label in dict.fromkeys(order) if label in labels or label in always}
