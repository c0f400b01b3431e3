"""The rule pairs that COVR's splits hold out, from the pages about splits.

The published accuracies stand in a table of the repository that is not pinned, and are not here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.covr.covr_markdown import DETAILS, combinations, split_pages

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals


def covr_combinations(originals: Originals) -> bytes:
    """One JSON object: by the number of a split, its `combos`."""
    pages = split_pages(originals, DETAILS)
    return json.dumps({str(number): {"combos": combinations(originals.text(role))} for number, role in pages}).encode()
