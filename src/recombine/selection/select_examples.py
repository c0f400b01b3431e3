"""Examples of a data set by one of the methods, with ids, reasons and a signature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, ProgramError, UnknownNameError
from recombine.languages.suggest_language import suggest_language
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.selection.select_coverage import CoverageSelector
from recombine.selection.select_random import select_random
from recombine.selection.select_structures import select_structures
from recombine.selection.select_templates import select_templates
from recombine.selection.selected import Selected, check_number
from recombine.structures.definition import Structures, local_definition
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import dataset_arrays, read_arrays
from recombine.structures.programs.templates import TEXTS_NOTE, template_kind, templates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset

METHODS = {"local-structure": "local:2", "coverage": "local:4", "random": "", "template": ""}
"""The methods, and the structures that each uses where none are named."""


@dataclass(frozen=True)
class Selection:
    """The ids of selected examples in the order they were taken, each with its reason."""

    ids: tuple[str, ...]
    reasons: tuple[str, ...]
    note: str
    signature: Signature

    def to_record(self) -> dict[str, Any]:
        """As the command line prints it."""
        return {
            "ids": list(self.ids),
            "reasons": list(self.reasons),
            "note": self.note,
            "signature": str(self.signature),
        }


@dataclass(frozen=True)
class Prompts:
    """A selection for each program, and the programs that cannot be read with what is wrong with them."""

    selections: Mapping[str, Selection]
    unparsable: Mapping[str, str]


def select_examples(
    dataset: Dataset,
    number: int,
    *,
    by: str = "local-structure",
    structures: str | Structures | None = None,
    similarity: str = "contexts",
    tokenisation: str = "tree",
    seed: int = 0,
) -> Selection:
    """`number` examples of a data set to train on.

    >>> from recombine.workbench import load
    >>> texts = ["count ( dog )", "count ( cat )", "exists ( dog )", "exists ( cat )"]
    >>> data = load([(text, text) for text in texts], language="functional")
    >>> selected = select_examples(data, 2, by="local-structure")
    >>> len({data[key].target.split()[0] for key in selected.ids})
    2
    """
    if by not in METHODS:
        raise UnknownNameError("way to select", by, METHODS)
    check_number(number, len(dataset))
    named = structures or METHODS[by]
    options: dict[str, object] = {}
    if by == "random":
        selected = select_random(len(dataset), number, seed=seed)
    elif by == "template":
        options = {"templates": template_kind(dataset)}
        selected = select_templates(templates(dataset), number, seed=seed)
        if options["templates"]:
            selected = replace(selected, note=TEXTS_NOTE)
    elif by == "local-structure":
        arrays = dataset_arrays(dataset, tokenisation=tokenisation)
        matrix = local_structures(arrays, named)
        selected = select_structures(matrix, number, similarity=similarity, seed=seed)
        options = {"structures": matrix.definition, "similarity": similarity, "tokenisation": tokenisation}
    else:
        raise OptionError("coverage is of a program", "name the programs to cover; see `select_prompts`")
    return _selection(dataset, by, number, seed, selected, options)


def select_prompts(
    dataset: Dataset,
    programs: Mapping[str, str],
    number: int,
    *,
    structures: str | Structures | None = None,
    tokenisation: str = "tree",
    seed: int = 0,
) -> Prompts:
    """`number` examples for each program that cover its structures; programs are by id, which need not be in the data.

    Where an id is in the data, that example is not selected for its own program.
    """
    if not programs:
        raise OptionError("there are no programs to cover", "give at least one")
    check_number(number, len(dataset))
    definition = local_definition(structures or METHODS["coverage"])
    asked, unparsable = _readable(dataset, programs)
    if not asked:
        return Prompts({}, unparsable)
    arrays = dataset_arrays(dataset, tokenisation=tokenisation)
    arrays = arrays.joined(read_arrays(asked, dataset.language, data="the programs", tokenisation=tokenisation))
    selector = CoverageSelector(local_structures(arrays, definition), templates(dataset))
    options: dict[str, object] = {"structures": definition, "tokenisation": tokenisation}
    selections = {}
    for place, example in enumerate(asked):
        own = [dataset.index[example.id]] if example.id in dataset else []
        selected = selector.select(len(dataset) + place, number, leave_out=own, seed=seed)
        selections[example.id] = _selection(dataset, "coverage", number, seed, selected, options)
    return Prompts(selections, unparsable)


def _readable(dataset: Dataset, programs: Mapping[str, str]) -> tuple[list[Example], dict[str, str]]:
    """The programs that the language reads, and what is wrong with the others."""
    if dataset.language is None:
        raise OptionError(
            f"the language of {dataset.name}'s targets is not known", suggest_language(dataset.texts("target"))
        )
    asked: list[Example] = []
    unparsable: dict[str, str] = {}
    for key, text in programs.items():
        try:
            dataset.language.parse(text)
            asked.append(Example(key, "", text))
        except ProgramError as error:
            unparsable[key] = str(error)
    return asked, unparsable


def _selection(
    dataset: Dataset, by: str, number: int, seed: int, selected: Selected, options: Mapping[str, object]
) -> Selection:
    ids = tuple(map(dataset.ids.__getitem__, selected.rows))
    signature = Signature.of(data=dataset, by=by, k=number, **options, seed=seed)
    return Selection(ids, selected.reasons, selected.note, signature)


def part_of(dataset: Dataset, ids: Sequence[str]) -> Dataset:
    """The examples of these ids as a data set of their own, each once, in the order of the list."""
    return dataset.restricted(ids)
