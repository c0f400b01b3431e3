"""Training the tagger: an averaged perceptron over whole questions, in an order drawn from the seed.

Updates are whole numbers and the average is taken once at the end, so that the same questions and seed give the same
bytes. Only train questions are to be given: the tagger learns the words of the questions that it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import OptionError
from recombine.kb.linking.tagger import TAGS, Tagger, best_tags, tags_of_spans
from recombine.kb.linking.tagger_features import ROWS, tagger_features
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.surface_forms import SurfaceForms

ROUNDS = 5


class TaggedQuestion(NamedTuple):
    """The folded words of a question, and its mentions: the first word of each, and the one after its last."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def train_tagger(
    questions: Sequence[TaggedQuestion], *, forms: SurfaceForms | None = None, rounds: int = ROUNDS, seed: int = 0
) -> Tagger:
    """A tagger of some questions; `forms` is the dictionary that it will be used with, or none."""
    usable = [question for question in questions if question.words]
    if not any(question.spans for question in usable):
        raise OptionError(
            "no question to train on has a mention", "give questions whose entities stand in them by name"
        )
    if rounds < 1:
        raise OptionError(f"{rounds} rounds of training", "give 1 or more")
    rng = make_generator(seed)
    seen = [tagger_features(question.words, forms) for question in usable]
    gold = [tags_of_spans(question.spans, len(question.words)) for question in usable]
    weights, late = np.zeros((ROWS, TAGS)), np.zeros((ROWS, TAGS))
    following, late_following = np.zeros((TAGS + 1, TAGS)), np.zeros((TAGS + 1, TAGS))
    step = 1
    for _ in range(rounds):
        for place in rng.permutation(len(usable)).tolist():
            rows, right = seen[place], gold[place]
            given = best_tags(weights[rows].sum(axis=1), following)
            if given != right:
                for tags, sign in ((right, 1.0), (given, -1.0)):
                    at = (rows.ravel(), np.repeat(tags, rows.shape[1]))
                    np.add.at(weights, at, sign)
                    np.add.at(late, at, sign * step)
                    pairs = ([TAGS, *tags[:-1]], tags)
                    np.add.at(following, pairs, sign)
                    np.add.at(late_following, pairs, sign * step)
            step += 1
    # The mean of the weights after every step is the last weights less what came late, in proportion.
    return Tagger(
        (weights - late / step).astype(np.float32),
        (following - late_following / step).astype(np.float32),
        forms is not None,
    )
