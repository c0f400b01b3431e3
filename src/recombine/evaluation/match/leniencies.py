"""What had to be let pass to read outputs: a reader that takes what is not quite of its language says so."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.languages.language import Language


def count_leniencies(language: Language | None, outputs: Iterable[str]) -> dict[str, int] | None:
    """The number of outputs for which each was needed, the most frequent first; none where the reader is strict."""
    if language is None or language.name != "sparql11":
        return None
    from recombine.languages.sparql.read_query import read_query

    counts: Counter[str] = Counter()
    for output in outputs:
        try:
            counts.update(read_query(output).leniencies)
        except ProgramError:
            continue  # malformed, which is counted as that
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
