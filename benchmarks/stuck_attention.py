"""Why some runs of Syntactic Attention learn nothing on GeoQuery, from training alone: where attention comes to stay.

    python benchmarks/stuck_attention.py          # trains ten seeds in three ways, and keeps what it saw
    python benchmarks/stuck_attention.py --show

The train part of GeoQuery's standard split, settings of `studies/geoquery_primitives.toml`, 400 steps. The three ways:
as it is; the learned role of a source's end ten times smaller at the start; both learned roles zero. A run is stuck
where its loss fell by less than a tenth over the last 200 steps. Beside it stands how far attention moves from the
second output to the sixth, on 64 train examples: the sum over the source of how much each place gains or loses, at
most 2. Test is not looked at. One thread of a CPU, five minutes a way. Reads RECOMBINE_DATA.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

import recombine
from recombine.files import write_whole
from recombine.models.seq2seq.architectures.syntactic_attention import Decoder, encode
from recombine.models.seq2seq.dropout import Drops
from recombine.models.seq2seq.export import make_study
from recombine.models.seq2seq.presets import find_preset
from recombine.models.seq2seq.training.train import Replica, Stack

RESULT = Path(__file__).parent / "results" / "stuck_attention.json"
SEEDS, STEPS, PAUSE, SHOWN = range(10), 400, 100, 64
WAYS = {
    "as it is": {"roles.start": 1.0, "roles.end": 1.0},
    "role of the end ten times smaller": {"roles.start": 1.0, "roles.end": 0.1},
    "learned roles zero": {"roles.start": 0.0, "roles.end": 0.0},
}
"""Names, and factors on weights at the start."""


def main() -> int:
    """Train and keep, or show what is kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    if not parser.parse_args().show:
        torch.set_num_threads(1)
        rows = [train(way, factors) for way, factors in WAYS.items()]
        write_whole(RESULT, json.dumps({"seeds": [*SEEDS], "pause": PAUSE, "ways": rows}, indent=1).encode() + b"\n")
    for row in json.loads(RESULT.read_text())["ways"]:
        stuck = [seed for seed, is_stuck in zip(SEEDS, row["stuck"], strict=True) if is_stuck]
        moves = [f"{value:.2f}" for value in row["moves"]]
        print(f"{row['way']}: {len(stuck)} of {len(row['stuck'])} stuck, seeds {stuck}")
        print(f"  loss of the last {PAUSE} steps {row['losses'][-1]}; attention moves {', '.join(moves)}")
    return 0


def train(way: str, factors: dict[str, float]) -> dict[str, Any]:
    """Ten seeds in one stack: their losses, and where attention is in the end."""
    data = recombine.load("geoquery/funql")
    rows = np.asarray(recombine.load_split(data, "standard").positions(data, "train"))
    study = make_study(list(zip(data.texts("source"), data.texts("target"), strict=True)), {}, {}, [])
    settings = find_preset("syntactic-attention", steps=10_000)
    replicas = [Replica("", rows, seed) for seed in SEEDS]
    stack = Stack(settings, replicas, study.source, study.target, len(study.vocabulary))
    with torch.no_grad():
        for name, factor in factors.items():
            stack.parameters.weights[name].mul_(factor)
    losses = []
    for step in range(PAUSE, STEPS + 1, PAUSE):
        stack.train(step)
        losses.append([round(loss, 2) for loss in stack.take_losses()])
        print(f"{way}: step {step}, loss {losses[-1]}", file=sys.stderr, flush=True)
    stuck = [late > 0.9 * early for early, late in zip(losses[-3], losses[-1], strict=True)]
    moves = attention_moves(stack, study.source[rows[:SHOWN]])
    return {"way": way, "losses": losses, "stuck": stuck, "moves": moves}


def attention_moves(stack: Stack, sources: Any) -> list[float]:
    """How far the attention of each replica moves from the second output to the sixth, in the mean over sources."""
    source = torch.from_numpy(sources.astype(np.int64)).expand(len(stack.replicas), -1, -1)
    lengths, weights = (source != 0).sum(2), stack.parameters.weights
    with torch.no_grad():
        memory = encode(weights, stack.settings, source, lengths, Drops())
        decoder = Decoder(weights, stack.settings, memory, lengths, 6, Drops())
        attention = [decoder.advance() for _ in range(6)]
    return [round(float(each), 3) for each in (attention[5] - attention[1]).abs().sum(2).mean(1)]


if __name__ == "__main__":
    raise SystemExit(main())
