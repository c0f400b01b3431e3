"""Programs made equal: by what the language calls equal, or by their templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, ProgramError
from recombine.languages.suggest_language import suggest_language
from recombine.structures.programs.unread_programs import unread_programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.tree import Tree

TEXTS = "texts"
TEXTS_NOTE = "the targets have no known language, so whole targets are the templates; name one with --language"


def templates(dataset: Dataset) -> list[str]:
    """The template of each program: what is a detail of one example (names, numbers, strings) as placeholders.

    Without a known language a template is the program itself; whether that may be is for `template_kind` to say.
    """
    return _forms(dataset, lambda language, tree: language.anonymise(language.normalise(tree)))


def template_kind(dataset: Dataset) -> str | None:
    """None where the language makes templates, `texts` where whole targets of a data set with patterns stand for them.

    Nothing is known of the targets of other data without a language, and that their whole texts were meant as templates
    is hardly ever so: it is refused.
    """
    if dataset.language is not None:
        return None
    if dataset.patterns:
        return TEXTS
    raise no_templates(dataset.name, suggest_language(dataset.texts("target")))


def no_templates(data: str, remedy: str = "name it with --language, such as funql") -> OptionError:
    """The error of data by its name whose language is not known."""
    return OptionError(
        f"the language of {data}'s targets is not known, so they have no templates",
        f"{remedy}; else `split --by random --no-duplicates` keeps equal ones together",
    )


def equal_programs(dataset: Dataset) -> list[str]:
    """One text for all programs that the language calls equal; without a known language, the words of the program."""
    return _forms(dataset, lambda language, tree: language.normalise(tree))


def _forms(dataset: Dataset, change: Callable[[Language, Tree], Tree]) -> list[str]:
    language = dataset.language
    known: dict[str, str] = {}
    for example in dataset:
        if example.target in known:
            continue
        if language is None:
            known[example.target] = " ".join(example.target.split())
            continue
        try:
            known[example.target] = language.render(change(language, language.parse(example.target)))
        except ProgramError:
            raise unread_programs(dataset, language, dataset.name) from None
    return [known[example.target] for example in dataset]
