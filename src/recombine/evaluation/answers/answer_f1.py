"""Answer F1: the answers of predicted logical forms against those of the gold ones, both executed.

Nothing is taken from a match of programs: every form is executed, and a literal counts as the same answer as another of
equal value. A prediction without answers that can be compared counts 0, and why is counted: malformed (no program),
unsupported (nothing executes it), refused (the store does not take its query), late (no answer in time), abstained (no
output). An answer that fails otherwise, such as one that an endpoint cuts, is raised, and so is every gold form that
gives none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import (
    FormError,
    LateAnswerError,
    NotReadError,
    OptionError,
    ProgramError,
    RecombineError,
    RecordError,
    RefusedQueryError,
)
from recombine.evaluation.statistics.intervals import wilson
from recombine.evaluation.statistics.mean_interval import mean_interval
from recombine.kb.forms.form_of_text import NOTATION_OF, form_of_text
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

    Answers = frozenset[Hashable]

EXECUTED, PUBLISHED = "executed", "published"
GOLD = (EXECUTED, PUBLISHED)
ANSWERS = "answers"
"""The tag of published answers."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class AnswerOutcome(StrEnum):
    """What became of a prediction."""

    EXACT = "exact"
    DIFFERENT = "different"
    MALFORMED = "malformed"
    UNSUPPORTED = "unsupported"
    REFUSED = "refused"
    LATE = "late"
    ABSTAINED = "abstained"


ANSWERED = (AnswerOutcome.EXACT, AnswerOutcome.DIFFERENT)


class AnswerScore(NamedTuple):
    """One prediction: what became of it, its precision, recall and F1, and the sizes of both sets of answers."""

    outcome: AnswerOutcome
    precision: float
    recall: float
    f1: float
    predicted: int
    gold: int
    reason: str = ""
    """Why there are no answers."""


@dataclass(frozen=True)
class AnswerScores:
    """The scores of predictions by id, repeats of an id once in `of` and as often as asked in the means."""

    ids: tuple[str, ...]
    of: Mapping[str, AnswerScore]
    gold: str
    """Whether gold answers were `executed` or `published`."""

    @property
    def n(self) -> int:
        """The number of predictions asked for."""
        return len(self.ids)

    @cached_property
    def f1(self) -> float:
        """The mean F1; what has no answers counts 0."""
        return self._total / self.n

    @cached_property
    def _total(self) -> float:
        return sum(self.of[key].f1 for key in self.ids)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the mean F1."""
        return mean_interval(min(self._total, self.n), self.n)

    @property
    def precision(self) -> float:
        """The mean precision."""
        return sum(self.of[key].precision for key in self.ids) / self.n

    @property
    def recall(self) -> float:
        """The mean recall."""
        return sum(self.of[key].recall for key in self.ids) / self.n

    @property
    def exact(self) -> float:
        """The share with exactly the gold answers."""
        return self.count(AnswerOutcome.EXACT) / self.n

    @property
    def exact_interval(self) -> tuple[float, float]:
        """The interval of that share."""
        return wilson(self.count(AnswerOutcome.EXACT), self.n)

    def count(self, outcome: AnswerOutcome) -> int:
        """How many predictions became so."""
        return sum(self.of[key].outcome is outcome for key in self.ids)

    @property
    def empty_gold(self) -> int:
        """How many have no gold answer at all."""
        return sum(self.of[key].gold == 0 for key in self.ids)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "f1": self.f1,
            "n": self.n,
            "interval": list(self.interval),
            "precision": self.precision,
            "recall": self.recall,
            "exact": self.exact,
            "exact_interval": list(self.exact_interval),
            "gold": self.gold,
            "empty_gold": self.empty_gold,
            **{outcome.value: self.count(outcome) for outcome in AnswerOutcome if outcome not in ANSWERED},
        }

    def __str__(self) -> str:
        low, high = self.interval
        told = [
            f"{count} {outcome.value}"
            for outcome in AnswerOutcome
            if outcome not in ANSWERED and (count := self.count(outcome))
        ]
        return f"answer F1 {self.f1:.3f} [{low:.3f}, {high:.3f}] of {self.n}, {100 * self.exact:.1f} % exact" + "".join(
            f", {each}" for each in told
        )


def answer_scores(
    dataset: Dataset, ids: Sequence[str], outputs: Mapping[str, str], store: Store, *, gold: str = EXECUTED
) -> AnswerScores:
    """The answers of the outputs for some ids against the gold ones, over a store.

    Gold answers are those of the gold form, executed too, or the `published` ones that the tag `answers` has. The
    notation is that of the data's language; where the data has none of the three, the text of a form tells it.
    """
    if gold not in GOLD:
        raise OptionError(f"gold answers that are {gold!r}", f"give one of {', '.join(GOLD)}")
    if not ids:
        raise OptionError("there is nothing to score", "give at least one id")
    language = None if dataset.language is None else dataset.language.name
    executed = _Executed(store, NOTATION_OF.get(language or ""))
    of: dict[str, AnswerScore] = {}
    for key in ids:
        if key not in of:
            example = dataset[key]
            right = (
                _published(dataset, example, store.profile) if gold == PUBLISHED else _gold(dataset, example, executed)
            )
            of[key] = _score(outputs.get(key, ""), right, executed, published=gold == PUBLISHED)
    return AnswerScores(tuple(ids), of, gold)


class _Executed:
    """Answers of texts, each executed once."""

    def __init__(self, store: Store, notation: str | None) -> None:
        self._store, self._notation, self.profile = store, notation, store.profile
        self._answers: dict[str, list[Term] | RecombineError] = {}

    def answers(self, text: str) -> list[Term]:
        """The answers of a form; its error again where it has none."""
        if text not in self._answers:
            try:
                form = form_of_text(text, self.profile, self._notation)
                self._answers[text] = self._store.execute(form)
            except (ProgramError, FormError, RefusedQueryError, LateAnswerError) as error:
                self._answers[text] = error
        found = self._answers[text]
        if isinstance(found, RecombineError):
            raise found.with_traceback(None)
        return found


_OUTCOMES: tuple[tuple[type[RecombineError], AnswerOutcome], ...] = (
    (NotReadError, AnswerOutcome.UNSUPPORTED),
    (ProgramError, AnswerOutcome.MALFORMED),
    (FormError, AnswerOutcome.UNSUPPORTED),
    (RefusedQueryError, AnswerOutcome.REFUSED),
    (LateAnswerError, AnswerOutcome.LATE),
)


def _score(output: str, right: Answers, executed: _Executed, *, published: bool) -> AnswerScore:
    if not output.strip():
        return AnswerScore(AnswerOutcome.ABSTAINED, 0.0, 0.0, 0.0, 0, len(right))
    try:
        terms = executed.answers(output)
    except (ProgramError, FormError, RefusedQueryError, LateAnswerError) as error:
        outcome = next(outcome for kind, outcome in _OUTCOMES if isinstance(error, kind))
        return AnswerScore(outcome, 0.0, 0.0, 0.0, 0, len(right), str(error))
    if published:
        found: Answers = frozenset(published_key(term.text, executed.profile) for term in terms)
    else:
        found = frozenset(map(value_key, terms))
    precision, recall, f1 = set_f1(found, right)
    outcome = AnswerOutcome.EXACT if found == right else AnswerOutcome.DIFFERENT
    return AnswerScore(outcome, precision, recall, f1, len(found), len(right))


def set_f1(found: Answers, right: Answers) -> tuple[float, float, float]:
    """Precision, recall and F1 of a set of answers; two empty sets are the same.

    >>> set_f1(frozenset("abc"), frozenset("bcde"))[:2], set_f1(frozenset(), frozenset())
    ((0.6666666666666666, 0.5), (1.0, 1.0, 1.0))
    """
    if not found and not right:
        return 1.0, 1.0, 1.0
    common = len(found & right)
    if not common:
        return 0.0, 0.0, 0.0
    return common / len(found), common / len(right), 2 * common / (len(found) + len(right))


def value_key(term: Term) -> Hashable:
    """What an answer is compared by: the value of a literal that has one, else the term."""
    if term.kind == LITERAL:
        from recombine.kb.embedded.literal_columns import TEXT, literal_value

        value = literal_value(term.text, term.datatype, term.language)
        if value is not None and value.family != TEXT:
            return value
    return term.key


def published_key(text: str, profile: Profile) -> Hashable:
    """An answer as releases write it: a name or IRI, or the text of a value; numbers by what they are."""
    if text.startswith(("http://", "https://")):
        return profile.shorten(text).text
    return float(text) if _NUMBER.fullmatch(text) else text


def _gold(dataset: Dataset, example: Example, executed: _Executed) -> Answers:
    try:
        return frozenset(map(value_key, executed.answers(example.target)))
    except RecombineError as error:
        problem = f"the gold form gives no answers: {error.problem}"
        raise RecordError(dataset.name, f"example {example.id}", problem, error.remedy) from error


def _published(dataset: Dataset, example: Example, profile: Profile) -> Answers:
    answers: Any = example.tags.get(ANSWERS)
    if answers is None or isinstance(answers, str | int | float):
        problem = f"has no tag {ANSWERS!r} with a list of published answers"
        raise RecordError(dataset.name, f"example {example.id}", problem, "have gold forms executed")
    return frozenset(published_key(str(answer), profile) for answer in answers)
