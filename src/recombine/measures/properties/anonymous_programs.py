"""Programs without their names and numbers, one text for all that are alike then.

Programs over scenes have names and numbers at known places, so two of them are alike when they are the same but for
what their leaves and the brackets of their operators say: one of each kind is anonymised, the others go by it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from recombine.languages.scenes import EVERYTHING, SCENES, operator_of
from recombine.structures.programs.templates import templates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.measures.properties.holds import Properties


def anonymous_programs(properties: Properties) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct anonymised programs in the order of their texts, and which of them each example has.

    >>> from recombine.measures.properties.holds import Properties
    >>> from recombine.workbench import load
    >>> texts = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( cat ) )"]
    >>> anonymous_programs(Properties(load([(text, text) for text in texts], language="scenes")))
    (['count ( find ( OBJECT ) )', 'exists ( find ( OBJECT ) )'], array([1, 1, 0]))
    """
    dataset = properties.dataset
    if dataset.language is not None and dataset.language.name != SCENES.name:
        names, which = np.unique(templates(dataset), return_inverse=True)
        return names.tolist(), which
    programs = properties.nodes.programs
    kinds = _kinds(properties)
    _, firsts = np.unique(programs.which, return_index=True)  # an example of each distinct program
    targets, texts = dataset.texts("target"), dict[int, str]()
    for program, kind in enumerate(kinds.tolist()):
        if kind not in texts:
            tree = SCENES.parse(targets[int(firsts[program])])
            texts[kind] = SCENES.render(SCENES.anonymise(tree))
    names, of_kind = np.unique([texts[kind] for kind in range(len(texts))], return_inverse=True)
    return names.tolist(), of_kind[kinds][programs.which]


def _kinds(properties: Properties) -> NDArray[np.int64]:
    """For each distinct program the number of its kind, in the order of their first programs."""
    trees = properties.nodes.programs.trees
    words = ["" if text == EVERYTHING else operator_of(text)[0] for text in trees.texts]
    known = {word: place for place, word in enumerate(dict.fromkeys(words))}
    labels = np.array([known[word] for word in words], np.int64)[trees.labels]
    everything = np.array([text == EVERYTHING for text in trees.texts], np.bool_)[trees.labels]
    labels[trees.children == 0] = -1
    labels[everything] = -2
    rows = np.stack((labels, trees.children), axis=1)
    kinds: dict[bytes, int] = {}
    starts = trees.starts.tolist()
    return np.array(
        [kinds.setdefault(rows[first:last].tobytes(), len(kinds)) for first, last in pairwise(starts)],
        np.int64,
    )
