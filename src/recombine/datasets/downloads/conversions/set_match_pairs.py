"""Gold queries and a real system's output, line by line, as pairs for `score --pairs`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals


def set_match_pairs(originals: Originals) -> bytes:
    """A JSON object `{n, db_id, gold, prediction}` for each line; `n` is its number from 0, empty lines are none."""
    golds, predictions = originals.lines("gold"), originals.lines("prediction")
    if len(golds) != len(predictions):
        problem = f"has {len(predictions):,} lines where {originals.name('gold')} has {len(golds):,}"
        raise InputFileError(f"{originals.name('prediction')}: {problem}", "use the published files")
    lines = []
    for number, (gold, prediction) in enumerate(zip(golds, predictions, strict=True)):
        if not gold.strip() and not prediction.strip():
            continue
        query, tab, database = gold.partition("\t")
        if not tab:
            raise originals.fault("gold", number + 1, "names no database after a tab")
        pair = {"n": number, "db_id": database.strip(), "gold": query, "prediction": prediction.partition("\t")[0]}
        lines.append(json.dumps(pair) + "\n")
    return "".join(lines).encode()
