"""Trains NQG's neural scorers of an exported folder. Needs numpy and torch, and for an encoder transformers.

    python -m recombine.models.nqg.run FOLDER --out DIR --work DIR --minutes 9 [--processes N] [--encoder DIR]

Grammars, forests and rules are made where the folder is written; here scores of anchored rules are learned, and those
of test sources are carried back. See `carried_cells`.
"""

from __future__ import annotations

import sys

from recombine.models.carried_cells import CarriedCell, Trained, encoder_place, run_folder
from recombine.models.nqg.scoring.neural_settings import NeuralSettings


def train(cell: CarriedCell) -> Trained:
    """Train the scorer of a cell and ask it."""
    from recombine.models.nqg.scoring.carried_scorer import CarriedScorer
    from recombine.models.nqg.scoring.scorer_training import Kept

    settings = NeuralSettings.from_dict({**cell.own["neural"], "encoder": encoder_place(cell)})
    carried = CarriedScorer.read(cell.folder / cell.own["file"])
    kept = Kept(cell.work / "scorer.safetensors", 60.0)
    arrays = carried.train(settings, seed=cell.own["seed"], device=cell.device, kept=kept)
    kept.file.unlink(missing_ok=True)
    said = {"steps": settings.steps}
    if settings.encoder:
        import transformers

        said["transformers"] = transformers.__version__
    return Trained(said, arrays=arrays)


if __name__ == "__main__":
    sys.exit(run_folder("recombine.models.nqg.run", train))
