"""How far answers can be guessed without a picture: by the template, its form, the number of images, the words.

Every line is judged on questions that it was not fitted on: it is fitted on train and judged on dev and test. Where
there is only one side, five parts by the words of the question stand for it, each guessed from the other four; twins
are then always in the same part. A key that was not seen in fitting is guessed as the template alone would. Of a
choice it is guessed which of the two it is. What is asked is the form of a question with its numbers, and the type or
relation that an open one names: a color is no material, so that there the line is a floor rather than a leak. Words are
weighed by logistic regression, one for each template.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from recombine.scenes.balance.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FOLDS = 5
TRAIN = "train"
TEMPLATE, OPERATOR, IMAGES, BOTH, ASKED, NOUN, WORDS = (
    "template alone",
    "with operator",
    "with number of images",
    "with both",
    "with what is asked",
    "and of what noun",
    "question words",
)


class Guessed(NamedTuple):
    """What a guess may be made by, and what is to be guessed."""

    source: str
    template: str
    operator: str
    form: str
    """What is asked, but for its objects."""
    images: int
    answer: str
    """The class of the answer."""
    noun: str = ""
    """What the question is about."""


class LeakLine(NamedTuple):
    """One line of the table: the share that is guessed right, of all questions and of those of each template."""

    by: str
    overall: float
    by_template: dict[str, float]


class Trial(NamedTuple):
    """Places of questions to fit on, and of those to judge."""

    fitted: list[int]
    judged: list[int]


_Key = tuple[object, ...]
_KEYS: dict[str, Callable[[Guessed], _Key]] = {
    TEMPLATE: lambda each: (each.template,),
    OPERATOR: lambda each: (each.template, each.operator),
    IMAGES: lambda each: (each.template, each.images),
    BOTH: lambda each: (each.template, each.operator, each.images),
    ASKED: lambda each: (each.template, each.form),
    NOUN: lambda each: (each.template, each.form, each.noun),
}


def leak_table(questions: Sequence[Guessed], parts: Sequence[str]) -> list[LeakLine]:
    """The seven lines of the table; `parts` are those of the questions."""
    trials = trials_of(questions, parts)
    lines = [
        _line(by, questions, [(trial, _by_key(questions, trial, key)) for trial in trials]) for by, key in _KEYS.items()
    ]
    return [*lines, _line(WORDS, questions, [(trial, _by_words(questions, trial)) for trial in trials])]


def trials_of(questions: Sequence[Guessed], parts: Sequence[str]) -> list[Trial]:
    """Train against the rest where there are both, else five folds."""
    train = [place for place, part in enumerate(parts) if part == TRAIN]
    rest = [place for place, part in enumerate(parts) if part != TRAIN]
    if train and rest:
        return [Trial(train, rest)]
    folds = [_fold(each.source) for each in questions]
    trials = [
        Trial(
            [place for place, other in enumerate(folds) if other != fold],
            [place for place, other in enumerate(folds) if other == fold],
        )
        for fold in range(FOLDS)
    ]
    return [trial for trial in trials if trial.fitted and trial.judged]


def _fold(source: str) -> int:
    return hashlib.blake2b(source.encode(), digest_size=2).digest()[0] % FOLDS


def _line(by: str, questions: Sequence[Guessed], guessed: Sequence[tuple[Trial, list[str]]]) -> LeakLine:
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for trial, guesses in guessed:
        for place, guess in zip(trial.judged, guesses, strict=True):
            each = questions[place]
            asked[each.template] += 1
            right[each.template] += guess == each.answer
    overall = right.total() / asked.total() if asked else 0.0
    return LeakLine(by, overall, {name: right[name] / asked[name] for name in sorted(asked)})


def _by_key(questions: Sequence[Guessed], trial: Trial, key: Callable[[Guessed], _Key]) -> list[str]:
    """The most frequent answer of the same key in fitting, or of the same template where the key is new."""
    seen: defaultdict[_Key, Counter[str]] = defaultdict(Counter)
    for place in trial.fitted:
        each = questions[place]
        for kept in {key(each), _KEYS[TEMPLATE](each)}:
            seen[kept][each.answer] += 1
    most = {kept: _most(answers) for kept, answers in seen.items()}
    judged = [questions[place] for place in trial.judged]
    return [most.get(key(each)) or most.get(_KEYS[TEMPLATE](each)) or "" for each in judged]


def _most(answers: Counter[str]) -> str:
    """The most frequent answer; of several the first by the alphabet."""
    best = max(answers.values())
    return min(answer for answer, count in answers.items() if count == best)


def _by_words(questions: Sequence[Guessed], trial: Trial) -> list[str]:
    guesses = dict.fromkeys(trial.judged, "")
    fitted, judged = _by_template(questions, trial.fitted), _by_template(questions, trial.judged)
    for template, places in judged.items():
        if template in fitted:
            sources = [questions[place].source for place in fitted[template]]
            model = WordModel(sources, [questions[place].answer for place in fitted[template]])
            guesses.update(zip(places, model.guess([questions[place].source for place in places]), strict=True))
    return list(guesses.values())


def _by_template(questions: Sequence[Guessed], places: Iterable[int]) -> dict[str, list[int]]:
    grouped: defaultdict[str, list[int]] = defaultdict(list)
    for place in places:
        grouped[questions[place].template].append(place)
    return grouped
