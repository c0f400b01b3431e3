"""SCAN: commands and actions (Lake & Baroni, 2018), made from the grammar file with every rule application.

The pairs need no download. The published splits are lists of line numbers of the published file `tasks.txt`, so they
are read together with it: each line is looked up by content, and all 20,910 must be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.data_directory import data_file, published_splits
from recombine.datasets.grammar_generator import GrammarGenerator
from recombine.errors import RecordError
from recombine.files import read_text
from recombine.grammars.find_grammar import packaged_names
from recombine.records.dataset import Pattern
from recombine.records.example import content_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.dataset import Dataset

NAME = "scan"
DESCRIPTION = "navigation commands and actions, generated with their derivations"
HASH = "97e82a7327340b34"

# What the pattern splits of the CFQ paper (§4) hold to be the same.
SOURCE_CLASSES = {
    **dict.fromkeys(("walk", "look", "run", "jump"), "VERB"),
    **dict.fromkeys(("left", "right"), "DIRECTION"),
    **dict.fromkeys(("around", "opposite"), "MANNER"),
    **dict.fromkeys(("twice", "thrice"), "TIMES"),
}
TARGET_CLASSES = {
    **dict.fromkeys(("I_TURN_LEFT", "I_TURN_RIGHT"), "TURN"),
    **dict.fromkeys(("I_WALK", "I_LOOK", "I_RUN", "I_JUMP"), "ACT"),
}


def source_pattern(source: str) -> str:
    """A command with verbs, directions, around/opposite and twice/thrice collapsed.

    >>> source_pattern("turn left twice and jump around right")
    'turn DIRECTION TIMES and VERB MANNER DIRECTION'
    """
    return " ".join(SOURCE_CLASSES.get(word, word) for word in source.split())


def target_pattern(target: str) -> str:
    """An action sequence with turns and other actions collapsed.

    >>> target_pattern("I_TURN_LEFT I_JUMP")
    'TURN ACT'
    """
    return " ".join(TARGET_CLASSES.get(word, word) for word in target.split())


PATTERNS = {"source": Pattern("scan-source", source_pattern), "target": Pattern("scan-target", target_pattern)}


@dataclass(frozen=True, kw_only=True)
class ScanGenerator(GrammarGenerator):
    """Makes the pairs of SCAN, all of them or some, in the order of the grammar."""

    grammar: str = NAME

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "navigation commands and actions"
    patterns: ClassVar[Mapping[str, Pattern]] = PATTERNS


def load() -> Dataset:
    """The data set, generated."""
    return ScanGenerator().generate(None, seed=0).dataset()


def inputs() -> list[Path]:
    """The grammar, which alone decides the pairs and their derivations."""
    return [packaged_names()[NAME]]


def split_files() -> dict[str, Path]:
    """The published splits that are on this machine, by name."""
    return published_splits("scan")


def line_order(dataset: Dataset) -> list[str]:
    """The ids of the data by line number of the published `tasks.txt`."""
    path = data_file("scan/tasks.txt.gz", "a SCAN split given by line numbers")
    ids = []
    for number, line in enumerate(read_text(path).splitlines()):
        head, marker, target = line.partition(" OUT: ")
        key = content_id(head.removeprefix("IN: "), target)
        if not marker or key not in dataset:
            raise RecordError(path, f"line {number + 1}", "not a pair of SCAN", "use the published tasks.txt")
        ids.append(key)
    if len(ids) != len(dataset) or len(set(ids)) != len(ids):
        raise RecordError(path, "the whole file", f"{len(ids)} lines, {len(set(ids))} distinct, of {len(dataset)}")
    return ids
