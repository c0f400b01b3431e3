"""The outputs of four models for COVR's test examples, from the pages about splits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.covr.covr_markdown import DETAILS, iter_pairs, split_pages

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals


def covr_predictions(originals: Originals) -> bytes:
    """A JSON object for each test example: the split, its place there, the pair, and each model's output."""
    lines = []
    for number, role in split_pages(originals, DETAILS):
        for place, pair in enumerate(pair for pair in iter_pairs(originals, role) if pair.part == "test"):
            outputs = {model: {"correct": right, "output": text} for model, (right, text) in pair.outputs.items()}
            record = {"split": number, "i": place, "source": pair.source, "target": pair.target, "pred": outputs}
            lines.append(json.dumps(record) + "\n")
    return "".join(lines).encode()
