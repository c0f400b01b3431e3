"""Data and splits as the verbs take them.

Data may be given by name, by path, as a `Dataset`, or as plain records; splits by id, by path, or as a `Split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.errors import RecombineError, SplitError
from recombine.languages.known import LANGUAGES, find_language
from recombine.records.dataset import Dataset
from recombine.records.example import Example, iter_ids
from recombine.records.reading import Reading
from recombine.records.world import make_reference
from recombine.structures.definition import PROGRAM_STRUCTURES, STRUCTURES

if TYPE_CHECKING:
    from recombine.records.split import Split

Records = Iterable[tuple[str, str] | Mapping[str, Any] | Example]
Data = str | Path | Dataset | Records


def load(
    data: Data,
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
) -> Dataset:
    """A data set by name or path, or from plain records: pairs, dictionaries or examples.

    `language` names the language of the targets of a file or of records, such as `funql`; `source` and `target` name
    the fields to read, which are `source` and `target` by default.

    >>> load([("jump", "I_JUMP"), ("jump twice", "I_JUMP I_JUMP")])[1].source
    'jump twice'
    """
    if world is not None:
        loaded = load(data, source=source, target=target, language=language)
        return replace(loaded, world=make_reference(world))
    if isinstance(data, Dataset):
        return data
    if isinstance(data, str | Path):
        return catalogue.load(data, source=source, target=target, language=language)
    dataset = _from_records(list(data), source or "source", target or "target")
    return dataset if language is None else _in_language(dataset, language)


def load_for(
    data: Data,
    splits: Sequence[str | Path | Split],
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
) -> Dataset:
    """The data, read as its splits remember: language and fields that are not given are taken from them.

    What is given and what a split says must not differ. Data of the catalogue has fields of its own, whatever a split
    says that was made from a file of the same content.
    """
    if world is not None:
        loaded = load_for(data, splits, source=source, target=target, language=language)
        return replace(loaded, world=make_reference(world))
    if language is not None:
        find_language(language)
    given = data.reading if isinstance(data, Dataset) else Reading(language, source, target)
    wanted = given
    for split in splits:
        remembered = catalogue.remembered(split)
        if remembered is not None:
            named = isinstance(data, str | Path) and str(data) in catalogue.CATALOGUE
            remembered = replace(remembered, source=None, target=None) if named else remembered
            name = str(split) if isinstance(split, str | Path) else "the split"
            wanted = wanted.joined(remembered, name)
            if wanted.language != given.language and wanted.language not in LANGUAGES:
                raise SplitError(
                    f"{name}: was made for targets in the language {wanted.language!r}, which is not known here",
                    "give a Dataset that has this language, from Python",
                )
    if not isinstance(data, Dataset):
        return load(data, source=wanted.source, target=wanted.target, language=wanted.language)
    return data if wanted.language in (None, given.language) else _in_language(data, wanted.language)


def _in_language(dataset: Dataset, language: str) -> Dataset:
    """The data with the language of its targets named."""
    return replace(dataset, language=find_language(language), structures=dataset.structures or PROGRAM_STRUCTURES)


def load_split(data: Data, split: str | Path | Split) -> Split:
    """A split of the data: by id (`mcd1`, `scan/mcd1`), from a file of any known form, or checked as it is."""
    return catalogue.load_split(load_for(data, [split]), split)


def _from_records(records: list[Any], source: str, target: str) -> Dataset:
    if records and all(isinstance(record, Example) for record in records):
        examples = tuple(records)
    else:
        pairs = [_pair(record, number, source, target) for number, record in enumerate(records)]
        examples = tuple(Example(key, *pair) for key, pair in zip(iter_ids(pairs), pairs, strict=True))
    derived = bool(examples) and all(example.derivation is not None for example in examples)
    fields = (source, target) if any(isinstance(record, Mapping) for record in records) else None
    return Dataset("records", examples, {}, STRUCTURES if derived else "", fields=fields)


def _pair(record: Any, number: int, source: str, target: str) -> tuple[str, str]:
    texts = (record.get(source), record.get(target)) if isinstance(record, Mapping) else tuple(record)
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        raise RecombineError(
            f"record {number} is not a pair of texts",
            f"give (source, target) pairs or {{{source!r}: …, {target!r}: …}}",
        )
    return texts[0], texts[1]
