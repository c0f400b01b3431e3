"""The arrays of some questions of a data set, in one call: setting, schema, links, candidates and targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError
from recombine.models.kbqa.making.make_schema import make_schema
from recombine.models.kbqa.making.question_maker import QuestionMaker
from recombine.selection.prompts.kb_setting import kb_setting
from recombine.selection.prompts.link_questions import link_questions

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from pathlib import Path

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.making.making_counts import MakingCounts
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.selection.prompts.kb_setting import KbSetting


class MadeArrays(NamedTuple):
    """A schema, questions over it, and what became of them."""

    schema: SchemaArrays
    questions: QuestionArrays
    counts: MakingCounts
    setting: KbSetting


def make_arrays(
    dataset: Dataset,
    examples: Sequence[Example],
    links: str,
    settings: KbqaSettings,
    *,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    schema: SchemaArrays | None = None,
    with_targets: bool = True,
    candidates_of: Container[str] | None = None,
) -> MadeArrays:
    """Questions of a data set, linked by `gold`, `linker` or a file; over a schema that is given, else made.

    `candidates_of` has the ids of those whose candidates are listed, by default all.
    """
    setting = kb_setting(dataset, links, ontology=ontology, profile=profile)
    if setting is None:
        raise OptionError(f"{dataset.name} has no links", "link by gold, linker, or a file of links")
    known = make_schema(setting) if schema is None else schema
    maker = QuestionMaker(
        setting,
        known,
        hops=settings.hops,
        beyond=[name.strip() for name in settings.beyond.split(",") if name.strip()],
        answer_class=settings.answer_class,
        language=None if dataset.language is None else dataset.language.name,
    )
    linked = link_questions(dataset, examples, setting)
    made = maker.make(examples, linked, with_targets=with_targets, candidates_of=candidates_of)
    return MadeArrays(known, *made, setting)
