"""The level of each entry of a part: against train, against what each prompt showed, or as a field of the data says."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import orjson

from recombine.errors import InputFileError, OptionError, RecordError, UnknownNameError
from recombine.evaluation.groups.axes import LEVELS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


class EntryLevels(NamedTuple):
    """The level of each entry, and what they are told against, as a signature names it."""

    labels: list[str]
    against: str


def levels_against_train(
    dataset: Dataset, split: Split, ids: Sequence[str], definition: LevelDefinition
) -> EntryLevels:
    """The levels against the train part of a split; a program that cannot be read has none."""
    from recombine.measures.levels.level_features import level_features
    from recombine.measures.levels.levels import level_numbers

    if "train" not in split.parts or not split.part("train"):
        raise OptionError(
            "levels are told against train, and the split has no train part",
            "give what each prompt showed with --shown, or name the field that says levels with --levels",
        )
    train = split.positions(dataset, "train")
    numbers = level_numbers(level_features(dataset, definition), train, [dataset.index[key] for key in ids])
    return EntryLevels([UNKNOWN if number < 0 else LEVELS[number] for number in numbers], "train")


def levels_against_prompts(
    dataset: Dataset, split: Split, part: str, definition: LevelDefinition, path: Path | str
) -> EntryLevels:
    """The levels against the examples that each prompt showed, by a file of lines `{id, shown}`.

    An entry for which the file has no line is an error, since nothing says what was shown for it.
    """
    from recombine.measures.levels.level_features import level_features
    from recombine.measures.levels.shown_examples import read_shown_examples
    from recombine.measures.levels.split_levels import WITHOUT_PROMPT, split_levels

    shown = read_shown_examples(path, dataset)
    levels = split_levels(dataset, split, level_features(dataset, definition), shown=shown)[part]
    if levels.without_prompt:
        first = next(
            key for key, number in zip(split.part(part), levels.numbers, strict=True) if number == WITHOUT_PROMPT
        )
        raise InputFileError(
            f"{path}: has no line for {levels.without_prompt:,} of {len(levels.numbers):,} examples of {part}, the "
            f"first is {first}",
            "give each its line, with an empty list where nothing was shown",
        )
    digest = hashlib.blake2b(orjson.dumps(sorted(shown.items())), digest_size=4).hexdigest()
    return EntryLevels([levels.level(place) or UNKNOWN for place in range(len(levels.numbers))], f"shown@{digest}")


def levels_said(dataset: Dataset, ids: Sequence[str], field: str) -> EntryLevels:
    """The levels that a field of the data says, as GrailQA's `level` does."""
    labels = []
    for key in ids:
        example = dataset[key]
        said = {**example.tags, **example.context}
        if field not in said:
            raise UnknownNameError(f"field of example {key} of {dataset.name}", field, map(str, said))
        if said[field] not in LEVELS:
            raise RecordError(
                dataset.name,
                f"example {key}",
                f"the field {field!r} is {str(said[field])[:40]!r}, and no level",
                f"write one of {', '.join(LEVELS)}",
            )
        labels.append(str(said[field]))
    return EntryLevels(labels, f"field={field}")
