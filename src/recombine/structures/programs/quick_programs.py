"""Many programs of calls read at once: words are split and interned together, and compiled code finds the tree.

For languages whose tree is that of the calls, and which judge a program node by node: a name with its arguments. Every
program with a node that no earlier one has (its label and those of its children) is also parsed by the language, which
refuses what is wrong; where the two trees differ, nothing read here is used. A program that is not written in plain
words between single blanks and brackets is left to the language altogether.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import ProgramError
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.tree import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.languages.language import Language

LANGUAGES = ("covr", "functional", "scenes")
"""The languages that judge node by node, and whose trees are those of the calls."""
_MARKS = {"(": 1, ")": 2, ",": 3}
_STRANGE = 4
_TEXTS = 1 << 13


def quick_read(texts: Sequence[str], language: Language) -> tuple[FlatTrees, NDArray[np.bool_]] | None:
    """The trees of programs, and which were read; none where the language does not read them in the same way.

    A program that was not read has no nodes. Where the language refuses a program that was read, there is no result.

    >>> from recombine.languages.functional import FUNCTIONAL
    >>> flat, read = quick_read(["count ( find ( dog ) )", "count ("], FUNCTIONAL)
    >>> [flat.texts[label] for label in flat.labels], flat.children.tolist(), read.tolist()
    (['count', 'find', 'dog'], [1, 1, 0], [True, False])
    """
    from recombine.structures.programs.local_structure_kernels import link_nodes
    from recombine.structures.programs.quick_kernels import first_with_news, read_words

    if language.name not in LANGUAGES:
        return None
    places, numbers, interned = _interned(texts)
    kinds = np.array([_kind(word) for word in interned], np.int64)
    node_start, labels, children, read, befores, lasts = read_words(places, numbers, kinds, MAX_DEPTH)
    parents, _ = link_nodes(node_start, children)
    used, labels = np.unique(labels, return_inverse=True)  # a run that another one goes on from need be no label
    runs = _runs(befores, lasts, list(interned))
    flat = FlatTrees(node_start, labels.astype(np.int64), children, [runs[int(run)] for run in used])
    news = np.flatnonzero(first_with_news(node_start, labels, children, parents))
    return (flat, read) if _confirmed(texts, language, flat, news) else None


def _interned(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[str, int]]:
    """Where the words of each text begin, the numbers of all words, and the words by number.

    Words are held for some texts at a time: each is a text of its own, and takes more than all that is made of it.
    """
    interned: dict[str, int] = {}
    pieces: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    lengths: list[int] = []
    for start in range(0, len(texts), _TEXTS):
        words: list[str] = []
        for text in texts[start : start + _TEXTS]:
            divided = text.split()
            words += divided
            lengths.append(len(divided))
        for word in dict.fromkeys(words):
            interned.setdefault(word, len(interned))
        pieces.append(np.fromiter(map(interned.__getitem__, words), np.int64, len(words)))
    places = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return places, np.concatenate(pieces), interned


def _kind(word: str) -> int:
    if word in _MARKS:
        return _MARKS[word]
    return _STRANGE if any(mark in word for mark in '(),"') else 0


def _runs(befores: NDArray[np.int64], lasts: NDArray[np.int64], words: list[str]) -> list[str]:
    """The label of every run: the words with a blank between them, an index and empty brackets without."""
    texts = [""]
    for before, last in zip(befores.tolist()[1:], lasts.tolist()[1:], strict=True):
        word, text = words[last], texts[before]
        tight = word in ("[", "]", "(", ")") or text.endswith("[")
        texts.append(word if not text else f"{text}{word}" if tight else f"{text} {word}")
    return texts


def _confirmed(texts: Sequence[str], language: Language, flat: FlatTrees, programs: NDArray[np.int64]) -> bool:
    """Whether the language reads these programs in the same way."""
    for program in programs.tolist():
        try:
            nodes = list(language.parse(texts[program]).iter_nodes())
        except ProgramError:
            return False
        part = slice(int(flat.starts[program]), int(flat.starts[program + 1]))
        labels = [flat.texts[label] for label in flat.labels[part].tolist()]
        if labels != [node.label for node in nodes]:
            return False
        if flat.children[part].tolist() != [len(node.children) for node in nodes]:
            return False
    return True
