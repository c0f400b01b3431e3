"""Spider-SSP: the questions on databases that have many, in lower case behind the database's name (NQG paper, B.2)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

LEAST = 50
"""How many examples a database must have."""


def spider_pairs(originals: Originals) -> bytes:
    """A line `database: question`, tab, `query` for each example, in order; blanks of queries are single."""
    items = originals.json()
    sizes = Counter(item["db_id"] for item in items)
    kept = (item for item in items if sizes[item["db_id"]] >= LEAST)
    pairs = ((f"{item['db_id']}: {item['question']}", " ".join(item["query"].split())) for item in kept)
    return "".join(f"{source}\t{target}\n".lower() for source, target in pairs).encode()
