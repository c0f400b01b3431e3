"""Paths that answer a question: of so many hops from a topic to exactly its answers, the topic left out.

Each hop is along a relation or against it. The last hop is taken only along relations that every answer has, which
leaves few of the paths to be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.term import Term

    Ids = npt.NDArray[np.int32]


def iter_answer_paths(
    store: EmbeddedStore, topic: Term, answers: Iterable[Term], hops: int, *, never_back: bool = False
) -> Iterator[list[Step]]:
    """Every path of so many hops from a topic that leads to exactly the answers, the topic left out at its end.

    With `never_back`, the topic is left out on the way too: what lies behind it is not come to through it again.
    """
    start = store.id(topic)
    wanted = np.unique(store.ids(answers))
    if start < 0 or not len(wanted) or wanted[0] < 0 or hops < 1:
        return
    wanted = wanted[wanted != start]
    last = _steps_into(store, wanted)
    for steps, reached in _iter_paths(store, np.array([start], np.int32), hops, last, start if never_back else -1):
        if np.array_equal(reached[reached != start], wanted):
            yield [Step(store.term(~step if step < 0 else step), step < 0) for step in steps]


def _iter_paths(
    store: EmbeddedStore, begins: Ids, hops: int, last: list[int], left_out: int
) -> Iterator[tuple[tuple[int, ...], Ids]]:
    """The paths that lead on from some ids with what they lead to, in the order of their steps; `last` ends each."""
    for step in last if hops == 1 else _steps_from(store, begins):
        reached = store.follow_ids(begins, np.array([step], np.int64))
        if hops == 1:
            yield (step,), reached
            continue
        reached = reached[reached != left_out]
        for steps, ends in _iter_paths(store, reached, hops - 1, last, left_out):
            yield (step, *steps), ends


def _steps_from(store: EmbeddedStore, begins: Ids) -> list[int]:
    """The steps that lead anywhere from some ids: along relations first, then against them."""
    forward = sorted({relation for number in begins for relation in _relations(store, number, inverse=False)})
    backward = sorted({relation for number in begins for relation in _relations(store, number, inverse=True)})
    return [*forward, *(~relation for relation in backward)]


def _steps_into(store: EmbeddedStore, ends: Ids) -> list[int]:
    """The steps that lead to each of some ids."""
    if not len(ends):
        return []
    along = set.intersection(*(_relations(store, number, inverse=True) for number in ends))
    against = set.intersection(*(_relations(store, number, inverse=False) for number in ends))
    return [*sorted(along), *(~relation for relation in sorted(against))]


def _relations(store: EmbeddedStore, number: int, *, inverse: bool) -> set[int]:
    starts, edges = store.edges[2:] if inverse else store.edges[:2]
    return set((edges[starts[number] : starts[number + 1]] >> 32).tolist())
