"""How far answers can be guessed without a picture: by the template, the operator, the number of images, the words.

Every line is judged on questions that it was not fitted on: five parts by the words of the question, so that twins are
always in the same part, each guessed from the other four. A key that these four do not have is guessed as the template
alone would. Of a choice it is guessed which of the two it is. Words are weighed by logistic regression, one for each
template.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.balance.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FOLDS = 5
TEMPLATE, OPERATOR, IMAGES, BOTH, WORDS = (
    "template alone",
    "with operator",
    "with number of images",
    "with both",
    "question words",
)


class Guessed(NamedTuple):
    """What a guess may be made by, and what is to be guessed."""

    source: str
    template: str
    operator: str
    images: int
    answer: str
    """The class of the answer."""


class LeakLine(NamedTuple):
    """One line of the table: the share that is guessed right, of all questions and of those of each template."""

    by: str
    overall: float
    by_template: dict[str, float]


Guesses = list[str]
_Key = tuple[object, ...]
_KEYS: dict[str, Callable[[Guessed], _Key]] = {
    TEMPLATE: lambda each: (each.template,),
    OPERATOR: lambda each: (each.template, each.operator),
    IMAGES: lambda each: (each.template, each.images),
    BOTH: lambda each: (each.template, each.operator, each.images),
}


def leak_table(questions: Sequence[Guessed]) -> list[LeakLine]:
    """The five lines of the table."""
    folds = [_fold(each.source) for each in questions]
    lines = [_line(by, questions, _by_key(questions, folds, key)) for by, key in _KEYS.items()]
    return [*lines, _line(WORDS, questions, _by_words(questions, folds))]


def _fold(source: str) -> int:
    return hashlib.blake2b(source.encode(), digest_size=2).digest()[0] % FOLDS


def _line(by: str, questions: Sequence[Guessed], guesses: Guesses) -> LeakLine:
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for each, guess in zip(questions, guesses, strict=True):
        asked[each.template] += 1
        right[each.template] += guess == each.answer
    overall = sum(right.values()) / len(questions) if questions else 0.0
    return LeakLine(by, overall, {name: right[name] / asked[name] for name in sorted(asked)})


def _by_key(questions: Sequence[Guessed], folds: Sequence[int], key: Callable[[Guessed], _Key]) -> Guesses:
    """The most frequent answer of the same key in the other parts."""
    whole: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
    parts: defaultdict[tuple[int, _Key], Counter[str]] = defaultdict(Counter)
    for each, fold in zip(questions, folds, strict=True):
        for kept in {key(each), _KEYS[TEMPLATE](each)}:
            whole[kept][each.answer] += 1
            parts[fold, kept][each.answer] += 1
    known: dict[tuple[int, _Key], str | None] = {}

    def most(fold: int, kept: _Key) -> str | None:
        if (fold, kept) not in known:
            known[fold, kept] = _most(whole[kept], parts[fold, kept])
        return known[fold, kept]

    return [
        most(fold, key(each)) or most(fold, _KEYS[TEMPLATE](each)) or ""
        for each, fold in zip(questions, folds, strict=True)
    ]


def _most(whole: Counter[str], left_out: Counter[str]) -> str | None:
    """The most frequent answer without a part; of several the first by the alphabet; none where there is none."""
    left = [(count - left_out[answer], answer) for answer, count in whole.items()]
    best = max((count for count, _ in left), default=0)
    return min(answer for count, answer in left if count == best) if best else None


def _by_words(questions: Sequence[Guessed], folds: Sequence[int]) -> Guesses:
    guesses = [""] * len(questions)
    by_template: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(questions):
        by_template[each.template].append(place)
    for places in by_template.values():
        for fold in range(FOLDS):
            asked = [place for place in places if folds[place] == fold]
            fitted = [place for place in places if folds[place] != fold]
            if asked and fitted:
                model = WordModel(_sources(questions, fitted), [questions[place].answer for place in fitted])
                for place, guess in zip(asked, model.guess(_sources(questions, asked)), strict=True):
                    guesses[place] = guess
    return guesses


def _sources(questions: Sequence[Guessed], places: Iterable[int]) -> list[str]:
    return [questions[place].source for place in places]
