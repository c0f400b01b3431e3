"""What the tagger sees of each word of a question: the word, those around it, its ends, and what the dictionary says.

Words are folded, so that capital letters, which MetaQA has in its topics and GrailQA has nowhere, give nothing away. A
feature is a text whose CRC gives its row in a table of fixed size: rows do not depend on the order of training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from recombine.kb.linking.function_words import function_words
from recombine.kb.linking.mentions import longest_mentions
from recombine.kb.linking.words import is_symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from recombine.kb.linking.surface_forms import SurfaceForms

ROWS = 1 << 18
_EDGE = "|"


def tagger_features(words: Sequence[str], forms: SurfaceForms | None) -> npt.NDArray[np.int32]:
    """The rows of the features of each word; `forms` is the dictionary, where the tagger has one."""
    marks = _marks(words, forms)
    kinds = [_kind(word) for word in words]
    at = [_EDGE, _EDGE, *words, _EDGE, _EDGE]
    rows = []
    for place, word in enumerate(words):
        before, after = at[place + 1], at[place + 3]
        texts = (
            "bias",
            f"w {word}",
            f"b {before}",
            f"bb {at[place]} {before}",
            f"a {after}",
            f"aa {after} {at[place + 4]}",
            f"bw {before} {word}",
            f"wa {word} {after}",
            f"p {word[:3]}",
            f"s {word[-3:]}",
            f"k {kinds[place]}",
            f"kk {kinds[place - 1] if place else _EDGE} {kinds[place]}",
            f"m {marks[place]}",
            f"mb {marks[place]} {before}",
            f"ma {marks[place]} {after}",
            f"mw {marks[place]} {word}",
            f"mk {marks[place]} {kinds[place]}",
        )
        rows.append([crc32(text.encode()) % ROWS for text in texts])
    return np.array(rows, np.int32)


def _kind(word: str) -> str:
    if word in function_words():
        return "function"
    if is_symbol(word):
        return "symbol"
    return "digits" if word.isdigit() else f"word {min(len(word), 6)}"


def _marks(words: Sequence[str], forms: SurfaceForms | None) -> list[str]:
    """What the dictionary says of each word: that it is in no surface form, or begins or goes on one of some length."""
    marks = ["none"] * len(words)
    for first, last, _ in longest_mentions(forms, words) if forms is not None else ():
        length = min(last - first, 4)
        marks[first:last] = [f"first {length}", *[f"more {length}"] * (last - first - 1)]
    return marks
