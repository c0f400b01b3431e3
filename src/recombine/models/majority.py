"""Answers without a look at the picture: the most frequent one, of all questions or of those of a template.

`maj` answers what most questions of train have as their answer; `maj-template` what most of the same template have, and
of questions that give options it draws one, as COVR's MAJ and MAJTEMPL do (§4). What it draws from stands beside each
prediction as `guesses`, so that a score has the expected accuracy: a choice of two counts one half. Data without the
field `answer` is answered by its targets. Of equally frequent answers the first by name is taken.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from recombine.errors import InputFileError, OptionError, RecordError
from recombine.evaluation.answers.answer_table import usual_table
from recombine.evaluation.answers.asked_answers import ANSWER, OPTIONS, field_of, options_of
from recombine.models.family import Family
from recombine.models.model_file import MODEL, read_model_file, write_model_file
from recombine.models.task import CellOutcome
from recombine.options import Option
from recombine.scenes.balance.answer_class import answer_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.models.task import Task
    from recombine.records.example import Example, Query
    from recombine.records.world import World

NAME = "majority"
OVERALL, BY_TEMPLATE = PRESETS = ("maj", "maj-template")
FORM = "recombine-majority/1"
TEMPLATE = "template"


@dataclass
class MajorityParser:
    """The most frequent answers."""

    by_template: bool
    seed: int = 0
    answers: bool = False
    """Whether they are answers; else they are targets."""
    overall: str = ""
    templates: dict[str, str] = field(default_factory=dict)
    """By template, but for those that give options."""
    choices: dict[str, int] = field(default_factory=dict)
    """How many options the questions of a template give."""

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Count answers."""
        del world
        self.answers = field_of(examples[0], ANSWER) is not None
        said = [_answer(example, answers=self.answers) for example in examples]
        self.overall = _most_frequent(said)
        self.templates, self.choices = {}, {}
        if self.by_template:
            by_name: defaultdict[str, list[int]] = defaultdict(list)
            for place, example in enumerate(examples):
                by_name[_template(example.id, field_of(example, TEMPLATE))].append(place)
            for name, places in sorted(by_name.items()):
                options = [len(options_of(examples[place])) for place in places] if self.answers else [0]
                if min(options) > 1:
                    self.choices[name] = _most_frequent(options)
                else:
                    self.templates[name] = _most_frequent([said[place] for place in places])
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The answer to each query; of a choice one that the seed and the id decide."""
        del world
        guesses = self.guesses(queries)
        return [each[self._draw(query.id, len(each))] for query, each in zip(queries, guesses, strict=True)]

    def guesses(self, queries: Sequence[Query]) -> list[tuple[str, ...]]:
        """The answers of equal chance that each is drawn from; mostly there is one."""
        return [self._guesses(query) for query in queries]

    def _guesses(self, query: Query) -> tuple[str, ...]:
        if not self.by_template:
            return (self.overall,)
        template = _template(query.id, query.context.get(TEMPLATE))
        if template not in self.choices:
            return (self.templates.get(template, self.overall),)
        given = next((query.context[name] for name in OPTIONS if query.context.get(name)), None)
        number = self.choices[template] if given is None else len(given)
        return tuple(letter.upper() for letter in usual_table().rules["choice"]["letters"][:number])

    def _draw(self, key: str, number: int) -> int:
        """One of so many, the same for a seed and an id whatever else is asked."""
        drawn = hashlib.blake2b(f"{self.seed}/{key}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn) % number


def _most_frequent(values: Sequence[Any]) -> Any:
    return min(Counter(values).items(), key=lambda pair: (-pair[1], pair[0]))[0]


def _answer(example: Example, *, answers: bool) -> str:
    if not answers:
        return example.target
    answer = field_of(example, ANSWER)
    if isinstance(answer, tuple | list) and answer:
        answer = answer[0]
    if not isinstance(answer, bool | int | float | str):
        raise RecordError("the examples to learn from", f"example {example.id}", f"has no {ANSWER!r}", "give it one")
    return answer_text(answer) if isinstance(answer, bool | int | str) else str(answer)


def _template(key: str, template: Any) -> str:
    if template is None:
        problem = f"{BY_TEMPLATE} needs the field {TEMPLATE!r}, which the example {key} does not have"
        raise OptionError(problem, f"train {OVERALL}")
    return str(template)


# -- keeping and telling ------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> MajorityParser:
    """A parser that has counted nothing yet."""
    del device
    return MajorityParser(settings["by_template"], seed)


def save(parser: MajorityParser, folder: Path, signature: str) -> None:
    """Write the answers to a folder."""
    write_model_file(folder, FORM, signature, **vars(parser))


def load(folder: Path, device: str) -> MajorityParser:
    """The answers in a folder."""
    del device
    record = read_model_file(folder)
    kept = {name: record.get(name) for name in MajorityParser.__dataclass_fields__}
    kinds = {"by_template": bool, "seed": int, "answers": bool, "overall": str, "templates": dict, "choices": dict}
    if any(not isinstance(kept[name], kind) for name, kind in kinds.items()):
        raise InputFileError(f"{folder / MODEL}: does not say the most frequent answers", "train it again")
    return MajorityParser(**kept)  # type: ignore[arg-type]


def _facts(parser: MajorityParser) -> dict[str, Any]:
    return {
        "on": ANSWER if parser.answers else "target",
        "majority": parser.overall,
        "templates": dict(parser.templates),
        "choices": dict(parser.choices),
    }


def _describe(value: Mapping[str, Any]) -> str:
    told = f"{value['examples']:,} examples, most often {value['majority']}"
    if not value["templates"] and not value["choices"]:
        return told
    number = len(value["templates"]) + len(value["choices"])
    return f"{told}; {number} templates, {len(value['choices'])} of them with options to draw from"


def _signature(parser: MajorityParser, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    on = {"on": ANSWER} if parser.answers else {}
    return {"model": preset, **on, **FAMILY.changed(preset, settings), "model_seed": seed}


def _run_task(task: Task) -> list[CellOutcome]:
    """Nothing, where there are answers and the study compares outputs with targets."""
    if task.match != ANSWER and any(field_of(example, ANSWER) is not None for example in task.examples[:1]):
        problem = (
            f'{task.preset} answers questions, and the study compares outputs with programs: write match = "answer"'
        )
        return [CellOutcome(error=f"cell {cell.name}: {problem}") for cell in task.cells]
    return PLAIN.train_cells(task)


def _options(preset: str) -> tuple[Option, ...]:
    return (
        Option("by_template", bool, preset == BY_TEMPLATE, "Whether the answer is that of the question's template."),
    )


PLAIN = Family(name=NAME, make=make, presets=lambda: PRESETS, options=_options, texts_alone=False)
"""Each cell of a study is fitted by itself."""
FAMILY = Family(
    name=NAME,
    title="the most frequent answer, of all or of a template",
    make=make,
    presets=lambda: PRESETS,
    options=_options,
    texts_alone=False,
    save=save,
    load=load,
    form="recombine-majority",
    signature=_signature,
    facts=_facts,
    describe=_describe,
    run_task=_run_task,
    answers=lambda parser: parser.answers,
)
