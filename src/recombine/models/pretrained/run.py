"""Fine-tunes the checkpoints of an exported folder. Needs numpy, torch and transformers.

    python -m recombine.models.pretrained.run FOLDER --out DIR --work DIR --minutes 9 [--processes N] [--encoder DIR]

Cells are trained as those of a study are, and what they predict is carried back. See `carried_cells`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, NamedTuple, cast

from recombine.errors import RecombineError
from recombine.files import read_text
from recombine.models.carried_cells import CarriedCell, Trained, encoder_place, run_folder
from recombine.models.pretrained.local_checkpoint import checkpoint_digest
from recombine.models.pretrained.pretrained_family import run_task
from recombine.models.task import Task, TaskCell

PAIRS = "pairs.json"


class _Pair(NamedTuple):
    """What training and asking see of an example."""

    source: str
    target: str


def train(cell: CarriedCell) -> Trained:
    """Fine-tune and ask one cell."""
    own: dict[str, Any] = dict(cell.own)
    place = encoder_place(cell)
    # What lies here may be a copy in half precision: its files have a digest of their own.
    settings = {**own["settings"], "checkpoint": place, "digest": checkpoint_digest(place)}
    pairs = json.loads(read_text(cell.folder / PAIRS))
    task = Task(
        "cell",
        own["preset"],
        settings,
        cast("Any", [_Pair(source, target) for source, target in pairs]),
        (TaskCell(own["name"], tuple(own["train"]), tuple(own["test"]), own["seed"]),),
        cell.work,
        curve=cell.study["curve"],
        sample=cell.study["sample"],
        device=cell.device,
        checkpoint_seconds=120.0,
    )
    (outcome,) = run_task(task)
    if outcome.error:
        raise RecombineError(outcome.error, "see above")
    for file in cell.work.glob("cell.*"):
        file.unlink()
    return Trained({**outcome.notes, "curve": [list(point) for point in outcome.curve]}, outcome.outputs)


if __name__ == "__main__":
    sys.exit(run_folder("recombine.models.pretrained.run", train))
