"""Questions chosen from a pool so that templates are equal and answers even (COVR, App. C).

Of each template first come questions with a twin, which has the same words and another answer; both or neither. Then
come others. Among those that may come next it is always one with the answer that was used least so far, and among these
one whose sub-graph has the size and depth that were used least.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
_MOST = 1 << 20
"""Above every count of a template, so that three counts fit into one number."""


class _Choice:
    """The choice among the questions of one template."""

    def __init__(self, questions: Sequence[Question], places: Sequence[int], generator: np.random.Generator) -> None:
        self._questions, self._generator = questions, generator
        answers = sorted({repr(questions[place].answer) for place in places})
        shapes = sorted({(questions[place].size, questions[place].depth) for place in places})
        self._answer = {answer: number for number, answer in enumerate(answers)}
        self._shape = {shape: number for number, shape in enumerate(shapes)}
        self._answers_used = np.zeros(len(answers), dtype=np.int64)
        self._shapes_used = np.zeros(len(shapes), dtype=np.int64)
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
        kinds: defaultdict[tuple[int, int, int], list[_Unit]] = defaultdict(list)
        for at in self._generator.permutation(len(units)):
            kinds[self._kind(units[at])].append(units[at])
        listed = sorted(kinds)
        keys = np.array(listed, dtype=np.int64).reshape(-1, 3)
        left = np.array([len(kinds[each]) for each in listed], dtype=np.int64)
        taken: list[int] = []
        while len(taken) + size <= number and left.any():
            at = self._least(keys, left)
            taken += kinds[listed[at]].pop()
            left[at] -= 1
            first, second, shape = listed[at]
            self._answers_used[first] += 1
            if size == 2:
                self._answers_used[second] += 1
            self._shapes_used[shape] += size
        return taken

    def _kind(self, unit: _Unit) -> tuple[int, int, int]:
        answers = sorted(self._answer[repr(self._questions[place].answer)] for place in unit)
        question = self._questions[unit[0]]
        return answers[0], answers[-1], self._shape[question.size, question.depth]

    def _least(self, keys: NDArray[np.int64], left: NDArray[np.int64]) -> int:
        """The kind with the answer that was used least, then whose other answer, then whose shape was."""
        first, second = self._answers_used[keys[:, 0]], self._answers_used[keys[:, 1]]
        rank = (np.minimum(first, second) * _MOST + np.maximum(first, second)) * _MOST + self._shapes_used[keys[:, 2]]
        rank[left == 0] = np.iinfo(np.int64).max
        best = np.flatnonzero(rank == rank.min())
        return int(best[self._generator.integers(len(best))])


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
