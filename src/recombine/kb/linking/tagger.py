"""A tagger of mentions: a linear model over words with Viterbi's search, trained as an averaged perceptron.

Each word is the first of a mention, one more of it, or outside; a mention never begins with the second tag. It stands
in the place of the recogniser of section 4.3 of GrailQA, which is BERT: this one trains in seconds with numpy alone. A
saved tagger is an .npz file of numbers and of a line of JSON; nothing in it is unpickled.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np
import orjson

from recombine.errors import InputFileError
from recombine.files import check_file, write_whole
from recombine.kb.linking.tagger_features import ROWS, tagger_features

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from recombine.kb.linking.surface_forms import SurfaceForms

OUTSIDE, FIRST, MORE = range(3)
TAGS = 3
FORM = "recombine mention tagger 1"
_NEVER = -1e9


@dataclass(frozen=True, eq=False)
class Tagger:
    """Weights by feature and tag, and of each tag after another; the row after the last is for the first word."""

    weights: npt.NDArray[np.float32]
    following: npt.NDArray[np.float32]
    with_dictionary: bool = True
    """Whether it sees what the dictionary says of a question."""

    def mentions(self, words: Sequence[str], forms: SurfaceForms | None) -> list[tuple[int, int]]:
        """The mentions in a question: the first word of each, and the one after its last."""
        if not words:
            return []
        rows = tagger_features(words, forms if self.with_dictionary else None)
        return spans_of_tags(best_tags(self.weights[rows].sum(axis=1), self.following))

    def save(self, path: Path | str) -> None:
        """Write the tagger, whole or not at all."""
        rows = np.flatnonzero(self.weights.any(axis=1)).astype(np.int32)
        head = orjson.dumps({"form": FORM, "with_dictionary": self.with_dictionary})
        stream = BytesIO()
        np.savez_compressed(
            stream,
            head=np.frombuffer(head, np.uint8),
            rows=rows,
            weights=self.weights[rows],
            following=self.following,
        )
        write_whole(path, stream.getvalue())

    @classmethod
    def load(cls, path: Path | str) -> Tagger:
        """A tagger from a file; what is no tagger, or half of one, is refused."""
        path = check_file(path)
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                head = orjson.loads(arrays["head"].tobytes())
                rows, weights, following = arrays["rows"], arrays["weights"], arrays["following"]
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, TypeError, AttributeError) as error:
            raise InputFileError(
                f"{path}: is no saved tagger ({error})", "give a file that kb link --fit wrote"
            ) from error
        fits = (
            isinstance(head, dict)
            and head.get("form") == FORM
            and isinstance(head.get("with_dictionary"), bool)
            and weights.dtype == following.dtype == np.float32
            and rows.dtype == np.int32
            and weights.shape == (len(rows), TAGS)
            and following.shape == (TAGS + 1, TAGS)
            and (len(rows) == 0 or (rows.min() >= 0 and rows.max() < ROWS))
            and bool(np.isfinite(weights).all() and np.isfinite(following).all())
        )
        if not fits:
            raise InputFileError(f"{path}: is no tagger of this version", "train it again with kb link --fit")
        whole = np.zeros((ROWS, TAGS), np.float32)
        whole[rows] = weights
        return cls(whole, following, head["with_dictionary"])


def best_tags(scores: npt.NDArray[np.floating], following: npt.NDArray[np.floating]) -> list[int]:
    """The tags of the highest sum, of equal ones the first in the order of tags."""
    allowed = following.astype(np.float64)
    allowed[OUTSIDE, MORE] = allowed[TAGS, MORE] = _NEVER
    best = scores[0] + allowed[TAGS]
    back = np.zeros((len(scores), TAGS), np.int64)
    for place in range(1, len(scores)):
        sums = best[:, None] + allowed[:TAGS]
        back[place] = sums.argmax(axis=0)
        best = sums.max(axis=0) + scores[place]
    tags = [int(best.argmax())]
    for place in range(len(scores) - 1, 0, -1):
        tags.append(int(back[place, tags[-1]]))
    return tags[::-1]


def spans_of_tags(tags: Sequence[int]) -> list[tuple[int, int]]:
    """The runs that tags mark.

    >>> spans_of_tags([OUTSIDE, FIRST, MORE, FIRST, OUTSIDE])
    [(1, 3), (3, 4)]
    """
    spans: list[tuple[int, int]] = []
    for place, tag in enumerate(tags):
        if tag == FIRST:
            spans.append((place, place + 1))
        elif tag == MORE:
            spans[-1] = (spans[-1][0], place + 1)
    return spans


def tags_of_spans(spans: Sequence[tuple[int, int]], length: int) -> list[int]:
    """The tags of some runs; one that overlaps an earlier one is left out."""
    tags = [OUTSIDE] * length
    for first, last in sorted(spans):
        if not any(tags[first:last]):
            tags[first:last] = [FIRST, *[MORE] * (last - first - 1)]
    return tags
