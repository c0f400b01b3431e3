"""Programs made equal: by what the language calls equal, or by their templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.structures.program_graphs import program_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.tree import Tree


def templates(dataset: Dataset) -> list[str]:
    """The template of each program: what is a detail of one example (names, numbers, strings) as placeholders.

    Without a known language a template is the program itself.
    """
    return _forms(dataset, lambda language, tree: language.anonymise(language.normalise(tree)))


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
        except ProgramError as error:
            raise program_error(dataset, example, error) from None
    return [known[example.target] for example in dataset]
