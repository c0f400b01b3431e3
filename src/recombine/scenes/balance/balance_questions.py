"""Questions chosen from a pool so that templates are equal and answers cannot be guessed (COVR, App. C, and further).

Of each template first come questions with a twin, which has the same words and another answer; both or neither. Then
come others. The paper evens out answers within a template; but its forms ask otherwise, as "at least 2" and "at most 2"
do, and a template can be even as a whole while each form is uneven, so that the words tell the answer. Here answers are
evened out within what a question shows: its form, the form with the size and depth of the sub-graph, the form with the
noun that it is about. Next is the question that costs least in all of them together. It costs the more, the more often
its answer was used there, and the fewer answers keep pace with it: what has few answers, or has run out of some, is
guessed more easily, so that less of it is taken. Of equal ones the answer that was used least in the template comes
first, then the size and depth that were used least.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.languages.scenes import parse_scenes
from recombine.scenes.balance.question_form import question_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.scenes.questions.question import Question

_Unit = tuple[int, ...]
"""The places of twins, or of one question."""


def equal_shares(names: Sequence[str], total: int, *, start: int = 0) -> dict[str, int]:
    """How many of each name, equal to ± 1; those that get one more are counted from `start` on, round and round.

    >>> equal_shares(["a", "b", "c"], 7), equal_shares(["a", "b", "c"], 7, start=1)
    ({'a': 3, 'b': 2, 'c': 2}, {'a': 2, 'b': 3, 'c': 2})
    """
    whole, over = divmod(total, len(names))
    more = {(start + each) % len(names) for each in range(over)}
    return {name: whole + (place in more) for place, name in enumerate(names)}


def balance_questions(questions: Sequence[Question], wanted: Mapping[str, int], *, seed: int) -> list[int]:
    """The places of chosen questions, in their order: so many of each template, fewer where there are no more."""
    by_template: defaultdict[str, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        by_template[question.template].append(place)
    generator = np.random.default_rng([seed, _PURPOSE])
    chosen: list[int] = []
    for template, number in wanted.items():
        chosen += _Choice(questions, by_template[template], generator).take(number)
    return sorted(chosen)


_PURPOSE = 0xBA1

_PACE = 6
"""An answer keeps pace that is behind by one in so many uses at most, and by one more where twins come at a time."""


class _Way(NamedTuple):
    """What a question shows."""

    form: str
    shape: tuple[int, int]
    noun: str

    @property
    def plain(self) -> str:
        """The form without its numbers."""
        return " ".join(word for word in self.form.split() if not word.isdecimal())


_SEEN: tuple[Callable[[_Way], object], ...] = (
    lambda way: way.form,
    lambda way: way.plain,
    lambda way: (way.plain, way.shape),
    lambda way: (way.plain, way.noun),
)
"""What answers are evened out in."""


class _Kind(NamedTuple):
    """What is the same for some units, as numbers: the answers of twins, or twice that of one question, and the way."""

    first: int
    second: int
    way: int


class _View:
    """Answers counted by one thing that a question shows, a row for each value of it."""

    def __init__(self, shown: Sequence[object], has: NDArray[np.bool_]) -> None:
        """`shown` says it of each way of asking; `has` says which answers the pool has for the way."""
        self._row = np.unique([str(each) for each in shown], return_inverse=True)[1]
        rows = [has[self._row == row].any(axis=0) for row in range(self._row.max() + 1)] if len(shown) else []
        self._has = rows
        self._used = np.zeros((len(rows), has.shape[1]), dtype=np.int64)

    def begin(self, keys: NDArray[np.int64], size: int) -> None:
        """Look at units of a size; `keys` are their kinds."""
        self._keys, self._size = keys, size
        self._costs = np.zeros(len(keys))
        self._kinds = [np.flatnonzero(self._row[keys[:, 2]] == row) for row in range(len(self._has))]
        for row in range(len(self._has)):
            self._renew(row)

    @property
    def costs(self) -> NDArray[np.float64]:
        """What one more unit of each kind costs."""
        return self._costs

    def used(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How often the two answers of each kind were used."""
        rows = self._row[keys[:, 2]]
        return self._used[rows, keys[:, 0]], self._used[rows, keys[:, 1]]

    def add(self, kind: _Kind) -> None:
        """Count a unit."""
        row = self._row[kind.way]
        for answer in kind[: self._size]:
            self._used[row, answer] += 1
        self._renew(row)

    def _renew(self, row: int) -> None:
        """Cost anew what is in a row; the others have not changed."""
        kinds = self._kinds[row]
        most = np.maximum(*self.used(self._keys[kinds]))
        counts = np.sort(self._used[row, self._has[row]])
        behind = most - (self._size - 1) - most // _PACE
        keep_pace = len(counts) - np.searchsorted(counts, behind)
        self._costs[kinds] = (most + 1) * (len(counts) ** 2 / keep_pace**4)


class _Choice:
    """The choice among the questions of one template."""

    def __init__(self, questions: Sequence[Question], places: Sequence[int], generator: np.random.Generator) -> None:
        self._generator = generator
        shown = _ways(questions, places)
        ways, answers = sorted(set(shown.values())), sorted({repr(questions[place].answer) for place in places})
        way_of, answer_of = ({each: at for at, each in enumerate(listed)} for listed in (ways, answers))
        self._way = {place: way_of[way] for place, way in shown.items()}
        self._answer = {place: answer_of[repr(questions[place].answer)] for place in places}
        has = np.zeros((len(ways), len(answers)), dtype=np.bool_)
        has[list(self._way.values()), [self._answer[place] for place in self._way]] = True
        self._views = [_View([seen(way) for way in ways], has) for seen in _SEEN]
        self._in_all = _View([""] * len(ways), has)
        self._shape = np.unique([str(way.shape) for way in ways], return_inverse=True)[1]
        self._shapes_used = np.zeros(len(ways), dtype=np.int64)
        self._twins, self._single = _units(questions, places)

    def take(self, number: int) -> list[int]:
        """So many places: pairs of twins as long as both fit, then single ones, then halves of pairs."""
        taken = self._from(self._twins, number, 2)
        taken += self._from(self._single, number - len(taken), 1)
        if len(taken) < number:
            used = set(taken)
            taken += self._from([(unit[0],) for unit in self._twins if unit[0] not in used], number - len(taken), 1)
        return taken

    def _from(self, units: Sequence[_Unit], number: int, size: int) -> list[int]:
        """Places of units of a size, the least used first, as many as fit."""
        kinds: defaultdict[_Kind, list[_Unit]] = defaultdict(list)
        for at in self._generator.permutation(len(units)):
            kinds[self._kind(units[at])].append(units[at])
        listed = sorted(kinds)
        keys = np.array(listed, dtype=np.int64).reshape(-1, 3)
        left = np.array([len(kinds[each]) for each in listed], dtype=np.int64)
        for view in (*self._views, self._in_all):
            view.begin(keys, size)
        taken: list[int] = []
        while len(taken) + size <= number and left.any():
            at = self._least(keys, np.flatnonzero(left))
            kind = listed[at]
            taken += kinds[kind].pop()
            left[at] -= 1
            for view in (*self._views, self._in_all):
                view.add(kind)
            self._shapes_used[self._shape[kind.way]] += size
        return taken

    def _kind(self, unit: _Unit) -> _Kind:
        answers = sorted(self._answer[place] for place in unit)
        return _Kind(answers[0], answers[-1], self._way[unit[0]])

    def _least(self, keys: NDArray[np.int64], left: NDArray[np.int64]) -> int:
        """The kind that comes next among those at some places: of each count the least, of equal ones any."""
        first, second = self._in_all.used(keys[left])
        best = np.arange(len(left))
        for counts in (
            np.sum([view.costs[left] for view in self._views], axis=0),
            first + second,
            np.maximum(first, second),
            self._shapes_used[self._shape[keys[left, 2]]],
        ):
            best = best[counts[best] == counts[best].min()]
        return int(left[best[self._generator.integers(len(best))]])


def _ways(questions: Sequence[Question], places: Iterable[int]) -> dict[int, _Way]:
    """The way of asking of each question; a program is read once."""
    known: dict[str, str] = {}
    ways: dict[int, _Way] = {}
    for place in places:
        question = questions[place]
        if question.target not in known:
            known[question.target] = question_form(parse_scenes(question.target))
        ways[place] = _Way(known[question.target], (question.size, question.depth), question.subgraph.name)
    return ways


def _units(questions: Sequence[Question], places: Iterable[int]) -> tuple[list[_Unit], list[_Unit]]:
    """Twins, whose both questions are there with different answers, and the rest one by one."""
    pairs: defaultdict[int, list[int]] = defaultdict(list)
    single: list[_Unit] = []
    for place in places:
        number = questions[place].pair
        if number is None:
            single.append((place,))
        else:
            pairs[number].append(place)
    twins: list[_Unit] = []
    for both in pairs.values():
        if len(both) == 2 and questions[both[0]].answer != questions[both[1]].answer:
            twins.append(tuple(both))
        else:
            single += [(place,) for place in both]
    return twins, single
