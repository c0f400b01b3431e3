"""The place of each row's text among all distinct texts of a folder, in their order: clusters as numbers.

Each part sorts its distinct texts once. Ranges of texts meet in one task each, which counts the distinct ones; what
comes to where the command runs are four bytes for each row and for each distinct text of a part.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recombine.cluster.content_hash import RANGE, RANGES, SAMPLES, packed_batches, unpacked
from recombine.cluster.folder_data import iter_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recombine.cluster.folder_data import Block, FolderData
    from recombine.cluster.session import Session


def text_ranks(session: Session, data: FolderData, what: str) -> NDArray[np.int64]:
    """For each row the place of its text; `what` is source, target, template or program."""
    import numpy as np

    named = [session.submit("text_ranks:named_rows", task, what) for task in data.tasks()]
    session.results(f"finding {what}s", named, keep=True)
    samples = session.map("ranging texts", "text_ranks:sample_texts", [(future,) for future in named])
    ordered = sorted(text for texts in samples for text in texts)
    ranges = min(RANGES, max(1, len(data) // RANGE))
    bounds = [ordered[len(ordered) * number // ranges] for number in range(1, ranges)]
    cut = [session.submit("text_ranks:cut_texts", future, bounds) for future in named]
    pieces = [[session.submit("content_hash:pick", future, number) for future in cut] for number in range(ranges)]
    ranked = session.results("ranking texts", [session.submit("text_ranks:ranked_texts", *each) for each in pieces])
    codes = session.map("numbering rows", "text_ranks:codes", [(future,) for future in named])
    starts = np.concatenate(([0], np.cumsum([each[0] for each in ranked])[:-1])).astype(np.int64)
    rows = []
    for part, code in enumerate(codes):
        ranks = np.concatenate([each[1][part] + start for each, start in zip(ranked, starts, strict=True)])
        rows.append(ranks[code])
    return np.concatenate(rows)


def named_rows(task: Mapping[str, Any], what: str) -> tuple[bytes, NDArray[np.int32]]:
    """The distinct texts of a part in their order, packed, and the number of each row's."""
    import numpy as np
    import pyarrow as pa

    place: dict[str, int] = {}
    numbers = np.array([place.setdefault(text, len(place)) for text in _iter_texts(task, what)], np.int32)
    texts = list(place)
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    column = pa.array([texts[number] for number in order], pa.large_string())
    return packed_batches([pa.record_batch([column], names=["text"])]), rank[numbers]


def _iter_texts(task: Mapping[str, Any], what: str) -> Iterator[str]:
    for block in iter_blocks(task):
        yield from _texts(task, block, what)


def _texts(task: Mapping[str, Any], block: Block, what: str) -> Sequence[str]:
    from recombine.structures.programs.templates import equal_programs, templates

    if what in ("source", "target"):
        return block.sources if what == "source" else block.targets
    return (templates if what == "template" else equal_programs)(block.dataset(task))


def sample_texts(named: tuple[bytes, Any]) -> list[str]:
    """Some of the texts of a part, from all over their order."""
    texts = unpacked(named[0])["text"]
    return [texts[place].as_py() for place in range(0, len(texts), max(1, len(texts) // SAMPLES))]


def cut_texts(named: tuple[bytes, Any], bounds: Sequence[str]) -> list[bytes]:
    """The texts of a part by ranges, packed."""
    import pyarrow as pa

    column = unpacked(named[0])["text"].combine_chunks()
    texts = column.to_pylist()
    ends = [0, *(bisect_left(texts, bound) for bound in bounds), len(texts)]
    return [
        packed_batches([pa.record_batch([column.slice(low, high - low)], names=["text"])] if low < high else [])
        for low, high in pairwise(ends)
    ]


def ranked_texts(*pieces: bytes) -> tuple[int, list[NDArray[np.int64]]]:
    """How many distinct texts a range has, and the places of each part's among them."""
    import numpy as np

    lists = [unpacked(piece)["text"].to_pylist() if piece else [] for piece in pieces]
    place = {text: number for number, text in enumerate(sorted({text for texts in lists for text in texts}))}
    return len(place), [np.array([place[text] for text in texts], np.int64) for texts in lists]


def codes(named: tuple[bytes, Any]) -> Any:
    """The numbers of the rows of a part."""
    return named[1]
