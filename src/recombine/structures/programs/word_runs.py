"""Runs of consecutive words of the target, or of symbols of the program, as compounds.

`words:3-6` are runs of three to six words of the target's text, which needs no language: a word is a quoted text, a
bracket, a comma, a run of comparison signs, or whatever else stands between blanks and these. `sequence:3-6` are runs
of symbols of the program's tree in program order, with no brackets, so that they do not depend on spelling, and
literals and names can be counted by their kinds.

Runs of one length are numbered from those one shorter, so time and memory grow with the texts and not with the lengths.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from recombine.structures.compound_definition import CompoundDefinition, compound_notation
from recombine.structures.kinds import StructureKind
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.tree_parts import counted_parts, interned_pairs
from recombine.structures.programs.typed_programs import programs_as_counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.features import Features
    from recombine.structures.read_once import ReadOnce

_WORD = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[()\[\]{},;]|[<>!=]+|[^\s()\[\]{},;<>!='"]+|['"]""")


def target_words(text: str) -> list[str]:
    """Quoted texts, brackets, commas and comparison signs, and what stands between these and blanks.

    >>> target_words("answer(river(loc_2('new york')))")
    ['answer', '(', 'river', '(', 'loc_2', '(', "'new york'", ')', ')', ')']
    """
    return _WORD.findall(text)


def runs(
    symbols: NDArray[np.int64],
    starts: NDArray[np.int64],
    names: Sequence[str],
    which: NDArray[np.int64],
    definition: CompoundDefinition,
) -> Features:
    """The runs of consecutive symbols of each text, as the definition says; which text each example has is `which`.

    >>> jump = np.array([0, 1, 0, 1])
    >>> runs(jump, np.array([0, 4]), ["a", "b"], np.array([0]), CompoundDefinition(2, 2, kind="words")).row(0)
    {'a b': 2.0, 'b a': 1.0}
    """
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    left = np.repeat(starts[1:], np.diff(starts)) - np.arange(len(symbols))  # symbols from each place to the end
    codes, texts = symbols, list(names)
    at = np.arange(len(symbols))  # where the runs of the present length begin
    all_owners, all_parts, all_texts = [], [], []
    known = 0
    for size in range(1, definition.high + 1):
        if size > 1:
            longer = left[at] >= size
            at, codes = at[longer], codes[longer]
            codes, firsts, lasts = interned_pairs(codes, symbols[at + size - 1], max(len(names), 1))
            texts = [
                f"{texts[first]} {names[last]}" for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
            ]
        if size >= definition.low:
            all_owners.append(owners[at])
            all_parts.append(codes + known)
            all_texts += texts
            known += len(texts)
    found = counted_parts(np.concatenate(all_owners), np.concatenate(all_parts), all_texts, which, definition.value)
    return found if definition.top is None else found.keep_top(definition.top)


def _of_words(read: ReadOnce, definition: CompoundDefinition) -> Features:
    """The runs of words of all targets; each distinct target is divided once."""
    place: dict[str, int] = {}
    which = np.array([place.setdefault(target, len(place)) for target in read.dataset.texts("target")], np.int64)
    interned: dict[str, int] = {}
    divided = [[interned.setdefault(word, len(interned)) for word in target_words(target)] for target in place]
    symbols = np.array([word for words in divided for word in words], np.int64)
    starts = np.concatenate(([0], np.cumsum([len(words) for words in divided]))).astype(np.int64)
    return runs(symbols, starts, list(interned), which, definition)


def _of_programs(read: ReadOnce, definition: CompoundDefinition) -> Features:
    """The runs of symbols of all programs."""
    programs = programs_as_counted(read, definition)
    return runs(programs.labels, programs.trees.starts, programs.names, programs.which, definition)


WORDS = StructureKind("words", ("compounds",), compound_notation("words"), _of_words, atoms="tokens,presence")
SEQUENCE = StructureKind(
    "sequence",
    ("compounds",),
    compound_notation("sequence", typed=True),
    _of_programs,
    program_graphs,
    atoms="symbols,presence",
)
