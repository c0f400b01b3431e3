"""The candidates of one question: rows of numbers, each made a `Candidate` when it is asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, overload

from recombine.kb.candidates.candidate import Candidate
from recombine.kb.forms.form import COUNT, NONE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from recombine.kb.candidates.step_table import StepTable
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.store import Step
    from recombine.kb.term import Term


class Paths(NamedTuple):
    """The paths from an anchor: rows of first step, second step or -1, and class or -1; each counted too if asked."""

    anchor: Term
    rows: npt.NDArray[np.int32]
    counted: bool

    @property
    def functions(self) -> tuple[str, ...]:
        """What each row is made a candidate with."""
        return (NONE, COUNT) if self.counted else (NONE,)


class Values(NamedTuple):
    """The paths from the members of a class, by its id, to values; the rows begin with first and second step."""

    class_: int
    rows: npt.NDArray[np.int32]
    functions: tuple[str, ...]
    value: Term | None = None
    """The literal that values are compared with."""


class Candidates(Sequence[Candidate]):
    """All candidates of a question, in the order of anchors, then of paths; a count comes right after its path."""

    def __init__(
        self, store: EmbeddedStore, steps: StepTable, blocks: Sequence[Paths | Values], notes: Sequence[str] = ()
    ) -> None:
        self._store, self._steps = store, steps
        self.blocks = tuple(blocks)
        self.notes = tuple(notes)
        """What has no candidates, and why, a sentence each."""
        self._ends = list(accumulate(len(block.rows) * len(block.functions) for block in blocks))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, number: int) -> Candidate: ...
    @overload
    def __getitem__(self, number: slice) -> list[Candidate]: ...
    def __getitem__(self, number: int | slice) -> Candidate | list[Candidate]:
        """A candidate by its number, or some."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(f"candidate {number} of {len(self)}")
        block = bisect_right(self._ends, place)
        before = self._ends[block - 1] if block else 0
        return self._made(self.blocks[block], place - before)

    def _made(self, block: Paths | Values, place: int) -> Candidate:
        row, function = divmod(place, len(block.functions))
        first, second, class_, *_ = block.rows[row].tolist()
        steps: tuple[Step, ...] = (self._steps.step(first),)
        if second >= 0:
            steps = (*steps, self._steps.step(second))
        if isinstance(block, Values):
            name = self._store.term(block.class_)
            return Candidate(steps, class_=name, function=block.functions[function], value=block.value)
        name_or_none = None if class_ < 0 else self._store.term(class_)
        return Candidate(steps, block.anchor, class_=name_or_none, function=block.functions[function])

    def __repr__(self) -> str:
        return f"<Candidates: {len(self):,}>"
