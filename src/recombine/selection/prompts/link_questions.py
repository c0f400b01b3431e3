"""What is linked in each question of some: by a linker over a store's names, by the data itself, or by a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecombineError
from recombine.progress import tracked
from recombine.selection.prompts.kb_setting import GOLD, LINKER
from recombine.selection.prompts.linked import Linked, found_linked, gold_linked, read_linked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.store import Store
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.selection.prompts.kb_setting import KbSetting


def link_questions(dataset: Dataset, questions: Sequence[Example], setting: KbSetting) -> dict[str, Linked]:
    """What is linked in each question, by its id, as the setting says."""
    if setting.links == LINKER and setting.store is not None:
        return _by_linker(questions, setting.store)
    if setting.links == GOLD:
        return _by_data(dataset, questions, setting)
    return read_linked(setting.links, dataset, setting.profile)


def _by_linker(questions: Sequence[Example], store: Store) -> dict[str, Linked]:
    from recombine.kb.linking.gold_links import unbracketed
    from recombine.kb.linking.linker import Linker
    from recombine.kb.linking.store_forms import store_forms

    linker = Linker(store_forms(store))
    return {
        question.id: found_linked(tuple(linker.link(unbracketed(question.source))))
        for question in tracked(questions, "linking questions", total=len(questions))
        if question.source.strip()
    }


def _by_data(dataset: Dataset, questions: Sequence[Example], setting: KbSetting) -> dict[str, Linked]:
    """What the data says; an error where it says it of no question at all."""
    language = None if dataset.language is None else dataset.language.name
    linked: dict[str, Linked] = {}
    refused: RecombineError | None = None
    for question in questions:
        try:
            linked[question.id] = gold_linked(question, language, setting.profile)
        except RecombineError as error:
            refused = error
    if refused is not None and not linked:
        raise OptionError(
            f"{dataset.name}: no question says what it mentions; {refused.problem}", refused.remedy
        ) from refused
    return linked
