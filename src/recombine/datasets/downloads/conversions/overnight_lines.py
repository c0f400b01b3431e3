"""Overnight with machine-translated German questions: λ-DCS programs of two files, without their scope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

PARTS = ("train", "dev")
SCOPE = "SW."


def overnight_lines(originals: Originals) -> bytes:
    """A JSON object for each pair: train, then dev."""
    lines: list[str] = []
    for part in PARTS:
        for source, program in originals.rows(part, 2):
            target = program.replace(SCOPE, "")
            record = {"qid": f"ov_{len(lines)}", "source_de": source, "target": target, "orig_split": part}
            lines.append(json.dumps(record) + "\n")
    return "".join(lines).encode()
