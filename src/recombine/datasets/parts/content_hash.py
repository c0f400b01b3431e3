"""The content hash of examples in parts, as a data set of them has it, with few of them in memory at a time.

Ids begin with digits that are spread evenly. So the rows are taken by the first digits of their ids, as many passes as
keep what is held small, and those of a pass are put in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.records.dataset import content_digest
from recombine.records.rows_by_id import iter_rows_by_id

if TYPE_CHECKING:
    from recombine.datasets.parts.kept_parts import KeptParts

TOGETHER = 1 << 18
"""About so many rows are held at a time."""
_TEXTS = ("id", "source", "target")
_DIGITS = "0123456789abcdef"


def content_hash(parts: KeptParts, examples: int, *, together: int = TOGETHER) -> str:
    """The hash of all examples, of which there are so many; their ids are content ids."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digest = content_digest()
    passes = min(len(_DIGITS), -(-examples // together))
    for place in range(passes):
        ends = [len(_DIGITS) * each // passes for each in (place, place + 1)]
        digits = pa.array(list(_DIGITS[slice(*ends)]), pa.large_string())
        pieces = []
        for table in parts.iter_tables(_TEXTS):
            first = pc.utf8_slice_codeunits(table["id"], 0, 1)
            pieces.append(table if passes == 1 else table.filter(pc.is_in(first, digits)))
        for rows in iter_rows_by_id(pa.concat_tables(pieces)):
            digest.update(rows)
    return digest.hexdigest()
