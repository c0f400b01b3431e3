"""Tries of many forms at once, level by level, by sorting: what `Tries.of` makes, from arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.tries import Tries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.form_rows import FormRows


def build_tries(forms: FormRows, questions: int) -> Tries:
    """The tries of so many questions; the last code of every form is `END`, and repeats of a question are one.

    At each level the forms that are left have the node of their codes so far. A node and the next code are one number;
    the distinct ones, sorted, are the nodes of the next level, in the order of questions, of parents, and of codes.
    """
    wide = np.int64(max(int(forms.codes.values.max(initial=0)) + 1, 1))
    rows, places = np.arange(len(forms)), forms.codes.begins[:-1]
    at = forms.questions - questions  # roots, which are no nodes: all below 0
    owners, parents, codes, count = [], [], [], 0
    while len(rows):
        code = forms.codes.values[places].astype(np.int64)
        keys, first, inverse = np.unique((at + questions) * wide + code, return_index=True, return_inverse=True)
        owners.append(forms.questions[rows[first]])
        parents.append(at[first])
        codes.append((keys % wide).astype(np.int32))
        at = count + inverse
        count += len(keys)
        left = code != END
        rows, places, at = rows[left], places[left] + 1, at[left]
    return _by_questions(_joined(owners), _joined(parents), _joined(codes), questions)


def _by_questions(owners: NDArray[Any], parents: NDArray[Any], codes: NDArray[Any], questions: int) -> Tries:
    """Nodes that stand level by level as those of each question, level by level, and parents by their places there."""
    order = np.argsort(owners, kind="stable")
    begins = np.zeros(questions + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=questions), out=begins[1:])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    local = place - begins[owners]
    own = np.where(parents < 0, -1, local[np.maximum(parents, 0)] if len(local) else -1)
    return Tries(Ragged(begins, own[order].astype(np.int32)), Ragged(begins, codes[order].astype(np.int32)))


def _joined(parts: list[NDArray[Any]]) -> NDArray[np.int64]:
    return np.concatenate([np.empty(0, np.int64), *parts])
