"""The kernel that cuts lines of a table into keys of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kernels.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Integers = NDArray[np.int64]

FINE, COLUMNS_DIFFER, EMPTY_CELL = 0, 1, 2


@kernel
def cut_cells(
    text: Bytes,
    separator: int,
    columns: int,
    subjects: Bytes,
    subject_starts: Integers,
    relations: Bytes,
    relation_starts: Integers,
    targets: Bytes,
    target_starts: Integers,
) -> tuple[int, int, int, int]:
    """Cut whole lines at a separator and write the first three cells of each as keys.

    Gives the rows written, and of the first fault its kind, where its line begins, and how many columns the line has or
    which cell is empty. Empty lines are passed over; a carriage return at the end belongs to the end of its line.
    """
    rows, size = 0, len(text)
    subject_at, relation_at, target_at = 0, 0, 0
    line = 0
    first = second = third = 0
    seen = 0
    for i in range(size):
        byte = text[i]
        if byte == separator:
            seen += 1
            if seen == 1:
                first = i
            elif seen == 2:
                second = i
            elif seen == 3:
                third = i
        elif byte == 10:
            end = i
            if end > line and text[end - 1] == 13:
                end -= 1
            if end > line:
                if seen + 1 != columns:
                    return rows, 1, line, seen + 1
                if seen == 2:
                    third = end
                if first == line:
                    return rows, 2, line, 0
                if second == first + 1:
                    return rows, 2, line, 1
                if third == second + 1:
                    return rows, 2, line, 2
                subjects[subject_at] = 61
                for j in range(line, first):
                    subjects[subject_at + 1 + j - line] = text[j]
                subject_at += 1 + first - line
                relations[relation_at] = 61
                for j in range(first + 1, second):
                    relations[relation_at + j - first] = text[j]
                relation_at += second - first
                targets[target_at] = 61
                for j in range(second + 1, third):
                    targets[target_at + j - second] = text[j]
                target_at += third - second
                rows += 1
                subject_starts[rows] = subject_at
                relation_starts[rows] = relation_at
                target_starts[rows] = target_at
            line = i + 1
            seen = 0
    return rows, 0, 0, 0
