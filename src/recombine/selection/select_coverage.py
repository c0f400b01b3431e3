"""Examples for a prompt that together show the structures of a program, the one asked for or a predicted one.

Structures are taken in turn, larger ones first. For each that nothing taken so far shows, the example that shows most
of what is still missing is taken, among those that hold it; no template comes twice. When all that can be shown is
shown, and there is room, this starts again with other examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.seeds import make_generator
from recombine.selection.selected import Selected, check_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.local_structures import LocalStructures


@dataclass(frozen=True)
class CoverageSelector:
    """A pool to select from: the first rows of a matrix of structures, with the templates of these rows."""

    structures: LocalStructures
    templates: Sequence[str]

    def __post_init__(self) -> None:
        if not 0 < len(self.templates) <= self.structures.shape[0]:
            raise OptionError(
                f"there are {len(self.templates)} templates and {self.structures.shape[0]} programs",
                "give one template for each example of the pool",
            )

    def select(self, program: int, number: int, *, leave_out: Sequence[int] = (), seed: int = 0) -> Selected:
        """`number` rows for the program of this row, which may be in the pool; it and `leave_out` are not taken."""
        pool = len(self.templates)
        check_number(number, pool)
        generator = make_generator(seed)
        rank = generator.permutation(pool)  # which comes first among equals
        wanted = self.structures.row(program).astype(np.int64)
        # Larger ones first; among those of one size the order of columns, which is that of their symbols.
        wanted = wanted[np.lexsort((wanted, -self.structures.sizes[wanted]))]
        barred = np.zeros(pool, bool)
        barred[[row for row in (*leave_out, program) if row < pool]] = True
        holders = {int(column): self._holders(int(column)) for column in wanted}
        taken: list[tuple[int, str]] = []
        while len(taken) < number:
            before = len(taken)
            self._round(holders, barred, rank, number, taken)
            if len(taken) == before:
                break
        missing = [self.structures.name(column) for column, holding in holders.items() if not len(holding)]
        rows, reasons = tuple(row for row, _ in taken), tuple(reason for _, reason in taken)
        return Selected(rows, reasons, _note(number, len(rows), missing))

    def _holders(self, column: int) -> NDArray[np.int32]:
        rows = self.structures.programs_with(column)
        return rows[: int(np.searchsorted(rows, len(self.templates)))]

    @cached_property
    def _of_template(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for row, name in enumerate(self.templates):
            rows.setdefault(name, []).append(row)
        return rows

    def _round(
        self,
        holders: dict[int, NDArray[np.int32]],
        barred: NDArray[np.bool_],
        rank: NDArray[np.int64],
        number: int,
        taken: list[tuple[int, str]],
    ) -> None:
        """Show every structure once, as far as there is room; what is taken bars all of its template."""
        gain = np.zeros(len(barred), np.int64)
        for holding in holders.values():
            gain[holding] += 1
        missing = dict.fromkeys(holders)
        for column, holding in holders.items():
            free = holding[~barred[holding]]
            if column not in missing or len(taken) == number or not len(free):
                continue
            row = int(free[np.lexsort((rank[free], -gain[free]))[0]])
            taken.append((row, self.structures.name(column)))
            barred[self._of_template[self.templates[row]]] = True
            for shown in self.structures.row(row).tolist():
                if shown in missing:
                    del missing[shown]
                    gain[holders[shown]] -= 1


def _note(number: int, taken: int, missing: list[str]) -> str:
    notes = []
    if taken < number:
        notes.append(f"only {taken} examples of other templates hold structures of the program")
    if missing:
        notes.append(f"no example holds {', '.join(missing)}")
    return "; ".join(notes)
