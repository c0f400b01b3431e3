"""The answer that more than half gave."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.evaluation.statistics.krippendorff_alpha import Answer


def majority_answer(answers: Sequence[Answer | None]) -> Answer | None:
    """The answer of more than half of those who gave one; none where no answer is.

    >>> majority_answer(["yes", "no", "yes", None]), majority_answer(["yes", "no"])
    ('yes', None)
    """
    given = [answer for answer in answers if answer is not None]
    if not given:
        return None
    answer, count = Counter(given).most_common(1)[0]
    return answer if 2 * count > len(given) else None
