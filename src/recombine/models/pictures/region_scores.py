"""Which regions of its pictures a model takes for what the nouns of a question name, as lines for a page.

The score of a region is the greatest probability that a noun of the question means it, as the second stage learned it
and as the third left it: the words that a detector has names for are taken, in the singular and in the plural.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError
from recombine.models.pictures.arrays.words import split_words
from recombine.scenes.subgraphs.words import find_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.parser import PictureParser
    from recombine.records.example import Query
    from recombine.records.world import World

PIECE = 64
"""Pairs of question and picture that are read at a time."""
ABOUT = "Boxes: how likely a noun of the question means the region."


def region_scores(parser: PictureParser, queries: Sequence[Query], world: World | None) -> Iterator[dict[str, Any]]:
    """For each question `{"id", "about", "images": {NAME: [[x0, y0, x1, y1, score], …]}}`."""
    from recombine.models.pictures.answering import Answering

    if parser.words is None or parser.detector is None or not parser.settings.grounds:
        raise OptionError("the model did not learn what nouns mean", "give one of a variant that looks and is grounded")
    features, pictures, questions = parser.seen(queries, world)
    model = Answering(parser.settings, len(parser.words), len(parser.answers), parser.weights)
    nouns = noun_numbers(parser.detector.names, parser.words.listed)
    places = [(row, at) for row, shown in enumerate(questions.pictures.tolist()) for at in shown if at >= 0]
    images: list[dict[str, list[list[float]]]] = [{} for _ in queries]
    for start in range(0, len(places), PIECE):
        piece = places[start : start + PIECE]
        tokens = questions.tokens[[row for row, _ in piece]]
        at = np.array([place for _, place in piece], dtype=np.int32)
        means = model.grounding(features, pictures, tokens, at)  # (n, L, R)
        strongest = (means * np.isin(tokens, nouns)[:, :, None]).max(axis=1)
        for (row, place), scores in zip(piece, strongest, strict=True):
            number = int(pictures.regions[place])
            boxes = np.clip(pictures.boxes[place, :number], 0, 1)
            images[row][pictures.ids[place]] = [
                [*(round(float(edge), 3) for edge in box), round(float(score), 3)]
                for box, score in zip(boxes, scores[:number], strict=True)
            ]
    for query, found in zip(queries, images, strict=True):
        yield {"id": query.id, "about": ABOUT, "images": found}


def noun_numbers(names: Sequence[str], words: Sequence[str]) -> NDArray[np.int64]:
    """The numbers of the words that are nouns: the last word of each name, also in the plural.

    >>> noun_numbers(["fire truck", "mouse"], ["", "<unknown>", "mice", "red", "truck", "trucks"]).tolist()
    [2, 4, 5]
    """
    known = find_words()
    nouns = {split_words(form)[-1] for name in names for form in (name, known.plural(name))}
    return np.array([number for number, word in enumerate(words) if word in nouns], dtype=np.int64)
