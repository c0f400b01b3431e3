"""The batch and the steps of Syntactic Attention on SCAN, chosen on a part of train that is held back.

    python benchmarks/primitive_batches.py [--batch-tokens 256] [--steps 25000]     # one run, kept with the others
    python benchmarks/primitive_batches.py --show

A thousand examples of the train part of `addprim_jump`, drawn at random, are held back; a model is trained on the rest
and asked for them every 500 steps, with its mean loss since. Test is not looked at. One thread of a CPU; a run takes
20 to 50 minutes. Reads RECOMBINE_DATA for the published split.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

import recombine
from recombine.files import write_whole
from recombine.models.seq2seq.export import make_study
from recombine.models.seq2seq.presets import find_preset
from recombine.models.seq2seq.training.train import Replica, Stack
from recombine.seeds import make_generator

RESULT = Path(__file__).parent / "results" / "primitive_batches.json"
SPLIT, HELD, SEED, DRAW = "addprim_jump", 1000, 0, 5
PAUSE = 500
"""Steps between two points."""


def main() -> int:
    """Train once and keep the curve, or show what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch-tokens", type=int, default=256)
    parser.add_argument("--steps", type=int, default=25_000)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    kept = json.loads(RESULT.read_text()) if RESULT.exists() else {"runs": []}
    if not options.show:
        run = train(options.batch_tokens, options.steps)
        others = [each for each in kept["runs"] if each["batch_tokens"] != run["batch_tokens"]]
        kept = {
            "split": SPLIT,
            "held_back": HELD,
            "seed": SEED,
            "points": ["step", "loss", "right", "seconds"],
            "runs": sorted([*others, run], key=lambda each: int(each["batch_tokens"])),
        }
        write_whole(RESULT, json.dumps(kept).replace('{"batch', '\n{"batch').encode() + b"\n")
    for run in kept["runs"]:
        show(run)
    return 0


def train(batch_tokens: int, steps: int) -> dict[str, Any]:
    """One model and its curve on what was held back."""
    torch.set_num_threads(1)
    data = recombine.load("scan")
    rows = np.asarray(recombine.load_split(data, SPLIT).positions(data, "train"))
    drawn = make_generator(DRAW).permutation(len(rows))
    held, rest = np.sort(rows[drawn[:HELD]]), np.sort(rows[drawn[HELD:]])
    pairs = list(zip(data.texts("source"), data.texts("target"), strict=True))
    study = make_study(pairs, {}, {}, [])
    settings = find_preset("syntactic-attention", batch_tokens=batch_tokens, steps=steps)
    stack = Stack(settings, [Replica("", rest, SEED)], study.source, study.target, len(study.vocabulary))
    points = []
    began = time.monotonic()
    for step in [*range(PAUSE, steps, PAUSE), steps]:
        stack.train(step)
        (outputs,) = stack.predict([held], study.target.shape[1])
        right = float((outputs == study.target[held]).all(1).mean())
        loss = stack.take_losses()[0]
        points.append([step, round(loss, 4), round(right, 3), round(time.monotonic() - began)])
        print(f"{batch_tokens}: step {step:,}, loss {loss:.4f}, right {right:.3f}", file=sys.stderr, flush=True)
    return {"batch_tokens": batch_tokens, "points": points}


def show(run: dict[str, Any]) -> None:
    """When a run first has 99 % right, what it has from there on, and its end."""
    points = run["points"]
    good = next((place for place, point in enumerate(points) if point[2] >= 0.99), None)
    said = "never 99 % right"
    if good is not None:
        mean = float(np.mean([point[2] for point in points[good:]]))
        said = f"99 % right at step {points[good][0]:,} ({points[good][3]:,} s), from there on {mean:.1%} in the mean"
    step, loss, right, seconds = points[-1]
    print(
        f"batches of {run['batch_tokens']:,} symbols: {said}; at step {step:,} ({seconds:,} s) {right:.1%}, loss {loss}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
